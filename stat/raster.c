/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts by time and offset; see raster.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "stat/raster.h"

/* initial size of a cell: 2^16 ns, 8 sectors */
enum { WIDTH = 1 << 16, HEIGHT = 8 };

/* fraction of all rows by which the first row moves */
enum { BASE_STEPS = 8 };

/* a cell's key consists of class, column and row */
enum { ROW_BITS = 16, COLUMN_BITS = 16, ROW_MASK = (1 << ROW_BITS) - 1 };

enum { FIRST_COUNTS = 64 };

void raster_init(struct raster *r, uint64_t from)
{
	*r = (struct raster){ .from = from, .width = WIDTH, .height = HEIGHT,
			      .side = RASTER_SIDE };
}

void raster_free(struct raster *r)
{
	hash_free(&r->cells);
	free(r->counts);
	r->counts = NULL;
	r->room = 0;
}

/* --- cells ---------------------------------------------------------------- */

static uint64_t key_of(unsigned int class, uint64_t column, uint64_t row)
{
	return ((uint64_t)class << COLUMN_BITS | column) << ROW_BITS | row;
}

static int make_room(struct raster *r)
{
	uint64_t *counts = array_reserve(r->counts, r->cells.count, &r->room,
					 FIRST_COUNTS, sizeof(*counts));

	if (!counts)
		return -ENOMEM;
	r->counts = counts;
	return 0;
}

/* The table holds numbers, as a count of 64 bits may not fit a pointer. */
static int count_cell(struct raster *r, uint64_t key, uint64_t count)
{
	int64_t number = hash_get_number(&r->cells, key);
	int err = 0;

	if (number < 0) {
		number = (int64_t)r->cells.count;
		err = make_room(r);
		if (!err)
			err = hash_put_number(&r->cells, key,
					      (uint32_t)number);
		if (err)
			return err;
		r->counts[number] = 0;
	}
	r->counts[number] += count;
	return 0;
}

void raster_each(const struct raster *r,
		 void (*each)(void *ctx, const struct raster_cell *c),
		 void *ctx)
{
	for (size_t i = 0; r->cells.count && i <= r->cells.mask; i++) {
		const struct hash_slot *s = &r->cells.slots[i];
		uint64_t row = s->key & ROW_MASK;
		uint64_t column = s->key >> ROW_BITS & ROW_MASK;
		const struct raster_cell c = {
			.time = r->from + column * r->width,
			.sector = r->base + row * r->height,
			.class = (unsigned int)(s->key >>
						(ROW_BITS + COLUMN_BITS)),
			.count = s->value ?
				 r->counts[hash_slot_number(s)] : 0,
		};

		if (s->value)
			each(ctx, &c);
	}
}

/* --- fewer and larger cells ----------------------------------------------- */

struct move {
	struct raster to;
	int err;
};

static void move_cell(void *ctx, const struct raster_cell *c)
{
	struct move *m = ctx;
	uint64_t column = (c->time - m->to.from) / m->to.width;
	uint64_t row = (c->sector - m->to.base) / m->to.height;

	if (!m->err)
		m->err = count_cell(&m->to, key_of(c->class, column, row),
				    c->count);
}

/* Moves all cells to to, which is coarser. */
static int move_to(struct raster *r, const struct raster *to)
{
	struct move m = { .to = *to };

	m.to.cells = (struct hash){ 0 };
	m.to.counts = NULL;
	m.to.room = 0;
	raster_each(r, move_cell, &m);
	if (m.err) {
		raster_free(&m.to);
		return m.err;
	}
	raster_free(r);
	*r = m.to;
	return 0;
}

/* Widens columns until they include time. */
static void reach_time(struct raster *to, uint64_t time)
{
	while ((time - to->from) / to->width >= to->side)
		to->width *= 2;
}

/* Start of rows: not the lowest sector, or each lower one moves all cells. */
static uint64_t base_of(const struct raster *to)
{
	uint64_t step = to->height * (to->side / BASE_STEPS);

	return to->low / step * step;
}

/* Makes rows tall enough for all sectors. */
static void reach_sectors(struct raster *to)
{
	to->base = base_of(to);
	while ((to->high - 1 - to->base) / to->height >= to->side) {
		to->height *= 2;
		to->base = base_of(to);
	}
}

/* Rows below the first change the numbers of rows, not their size. */
static int reach(struct raster *r, const struct raster_mark *m)
{
	struct raster to = *r;

	if (!r->any || m->sector < r->low)
		to.low = m->sector;
	if (!r->any || m->end > r->high)
		to.high = m->end;
	to.any = true;
	reach_time(&to, m->time);
	reach_sectors(&to);
	if (to.width == r->width && to.height == r->height &&
	    to.base == r->base) {
		*r = to;
		return 0;
	}
	return move_to(r, &to);
}

static int make_coarser(struct raster *r)
{
	struct raster to = *r;

	to.side /= 2;
	to.width *= 2;
	reach_sectors(&to);
	return move_to(r, &to);
}

/* --- marks ---------------------------------------------------------------- */

static int add_rows(struct raster *r, const struct raster_mark *m)
{
	uint64_t column = (m->time - r->from) / r->width;
	uint64_t last = (m->end - 1 - r->base) / r->height;
	uint64_t row = (m->sector - r->base) / r->height;
	int err = 0;

	for (; !err && row <= last; row++)
		err = count_cell(r, key_of(m->class, column, row), 1);
	return err;
}

int raster_add(struct raster *r, const struct raster_mark *m)
{
	struct raster_mark own = *m;
	int err = 0;

	if (m->time < r->from)
		return 0;
	/* without length, or beyond the last sector: one sector */
	if (own.sector == UINT64_MAX)
		own.sector--;
	if (own.end <= own.sector)
		own.end = own.sector + 1;
	if (!r->any || own.sector < r->low || own.end > r->high ||
	    (own.time - r->from) / r->width >= r->side)
		err = reach(r, &own);
	if (!err)
		err = add_rows(r, &own);
	while (!err && r->cells.count > RASTER_CELLS &&
	       r->side > RASTER_SIDE_MIN)
		err = make_coarser(r);
	return err;
}
