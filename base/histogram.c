/* SPDX-License-Identifier: GPL-2.0-only */
/* A histogram; see histogram.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/histogram.h"

enum { BLOCK = HISTOGRAM_BLOCK };

/* --- cells --------------------------------------------------------------- */

static unsigned int shift_of(unsigned int cell)
{
	return cell < BLOCK ? 0 : cell / BLOCK - 1;
}

uint64_t histogram_cell_low(unsigned int cell)
{
	unsigned int shift = shift_of(cell);

	return (uint64_t)(cell - BLOCK * shift) << shift;
}

uint64_t histogram_cell_high(unsigned int cell)
{
	return histogram_cell_low(cell) + (((uint64_t)1 << shift_of(cell)) - 1);
}

/* --- the array ----------------------------------------------------------- */

static uint64_t get(const struct histogram *h, uint32_t i)
{
	return h->wide ? h->wide[i] : h->narrow ? h->narrow[i] : 0;
}

static uint32_t end_of(const struct histogram *h)
{
	return h->first + h->cells;
}

/* Moves all counts to a new array of 64 bits a cell. */
static int move_to_wide(struct histogram *h, uint32_t first, uint32_t cells)
{
	uint64_t *wide = calloc(cells, sizeof(*wide));

	if (!wide)
		return -ENOMEM;
	for (uint32_t i = 0; i < h->cells; i++)
		wide[h->first - first + i] = get(h, i);
	free(h->narrow);
	free(h->wide);
	h->narrow = NULL;
	h->wide = wide;
	return 0;
}

/* The same with 32 bits, if none is wider. */
static int move_to_narrow(struct histogram *h, uint32_t first, uint32_t cells)
{
	uint32_t *narrow = calloc(cells, sizeof(*narrow));

	if (!narrow)
		return -ENOMEM;
	if (h->cells)
		memcpy(narrow + (h->first - first), h->narrow,
		       h->cells * sizeof(*narrow));
	free(h->narrow);
	h->narrow = narrow;
	return 0;
}

static void find_inner(struct histogram *h)
{
	uint32_t first = histogram_cell(h->min) + 1;
	uint32_t end = histogram_cell(h->max);

	h->inner_cells = 0;
	if (h->wide || !h->count || first >= end)
		return;
	h->inner = h->narrow + (first - h->first);
	h->inner_first = first;
	h->inner_cells = end - first;
}

/* Allocates whole blocks of cells from low to high, if needed. */
static int cover(struct histogram *h, unsigned int low, unsigned int high,
		 bool wide)
{
	uint32_t first = low / BLOCK * BLOCK;
	uint32_t end = (high / BLOCK + 1) * BLOCK;
	int err;

	if (h->cells && h->first < first)
		first = h->first;
	if (h->cells && end_of(h) > end)
		end = end_of(h);
	wide = wide || h->wide;
	if (end - first == h->cells && wide == !!h->wide)
		return 0;
	err = wide ? move_to_wide(h, first, end - first) :
		     move_to_narrow(h, first, end - first);
	if (err)
		return err;
	h->first = first;
	h->cells = end - first;
	find_inner(h);
	return 0;
}

int histogram_reserve(struct histogram *h, uint64_t low, uint64_t high)
{
	return cover(h, histogram_cell(low), histogram_cell(high), true);
}

size_t histogram_size(const struct histogram *h)
{
	return h->cells * (h->wide ? sizeof(*h->wide) : sizeof(*h->narrow));
}

void histogram_free(struct histogram *h)
{
	free(h->narrow);
	free(h->wide);
	*h = (struct histogram){ .count = 0 };
}

/* --- adding -------------------------------------------------------------- */

/* Whether cell i stays within 32 bits. */
static bool is_narrow(const struct histogram *h, uint32_t i, uint64_t more)
{
	return more <= UINT32_MAX && get(h, i) + more <= UINT32_MAX;
}

static void add_to_cell(struct histogram *h, uint32_t i, uint64_t times)
{
	if (h->wide)
		h->wide[i] += times;
	else
		h->narrow[i] += (uint32_t)times;
}

static void add_sums(struct histogram *h, uint64_t min, uint64_t max,
		     uint64_t times)
{
	if (min < h->min || !h->count)
		h->min = min;
	if (max > h->max)
		h->max = max;
	h->count += times;
	find_inner(h);
}

int histogram_add_times(struct histogram *h, uint64_t value, uint64_t times)
{
	unsigned int cell = histogram_cell(value);
	int err;

	if (!times)
		return 0;
	if (h->count + times < times)
		return -EOVERFLOW;
	err = cover(h, cell, cell, false);
	if (!err && !h->wide && !is_narrow(h, cell - h->first, times))
		err = cover(h, cell, cell, true);
	if (err)
		return err;
	add_to_cell(h, cell - h->first, times);
	add_sums(h, value, value, times);
	wide_join(&h->sum, wide_product(value, times));
	return 0;
}

/* Numbers in the cells of min and max come here, too. */
int histogram_add_rare(struct histogram *h, uint64_t value)
{
	uint32_t i = histogram_cell(value) - h->first;

	if (i >= h->cells || h->wide || h->narrow[i] == UINT32_MAX ||
	    value < h->min || value > h->max)
		return histogram_add_times(h, value, 1);
	h->narrow[i]++;
	h->count++;
	wide_add(&h->sum, value);
	return 0;
}

int histogram_add_wrapped(struct histogram *h, uint64_t value)
{
	h->inner[histogram_cell(value) - h->inner_first] = UINT32_MAX;
	return histogram_add_times(h, value, 1);
}

/* --- merging ------------------------------------------------------------- */

/* Whether a sum of cells exceeds 32 bits; h has all cells of other. */
static bool needs_wide(const struct histogram *h, const struct histogram *other)
{
	uint32_t shift = other->first - h->first;

	/* no cell has more than all */
	if (h->count + other->count <= UINT32_MAX)
		return false;
	for (uint32_t i = 0; i < other->cells; i++)
		if (!is_narrow(h, shift + i, get(other, i)))
			return true;
	return false;
}

static int cover_other(struct histogram *h, const struct histogram *other)
{
	unsigned int low = other->first, high = end_of(other) - 1;
	int err = cover(h, low, high, false);

	if (!err && !h->wide && needs_wide(h, other))
		err = cover(h, low, high, true);
	return err;
}

/* In loops over blocks of fixed length, of which compilers make vectors. */
static void add_blocks(uint32_t *restrict to, const uint32_t *restrict from,
		       uint32_t cells)
{
	for (uint32_t at = 0; at < cells; at += BLOCK)
		for (unsigned int i = 0; i < BLOCK; i++)
			to[at + i] += from[at + i];
}

/* h has all cells of other, and none will exceed its bits */
static void add_cells(struct histogram *h, const struct histogram *other)
{
	uint32_t shift = other->first - h->first;

	if (!h->wide && !other->wide && h != other) {
		add_blocks(h->narrow + shift, other->narrow, other->cells);
		return;
	}
	for (uint32_t i = 0; i < other->cells; i++)
		add_to_cell(h, shift + i, get(other, i));
}

/* h, which has no cells, becomes the same */
static int copy(struct histogram *h, const struct histogram *other)
{
	struct histogram same = *other;

	if (other->wide)
		same.wide = array_copy(other->wide, other->cells,
				       sizeof(*other->wide));
	else
		same.narrow = array_copy(other->narrow, other->cells,
					 sizeof(*other->narrow));
	if (!same.wide && !same.narrow)
		return -ENOMEM;
	*h = same;
	find_inner(h);
	return 0;
}

int histogram_merge(struct histogram *h, const struct histogram *other)
{
	int err;

	if (!other->count)
		return 0;
	if (!h->cells)
		return copy(h, other);
	if (h->count + other->count < h->count)
		return -EOVERFLOW;
	err = cover_other(h, other);
	if (err)
		return err;
	add_cells(h, other);
	wide_join(&h->sum, other->sum);
	add_sums(h, other->min, other->max, other->count);
	return 0;
}

/* --- asking -------------------------------------------------------------- */

/* the first cell from i on that is not empty, or the end */
static uint32_t next_used(const struct histogram *h, uint32_t i)
{
	if (h->wide)
		while (i < h->cells && !h->wide[i])
			i++;
	else
		while (i < h->cells && !h->narrow[i])
			i++;
	return i;
}

bool histogram_next(const struct histogram *h, int *cell, uint64_t *count)
{
	uint32_t next = (uint32_t)(*cell + 1);
	uint32_t i = next_used(h, next > h->first ? next - h->first : 0);

	if (i >= h->cells)
		return false;
	*cell = (int)(h->first + i);
	*count = get(h, i);
	return true;
}

/* Of the cells of a block, from the one at i on; they have a shift in common.
 * Compilers make two functions of it. */
static INLINED void add_squares(const struct histogram *h, bool wide,
				uint32_t i, double mean, double *sum)
{
	uint64_t low = histogram_cell_low(h->first + i);
	uint64_t each = histogram_cell_high(h->first + i) - low + 1;

	for (uint32_t end = i + BLOCK; i < end; i++, low += each) {
		uint64_t count = wide ? h->wide[i] : h->narrow[i];
		double off;

		if (!count)
			continue;
		off = (double)low + (double)(each - 1) / 2 - mean;
		*sum += (double)count * off * off;
	}
}

double histogram_squares(const struct histogram *h, double mean)
{
	double sum = 0;

	for (uint32_t i = 0; i < h->cells; i += BLOCK)
		if (h->wide)
			add_squares(h, true, i, mean, &sum);
		else
			add_squares(h, false, i, mean, &sum);
	return sum;
}

struct span {
	uint64_t low, high;
};

static uint64_t clamp(const struct histogram *h, uint64_t value)
{
	return value < h->min ? h->min : value > h->max ? h->max : value;
}

/* The index of its cell, and which one of that it is; k is at most the
 * count. */
static uint32_t cell_of_kth(const struct histogram *h, uint64_t k,
			    uint64_t *place)
{
	uint64_t seen = 0;
	uint32_t i = 0;

	if (h->wide)
		while ((seen += h->wide[i]) < k)
			i++;
	else
		while ((seen += h->narrow[i]) < k)
			i++;
	*place = k - (seen - get(h, i));
	return i;
}

uint32_t histogram_find_kth(const struct histogram *h, uint64_t k,
			    uint64_t *place)
{
	return h->first + cell_of_kth(h, k, place);
}

static struct span find_kth(const struct histogram *h, uint64_t k)
{
	unsigned int cell;
	uint64_t place;

	if (k >= h->count)
		return (struct span){ h->max, h->max };
	if (k <= 1)
		return (struct span){ h->min, h->min };
	cell = histogram_find_kth(h, k, &place);
	return (struct span){ histogram_cell_low(cell),
			      histogram_cell_high(cell) };
}

uint64_t histogram_kth(const struct histogram *h, uint64_t k)
{
	struct span s = find_kth(h, k);

	return clamp(h, s.low + (s.high - s.low) / 2);
}

uint64_t histogram_kth_low(const struct histogram *h, uint64_t k)
{
	return clamp(h, find_kth(h, k).low);
}

uint64_t histogram_kth_high(const struct histogram *h, uint64_t k)
{
	return clamp(h, find_kth(h, k).high);
}

uint64_t histogram_rank(uint64_t n, uint32_t p)
{
	struct wide product = wide_product(n, p);
	uint64_t k;

	wide_add(&product, HISTOGRAM_ALL - 1);
	k = wide_over(product, HISTOGRAM_ALL).low;

	return !k && n ? 1 : k;
}

uint64_t histogram_above(uint64_t n, uint32_t p)
{
	return wide_share(n, HISTOGRAM_ALL - p, HISTOGRAM_ALL);
}
