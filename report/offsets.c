/* SPDX-License-Identifier: GPL-2.0-only */
/* Where on a device ios began; see offsets.h. */
#include "report/offsets.h"

/* the first sector of the row that sector is in */
static uint64_t first_of(uint64_t sector, unsigned int shift)
{
	return sector >> shift << shift;
}

/* whether rows of that height have both sectors, from the one of lo on */
static bool fits(uint64_t lo, uint64_t hi, unsigned int shift)
{
	return (hi >> shift) - (lo >> shift) < REPORT_ROWS;
}

int report_offsets_init(struct report_offsets *o, uint64_t width, uint64_t lo,
			uint64_t hi)
{
	o->begun = true;
	o->shift = 3;
	while (!fits(lo, hi, o->shift))
		o->shift++;
	o->base = first_of(lo, o->shift);
	return sparse_init(&o->cells, width, REPORT_CELLS);
}

void report_offsets_free(struct report_offsets *o)
{
	if (o->begun)
		sparse_free(&o->cells);
	o->begun = false;
}

struct move {
	uint64_t from, to;	/* bases */
	unsigned int old, new;	/* shifts */
};

static uint32_t map_row(const void *ctx, uint32_t key)
{
	const struct move *m = ctx;
	uint64_t row = key % REPORT_ROWS;
	uint64_t sector = m->from + (row << m->old);

	return (key & ~(REPORT_ROWS - 1u)) |
	       (uint32_t)((sector - m->to) >> m->new);
}

/* what has been counted goes to rows of that height from base on */
static int move(struct report_offsets *o, unsigned int shift, uint64_t base)
{
	const struct move m = { o->base, base, o->shift, shift };
	int err = sparse_end(&o->cells);

	if (!err)
		err = sparse_map(&o->cells, map_row, &m);
	o->shift = shift;
	o->base = base;
	return err;
}

int report_offsets_grow(struct report_offsets *o, uint64_t sector)
{
	uint64_t last = o->base + ((uint64_t)REPORT_ROWS << o->shift) - 1;
	uint64_t lo = sector < o->base ? sector : o->base;
	unsigned int shift = o->shift;

	/* rows that go beyond all sectors have none there */
	if (last < o->base)
		last = UINT64_MAX;
	if (sector > last)
		last = sector;
	while (!fits(lo, last, shift))
		shift++;
	return move(o, shift, first_of(lo, shift));
}

int report_offsets_flatten(struct report_offsets *o, unsigned int times)
{
	unsigned int shift = o->shift;

	for (; times > 1; times /= 2)
		shift++;
	return move(o, shift, first_of(o->base, shift));
}
