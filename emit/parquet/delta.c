/* SPDX-License-Identifier: GPL-2.0-only */
/* Integers as differences; see delta.h. */
#include "emit/parquet/delta.h"

#include <errno.h>
#include <string.h>

#include "base/varint.h"
#include "emit/parquet/hybrid.h"

enum {
	MINIBLOCKS = 4,
	MINIBLOCK = DELTA_BLOCK / MINIBLOCKS,
	BLOCK_BYTES = VARINT_BYTES + MINIBLOCKS + DELTA_BLOCK * 8 +
		BITS_BEYOND
};

void delta_init(struct delta *d, bool narrow, struct chain_pool *pool)
{
	*d = (struct delta){ .narrow = narrow, .blocks = { .pool = pool } };
	delta_forget(d);
}

void delta_free(struct delta *d)
{
	chain_clear(&d->blocks);
}

void delta_forget(struct delta *d)
{
	d->low = INT64_MAX;
	d->high = INT64_MIN;
}

/* Updates low and high. */
static void note(struct delta *d, const int64_t *values, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		d->low = values[i] < d->low ? values[i] : d->low;
		d->high = values[i] > d->high ? values[i] : d->high;
	}
}

static inline uint64_t difference(int64_t from, int64_t to, bool narrow)
{
	uint64_t wide = (uint64_t)to - (uint64_t)from;

	return narrow ? (uint64_t)(int32_t)(uint32_t)wide : wide;
}

/*
 * The differences of DELTA_BLOCK + 1 values.  Returns the lowest, and updates
 * low and high by all values but the first, which was in the last block.
 */
static inline int64_t differences(struct delta *d, bool narrow, uint64_t *steps)
{
	int64_t lowest = INT64_MAX, low = d->low, high = d->high;
	int64_t before = d->values[0];

#pragma GCC unroll 8
	for (unsigned int i = 0; i < DELTA_BLOCK; i++) {
		int64_t value = d->values[i + 1];
		uint64_t step = difference(before, value, narrow);

		lowest = (int64_t)step < lowest ? (int64_t)step : lowest;
		low = value < low ? value : low;
		high = value > high ? value : high;
		steps[i] = step;
		before = value;
	}
	d->low = low;
	d->high = high;
	return lowest;
}

/* Subtracts the lowest from a miniblock's steps; returns their width. */
static unsigned int reduce(uint64_t *steps, int64_t lowest)
{
	uint64_t any = 0;

	for (unsigned int i = 0; i < MINIBLOCK; i++) {
		steps[i] -= (uint64_t)lowest;
		any |= steps[i];
	}
	return bits_width(any);
}

/*
 * Encodes count differences of the first DELTA_BLOCK + 1 values; miniblocks
 * beyond them take no room.
 */
static int encode(struct delta *d, unsigned int count)
{
	uint64_t steps[DELTA_BLOCK];
	uint8_t *p = chain_room(&d->blocks, BLOCK_BYTES);
	uint8_t *width;
	int64_t lowest;

	if (!p)
		return -ENOMEM;
	lowest = d->narrow ? differences(d, true, steps) :
		differences(d, false, steps);
	p = varint_put(p, varint_zigzag(lowest));
	width = p;
	memset(width, 0, MINIBLOCKS);
	p += MINIBLOCKS;
	for (unsigned int i = 0; i < count; i += MINIBLOCK) {
		*width = (uint8_t)reduce(steps + i, lowest);
		p = bits_pack(p, steps + i, MINIBLOCK, *width++);
	}
	chain_commit(&d->blocks, p);
	return 0;
}

/*
 * Encodes the waiting values as the last block.  It is filled by repeating the
 * last difference, which does not widen it.
 */
static int encode_rest(struct delta *d)
{
	unsigned int count = d->waiting - 1;
	int64_t low, high, last = d->values[count];
	uint64_t step = difference(d->values[count - 1], last, d->narrow);
	int err;

	for (unsigned int i = count + 1; i <= DELTA_BLOCK; i++) {
		last = (int64_t)((uint64_t)last + step);
		d->values[i] = last;
	}
	low = d->low;
	high = d->high;
	err = encode(d, count);
	/* without the filling */
	d->low = low;
	d->high = high;
	note(d, d->values + 1, count);
	return err;
}

int delta_added(struct delta *d, unsigned int count)
{
	int err;

	if (!count)
		return 0;
	if (!d->count) {
		d->first = d->values[0];
		note(d, d->values, 1);
	}
	d->count += count;
	d->waiting += count;
	if (d->waiting <= DELTA_BLOCK)
		return 0;
	err = encode(d, DELTA_BLOCK);
	d->waiting -= DELTA_BLOCK;
	memcpy(d->values, d->values + DELTA_BLOCK,
	       d->waiting * sizeof(*d->values));
	return err;
}

static int header(const struct delta *d, struct chain *to)
{
	uint8_t *p = chain_room(to, 4 * VARINT_BYTES);

	if (!p)
		return -ENOMEM;
	p = varint_put(p, DELTA_BLOCK);
	p = varint_put(p, MINIBLOCKS);
	p = varint_put(p, d->count);
	chain_commit(to, varint_put(p, varint_zigzag(d->first)));
	return 0;
}

int delta_page(struct delta *d, struct chain *to)
{
	if (d->waiting > 1 && encode_rest(d))
		return -ENOMEM;
	if (header(d, to))
		return -ENOMEM;
	chain_join(to, &d->blocks);
	d->count = 0;
	d->waiting = 0;
	d->first = 0;
	return 0;
}
