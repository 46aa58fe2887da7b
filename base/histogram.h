/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A histogram: how often each number came, in cells that grow with the number.
 *
 * Numbers below 256 have a cell each.  Above, a power of two has 128, so that
 * the middle of a cell is at most 1/256 off.  These are HdrHistogram's cells
 * for two digits.  All is kept in integers: merging is exact, in any order.
 *
 * There are cells only from the first to the last power of two that was used,
 * 512 bytes each, which are made when first met; and twice that when one of
 * them counts more than 32 bits.  All powers of two are 29 KiB, at most 58.
 *
 * What returns an int returns 0, or -ENOMEM, or -EOVERFLOW when there would be
 * 2^64 numbers; the histogram is then as it was.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"
#include "base/wide.h"

/* cells are numbered from 0 to this, less one */
enum { HISTOGRAM_CELLS = 58 * 128 };

/* an all-zero struct histogram has no numbers */
struct histogram {
	uint64_t count;		/* numbers */
	uint64_t min, max;	/* exact; of none 0 */
	uint32_t *inner;	/* see below */
	struct wide sum;

	/* histogram.c's: cells from first on, in one of these */
	uint32_t *narrow;
	uint64_t *wide;
	uint32_t first, cells;
	/* cells from inner_first on, of narrow, which are between those of min
	 * and max: what falls into one of them moves neither */
	uint32_t inner_first, inner_cells;
};

/* cells of a power of two; numbers below share the cells of one */
enum { HISTOGRAM_BLOCK = 128 };

/*
 * The cell that a number is in: all but its first eight bits are dropped, shift
 * of them.  (The number of its first bit is one instruction as written here.)
 */
static inline unsigned int histogram_cell(uint64_t value)
{
	uint64_t least = value | HISTOGRAM_BLOCK;
	unsigned int bit = (unsigned int)__builtin_clzll(least) ^ 63;
	unsigned int shift = bit - 7;

	return HISTOGRAM_BLOCK * shift + (unsigned int)(value >> shift);
}

/* slow paths of histogram_add(): outside of the inner cells; 32 bits were too
 * few for one of these, which is 0 now */
int histogram_add_rare(struct histogram *h, uint64_t value);
int histogram_add_wrapped(struct histogram *h, uint64_t value);

/* one more number, whose cell is known: it is added to others, too */
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

/* one more number; about 20 instructions */
static inline int histogram_add(struct histogram *h, uint64_t value)
{
	return histogram_add_cell(h, value, histogram_cell(value));
}

/* times more numbers of this value */
int histogram_add_times(struct histogram *h, uint64_t value, uint64_t times);

/* all of other's numbers into h; other may be h */
int histogram_merge(struct histogram *h, const struct histogram *other);

/*
 * Makes the cells for all numbers from low to high, 64 bits each: adding these
 * then neither allocates nor fails.
 */
int histogram_reserve(struct histogram *h, uint64_t low, uint64_t high);

/* bytes of its cells */
size_t histogram_size(const struct histogram *h);

/* frees what h has; it is then all-zero again */
void histogram_free(struct histogram *h);

/*
 * The k-th smallest, k from 1 to count: the middle of its cell, kept within
 * min and max.  The first and the last are exact.  0 if there is none.
 */
uint64_t histogram_kth(const struct histogram *h, uint64_t k);

/* the same: what it is not below, and what it is not above */
uint64_t histogram_kth_low(const struct histogram *h, uint64_t k);
uint64_t histogram_kth_high(const struct histogram *h, uint64_t k);

/*
 * The next cell behind *cell that counts something, in ascending order, with
 * its count; -1 begins.  False: there are no more.
 */
bool histogram_next(const struct histogram *h, int *cell, uint64_t *count);

/* the least and greatest number of a cell */
uint64_t histogram_cell_low(unsigned int cell);
uint64_t histogram_cell_high(unsigned int cell);

/* percentiles are given in thousandths: 99.9 is 99,900 */
enum { HISTOGRAM_PERCENT = 1000, HISTOGRAM_ALL = 100 * HISTOGRAM_PERCENT };

/*
 * Which of n numbers, the smallest is 1, is percentile p: p n / 100, rounded
 * up; from 1 to n, or 0 of none.
 */
uint64_t histogram_rank(uint64_t n, uint32_t p);

/* how many of n numbers are above percentile p at least: n (100 - p) / 100 */
uint64_t histogram_above(uint64_t n, uint32_t p);

#endif
