/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands at a place in a stream's bytes: a record, a part of one, or
 * something else.  Remembers which layout the ambiguous versions 3 and 4 have
 * been found to use.
 */
#ifndef FILE_HEADER_H
#define FILE_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

enum header_verdict { HEADER_WHOLE, HEADER_SHORT, HEADER_BAD };

/* the header of a record */
struct header {
	const struct layout *layout;	/* NULL: native version 7 */
	bool swapped;
	size_t size, total;	/* bytes without and with payload */
	uint32_t action, zone, cpu;
};

struct header_reader {
	const struct layout *settled[BLK_VERSION_8 + 1];	/* by version */
};

/*
 * HEADER_WHOLE: *h is the header at raw; its payload may reach beyond the avail
 * bytes.  HEADER_SHORT: more bytes are needed, which do not come if the source
 * has ended.  HEADER_BAD: no record with a possible CPU; if only the CPU is
 * impossible, *h is set all the same.
 */
enum header_verdict header_read(struct header_reader *l, const uint8_t *raw,
				size_t avail, bool ended, struct header *h);

/* in what way HEADER_BAD bytes, at least 4, are bad */
const char *header_why(const uint8_t *raw);

#endif
