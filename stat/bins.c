/* SPDX-License-Identifier: GPL-2.0-only */
/* A histogram in rows; see bins.h. */
#include "base/histogram.h"
#include "stat/bins.h"
#include "stat/steps.h"

/* the middle of a cell, which is within the histogram's numbers */
static uint64_t middle(const struct histogram *h, unsigned int cell)
{
	uint64_t low = histogram_cell_low(cell);
	uint64_t mid = low + (histogram_cell_high(cell) - low) / 2;

	return mid < h->min ? h->min : mid > h->max ? h->max : mid;
}

static void set_rows(struct bins *b, enum steps kind, unsigned int first)
{
	for (unsigned int i = 0; i < b->count; i++) {
		b->rows[i] = (struct bin){
			.from = steps_low(kind, first + i),
			.to = steps_low(kind, first + i + 1),
		};
	}
	/* the step of 1 has 0, too */
	if (!first)
		b->rows[0].from = 0;
}

static void sum_up(struct bins *b)
{
	for (unsigned int i = 0; i < b->count; i++) {
		struct bin *row = &b->rows[i];

		b->total += row->count;
		row->up_to = b->total;
		if (row->count > b->most)
			b->most = row->count;
	}
}

void bins_make(struct bins *b, const struct histogram *h, unsigned int rows)
{
	unsigned int most = rows < BINS_MAX ? rows : BINS_MAX;
	/* below 2 ns there is nothing for a step of 1.5 */
	enum steps kind = steps_choose(h->min < 2 ? STEPS_3 : STEPS_6, h->min,
				       h->max, most);
	unsigned int first = steps_find(kind, h->min);
	uint64_t count;
	int cell = -1;

	b->total = b->most = 0;
	b->count = h->count ? steps_find(kind, h->max) - first + 1 : 0;
	if (b->count > BINS_MAX)
		b->count = BINS_MAX;
	set_rows(b, kind, first);
	while (histogram_next(h, &cell, &count)) {
		uint64_t n = middle(h, (unsigned int)cell);

		b->rows[steps_find(kind, n) - first].count += count;
	}
	sum_up(b);
}
