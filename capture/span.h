/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole records at the beginning of what a read has brought.
 */
#ifndef CAPTURE_SPAN_H
#define CAPTURE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/tap.h"

/* --- record version ------------------------------------------------------- */

/*
 * The two versions of records that kernels write today, and what the older
 * one has not.
 */

/* a mask's categories that version 7 has; what else it names, 8 has alone */
#define VERSION_7_MASK 0xffffu

enum { RECORD_VERSION_NOTE = 256 };	/* bytes of a note, its end included */

/*
 * Whether version 7 records nothing of the mask: what is left of it is then 0,
 * which as a mask asks for everything.
 */
static inline bool version_7_has_none(uint32_t mask)
{
	return mask && !(mask & VERSION_7_MASK);
}

/*
 * What a user has to know after asking for the mask (0: all) in records of
 * version `wished` (0: whichever loses nothing) and gets version `got`.  One
 * line without its end to text; false: nothing.
 */
bool record_version_note(char text[RECORD_VERSION_NOTE], uint32_t mask,
			 unsigned int wished, unsigned int got);

/* --- span ----------------------------------------------------------------- */

struct span {
	size_t len;		/* bytes of whole records */
	struct tap_sums sums;	/* of them */
	int bad;		/* what follows is no record of this machine */
};

/* looks at len bytes of this machine's own kernel: versions 7 and 8, native */
struct span span_of(const void *bytes, size_t len);

/*
 * Where a record may begin again, when these bytes, len of them and four at
 * least, begin with what is none: 1 to len - 3 bytes on, as the last three may
 * be its beginning.
 */
size_t span_search(const void *bytes, size_t len);

#endif
