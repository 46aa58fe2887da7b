/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that is in a source, in the order of its bytes: records, and what is
 * none.  file/stream hands out plausible records and passes over the rest; a
 * program that checks traces shows the rest, too, and where it is.
 *
 * What is no record is handed out in steps of 48 bytes, version 7's header, so
 * that it can be shown as the record that it may have been.  Zeros, and what
 * follows a record of an unknown version, are one piece, however long.
 */
#ifndef FILE_SCAN_H
#define FILE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "record/record.h"

struct scan;
struct source;			/* file/source.h */

enum piece_kind {
	PIECE_RECORD,		/* whole, payload included */
	PIECE_FOREIGN,		/* no record */
	PIECE_ZEROS,		/* no record, but zeros alone */
	PIECE_VERSION,		/* like a record, but of another version */
	PIECE_CUT_HEADER,	/* a record's beginning, then the end */
	PIECE_CUT_PAYLOAD,	/* a header that promises more than there is */
};

struct piece {
	enum piece_kind kind;
	uint64_t at;		/* its first byte in the source, unpacked */
	uint64_t len;		/* bytes it takes; 0: found out afterwards,
				 * inside the payload of the record before */
	bool header;		/* magic and ev are set: 48 bytes or more */
	uint32_t magic;		/* as recorded, in native order */
	struct event ev;	/* no payload, no lane */
};

/*
 * Takes src over, also on failure.  cpu is for records of version 2, which
 * have none.  NULL: out of memory.
 */
struct scan *scan_new(struct source *src, uint32_t cpu);

/*
 * 1: *p is the next piece; 0: the end; or -errno when the source fails, which
 * is an end, too.  The source must not be a pipe.
 */
int scan_next(struct scan *ps, struct piece *p);

/* frees ps and its source; NULL is fine */
void scan_free(struct scan *ps);

#endif
