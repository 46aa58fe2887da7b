/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records read ahead: adjacent ones of this machine's version 7, so that taking
 * one is a copy in the caller's own loop.
 */
#ifndef FILE_BATCH_H
#define FILE_BATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hint.h"
#include "blktrace.h"
#include "record/record.h"

enum { BATCH_PREFETCH = 128 };	/* bytes: two records */

struct batch {
	struct event ev;	/* taken last; what follows its record is the
				 * same for the whole batch */
	const uint8_t *raw, *end;	/* not taken yet */
	uint64_t limit;		/* the merge's: events up to this time precede
				 * those of all other files */
};

static inline bool batch_has(const struct batch *b)
{
	return LIKELY(b->raw != b->end);
}

/* the time of the next one */
static inline uint64_t batch_time(const struct batch *b)
{
	return get64(FIELD(b->raw, time));
}

/* moves the next one to ev, good until the next call */
static inline void batch_take(struct batch *b)
{
	const uint8_t *raw = b->raw;

	/* with many files, others' records have displaced these in the cache */
	__builtin_prefetch(raw + BATCH_PREFETCH);
	memcpy(&b->ev, raw, BLK_HEADER_7);
	b->ev.payload = raw + BLK_HEADER_7;
	b->raw = b->ev.payload + get16(FIELD(raw, pdu_len));
}

/* passes the next one over: its record */
static inline const uint8_t *batch_pass(struct batch *b)
{
	const uint8_t *raw = b->raw;

	b->raw = raw + BLK_HEADER_7 + get16(FIELD(raw, pdu_len));
	return raw;
}

/* takes the next one, if no other file's comes first; false: ask the merge */
static inline bool batch_follow(struct batch *b, struct event **ev)
{
	if (!batch_has(b) || batch_time(b) > b->limit)
		return false;
	batch_take(b);
	*ev = &b->ev;
	return true;
}

#endif
