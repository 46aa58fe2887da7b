/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A histogram with HdrHistogram's cells for two digits: one for each number
 * below 256, then 128 for each power of two, so that the middle of a cell is at
 * most 1/256 off.  All values are integers: merging is exact, in any order.
 *
 * Cells are allocated for the used powers of two and those between, 512 bytes
 * each, twice that when a cell exceeds 32 bits: at most 29 or 58 KiB.
 *
 * Functions that return int return 0, -ENOMEM, or -EOVERFLOW at 2^64 numbers;
 * the histogram is then as it was.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"
#include "base/wide.h"

/* cells are numbered below this */
enum { HISTOGRAM_CELLS = 58 * 128 };

/* an all-zero struct histogram has no numbers */
struct histogram {
	uint64_t count;		/* numbers */
	uint64_t min, max;	/* exact; 0 if there are none */
	uint32_t *inner;	/* see below */
	struct wide sum;

	/* histogram.c's: cells from first on, in one of these */
	uint32_t *narrow;
	uint64_t *wide;
	uint32_t first, cells;
	/* cells of narrow, from inner_first on, between those of min and max,
	 * so that adding to them changes neither */
	uint32_t inner_first, inner_cells;
};

/* cells of a power of two; numbers below it share one such block */
enum { HISTOGRAM_BLOCK = 128 };

/* The cell of a number: by its first eight bits and their shift.  (clz ^ 63 is
 * one instruction.) */
static inline unsigned int histogram_cell(uint64_t value)
{
	uint64_t least = value | HISTOGRAM_BLOCK;
	unsigned int bit = (unsigned int)__builtin_clzll(least) ^ 63;
	unsigned int shift = bit - 7;

	return HISTOGRAM_BLOCK * shift + (unsigned int)(value >> shift);
}

/* slow paths of histogram_add(): outside the inner cells; an inner cell has
 * overflowed to 0 */
int histogram_add_rare(struct histogram *h, uint64_t value);
int histogram_add_wrapped(struct histogram *h, uint64_t value);

/* as histogram_add(), if the cell is known */
static INLINED int histogram_add_cell(struct histogram *h, uint64_t value,
				      unsigned int cell)
{
	uint32_t i = cell - h->inner_first;

	if (UNLIKELY(i >= h->inner_cells))
		return histogram_add_rare(h, value);
	if (UNLIKELY(!++h->inner[i]))
		return histogram_add_wrapped(h, value);
	h->count++;
	wide_add(&h->sum, value);
	return 0;
}

/* adds a number; about 20 instructions */
static inline int histogram_add(struct histogram *h, uint64_t value)
{
	return histogram_add_cell(h, value, histogram_cell(value));
}

/* adds value times times */
int histogram_add_times(struct histogram *h, uint64_t value, uint64_t times);

/* adds all of other's numbers; other may be h */
int histogram_merge(struct histogram *h, const struct histogram *other);

/* Allocates cells of 64 bits from low to high: adding these numbers then cannot
 * fail. */
int histogram_reserve(struct histogram *h, uint64_t low, uint64_t high);

/* bytes of its cells */
size_t histogram_size(const struct histogram *h);

/* makes it all-zero again */
void histogram_free(struct histogram *h);

/*
 * The k-th smallest, k from 1 to count: the middle of its cell, within min and
 * max.  The first and the last are exact.  0 if there is none.
 */
uint64_t histogram_kth(const struct histogram *h, uint64_t k);

/* its lower and upper bound */
uint64_t histogram_kth_low(const struct histogram *h, uint64_t k);
uint64_t histogram_kth_high(const struct histogram *h, uint64_t k);

/* The cell of the k-th smallest, k from 1 to count, and which one there it is:
 * *place, from 1. */
uint32_t histogram_find_kth(const struct histogram *h, uint64_t k,
			    uint64_t *place);

/* The next nonempty cell after *cell, in ascending order, -1 at first, with its
 * count; false: no more. */
bool histogram_next(const struct histogram *h, int *cell, uint64_t *count);

/* The sum of the squares of how far each number is from mean, taking the middle
 * of its cell. */
double histogram_squares(const struct histogram *h, double mean);

/* the least and the greatest number of a cell */
uint64_t histogram_cell_low(unsigned int cell);
uint64_t histogram_cell_high(unsigned int cell);

/* percentiles are given in thousandths: 99.9 is 99,900 */
enum { HISTOGRAM_PERCENT = 1000, HISTOGRAM_ALL = 100 * HISTOGRAM_PERCENT };

/* The rank, from 1, of percentile p of n numbers: p n / 100, rounded up; 0 if
 * there are none. */
uint64_t histogram_rank(uint64_t n, uint32_t p);

/* the least count of n numbers above percentile p: n (100 - p) / 100 */
uint64_t histogram_above(uint64_t n, uint32_t p);

#endif
