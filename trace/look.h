/*
 * What stands at a place in a stream's bytes: a record, a part of one, or
 * something else.  Remembers which layout the ambiguous versions 3 and 4 have
 * been found to use.
 */
#ifndef TRACE_LOOK_H
#define TRACE_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/record.h"

enum verdict { RECORD, SHORT, BAD };

/* the header of a record */
struct head {
	const struct layout *layout;	/* NULL: native version 7 */
	bool swapped;
	size_t size, total;	/* bytes without and with payload */
	uint32_t action, zone, cpu;
};

struct looker {
	const struct layout *settled[BLK_VERSION_8 + 1];	/* by version */
};

/*
 * RECORD: *h is the head of the one at raw, whose payload may reach beyond the
 * avail bytes; SHORT: there must be more bytes to tell, and at the end there
 * are none (ended); BAD: no record with a possible CPU.  If only the CPU is
 * impossible, *h is told all the same.
 */
enum verdict look(struct looker *l, const uint8_t *raw, size_t avail,
		  bool ended, struct head *h);

/* in what way BAD bytes, at least 4, are bad */
const char *look_why(const uint8_t *raw);

#endif
