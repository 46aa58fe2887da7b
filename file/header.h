/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells records from other bytes.  The reader remembers which layout a file of
 * the ambiguous versions 3 and 4 uses.
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
 * HEADER_WHOLE: *h is the header at raw; its payload may exceed the avail
 * bytes.  HEADER_SHORT: needs more bytes.  HEADER_BAD: no record, or one with
 * an impossible CPU, for which *h is set.
 */
enum header_verdict header_read(struct header_reader *l, const uint8_t *raw,
				size_t avail, bool ended, struct header *h);

/* a phrase: what is wrong with HEADER_BAD bytes, at least 4 */
const char *header_why(const uint8_t *raw);

#endif
