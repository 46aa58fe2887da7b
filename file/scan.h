/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All bytes of a source in order, records and others, for programs that check
 * traces; file/stream reports the others and skips them.
 *
 * Bytes that are no record come in steps of 48, version 7's header, so that
 * they can be shown as the record that they may have been.  Zeros, and a record
 * of an unknown version with what follows it, are one piece of any length.
 */
#ifndef FILE_SCAN_H
#define FILE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "record/record.h"

struct hooks;			/* file/hooks.h */
struct scan;
struct source;			/* file/source.h */

enum piece_kind {
	PIECE_RECORD,		/* whole, payload included */
	PIECE_FOREIGN,		/* no record */
	PIECE_ZEROS,		/* no record, but zeros alone */
	PIECE_VERSION,		/* like a record, but of another version */
	PIECE_CUT_HEADER,	/* the source ends in a header */
	PIECE_CUT_PAYLOAD,	/* the source ends in a payload */
};

struct piece {
	enum piece_kind kind;
	uint64_t at;		/* its first byte in the source, unpacked */
	uint64_t len;		/* bytes; 0: inside the payload of the record
				 * before */
	bool header;		/* 48 bytes or more: magic and ev are set */
	uint32_t magic;		/* as recorded, in native order */
	struct event ev;	/* no payload, no lane */
	/* of a record, until the next call: its bytes as they are, and what
	 * they mean */
	const uint8_t *raw;
	const struct layout *layout;
};

/*
 * Takes src over, also on failure.  cpu is that of version 2's records, which
 * have none.  Only the hook for damage is called, of packed bytes that are passed
 * over: no piece has them.  NULL: out of memory.
 */
struct scan *scan_new(struct source *src, uint32_t cpu,
		      const struct hooks *hooks);

/*
 * 1: *p is the next piece; 0: the end; -errno: the source failed, which is the
 * end, too.  The source must not be a pipe.
 */
int scan_next(struct scan *ps, struct piece *p);

/* frees ps and its source; NULL is fine */
void scan_free(struct scan *ps);

#endif
