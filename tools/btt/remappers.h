/*
 * Which devices are remappers: they hand requests on to other devices, as md
 * and device mapper do, and are told apart in the report.  By default their
 * major numbers tell, as in the original; with --remappers=auto the remaps in
 * the trace do, which name the device that a request came from.
 */
#ifndef TOOLS_BTT_REMAPPERS_H
#define TOOLS_BTT_REMAPPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct event;			/* trace/record.h */

struct remappers {
	bool automatic;
	struct hash from;	/* devices that remaps have named */
};

/* all zero but automatic: no remap has been seen */
void remappers_free(struct remappers *r);

/*
 * An event that may be a remap.  true: this device, *device, is a remapper and
 * was not known to be one; dies without memory.
 */
bool remappers_learn(struct remappers *r, const struct event *ev,
		     uint32_t *device);

bool remappers_has(const struct remappers *r, uint32_t device);

#endif
