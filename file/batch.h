/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that have been read ahead, for what takes them one after the other:
 * where they are this machine's version 7 and nothing is between them, taking
 * one is a copy, made in the taker's own loop.
 */
#ifndef FILE_BATCH_H
#define FILE_BATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hint.h"
#include "blktrace.h"
#include "record/record.h"

enum { BATCH_PREFETCH = 256 };	/* bytes: a few records */

struct batch {
	struct event ev;	/* the one taken last; behind its record it has
				 * what all that can be taken have */
	const uint8_t *raw, *end;	/* what can be taken */
	uint64_t limit;		/* the merge's: up to this time it comes before
				 * what all others have */
};

/* whether there is one to be taken */
static inline bool batch_has(const struct batch *b)
{
	return LIKELY(b->raw != b->end);
}

/* the time of the one to be taken, before it is: sooner known than ev's */
static inline uint64_t batch_time(const struct batch *b)
{
	return get64(FIELD(b->raw, time));
}

/* what there is to be taken is in ev, good until the next call */
static inline void batch_take(struct batch *b)
{
	const uint8_t *raw = b->raw;

	/* with many files others' records have come in since these were read */
	__builtin_prefetch(raw + BATCH_PREFETCH);
	memcpy(&b->ev, raw, BLK_HEADER_7);
	b->ev.payload = raw + BLK_HEADER_7;
	b->raw = b->ev.payload + get16(FIELD(raw, pdu_len));
}

/* takes the one that is next of all; false: another's is, or has to be asked
 * for */
static inline bool batch_follow(struct batch *b, struct event **ev)
{
	if (!batch_has(b) || batch_time(b) > b->limit)
		return false;
	batch_take(b);
	*ev = &b->ev;
	return true;
}

#endif
