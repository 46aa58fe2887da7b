/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which devices are remappers: they hand requests on to other devices, as md
 * and device mapper do, so that each request is seen twice.
 *
 * A remapper is what the trace's remaps (A) name as the device that a request
 * came from.  A device whose own trace has that remap is none: so it is where
 * a partition was traced and not its disk.  1.3.0: majors 9, 253 and 254 are
 * remappers, among them many virtio disks; that is --remappers=classic.
 */
#ifndef TOOLS_BTT_REMAPPERS_H
#define TOOLS_BTT_REMAPPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct event;			/* record/record.h */

struct remappers {
	bool classic;
	struct hash from;	/* devices that remaps have named, by key */
};

/* all zero but classic: no remap has been seen */
void remappers_free(struct remappers *r);

/*
 * An event that may be a remap.  true: the device of this origin_key() is
 * a remapper and was not known to be one; dies without memory.
 */
bool remappers_add(struct remappers *r, const struct event *ev,
		     uint64_t *key);

/* as far as is known by now */
bool remappers_has(const struct remappers *r, uint64_t key);

#endif
