/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole records: how many a read has brought, how many come before a border in
 * trace time, and their versions.
 */
#ifndef CAPTURE_SPAN_H
#define CAPTURE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/tap.h"

/* --- record version ------------------------------------------------------- */

/* categories that version 7 has; all others need version 8 */
#define VERSION_7_MASK 0xffffu

enum { RECORD_VERSION_NOTE = 256 };	/* bytes of a note, with its NUL */

/*
 * Whether version 7 has none of the mask's categories.  What is left of it is 0
 * then, and as a mask would mean everything.
 */
static inline bool version_7_has_none(uint32_t mask)
{
	return mask && !(mask & VERSION_7_MASK);
}

/*
 * A note for a user who requested the mask (0: all) in records of version
 * `wished` (0: whichever loses nothing) and got version `got`: one line without
 * its end.  False: no note.
 */
bool record_version_note(char text[RECORD_VERSION_NOTE], uint32_t mask,
			 unsigned int wished, unsigned int got);

/* --- span ----------------------------------------------------------------- */

struct span {
	size_t len;		/* bytes of whole records */
	struct tap_sums sums;	/* of them */
	int bad;		/* no record of this machine follows */
};

/* len bytes from this machine's kernel: versions 7 and 8, native byte order */
struct span span_of(const void *bytes, size_t len);

/*
 * The offset, 1 to len - 3, where the next record may start, as the last three
 * bytes may be its start.  The first bytes are no record; len is at least 4.
 */
size_t span_search(const void *bytes, size_t len);

/* bytes of a record that span_of() has found */
size_t span_record_len(const uint8_t *raw);

/* whether it is one of our seals (BLK_TN_SEAL) */
bool span_is_seal(const uint8_t *raw);

/* --- passage -------------------------------------------------------------- */

#define PASSAGE_NO_BORDER UINT64_MAX

struct passage {
	size_t len;		/* bytes before the border */
	uint64_t newest;	/* ns, of the events among them; 0: none */
	int error;		/* of take(), or 0 */
};

/* called for each note before the border; 0, or -errno to end the walk */
typedef int passage_take(void *ctx, const uint8_t *note);

/*
 * The records before the first event at the border or later, of len bytes that
 * span_of() has found; take may be NULL.  Notes are not compared, as notes
 * about drops are later than events that follow them.  Rotation does nothing
 * else for each event.
 */
struct passage passage_of(const void *records, size_t len, uint64_t border,
			  passage_take *take, void *ctx);

#endif
