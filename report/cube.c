/* SPDX-License-Identifier: GPL-2.0-only */
/* Ios by time, stream and one thing more; see cube.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/cube.h"
#include "report/sparse.h"

/* --- offsets -------------------------------------------------------------- */

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

/* moves counts to rows of that height from base on */
static int move(struct report_offsets *o, unsigned int shift, uint64_t base)
{
	uint32_t rows[REPORT_ROWS];
	const struct sparse_mapping m = { NULL, rows, REPORT_ROWS_BITS };
	int err = sparse_end(&o->cells);

	for (uint64_t row = 0; row < REPORT_ROWS; row++)
		rows[row] = (uint32_t)((o->base + (row << o->shift) - base) >>
				       shift);
	if (!err)
		err = sparse_map(&o->cells, &m);
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

/* --- cube ----------------------------------------------------------------- */

/* width of bins at first: all widths are powers of two */
enum { WIDTH = 4096 };

/* a power of two, of which limit are longer than length */
static uint64_t width_of(uint64_t length, uint64_t limit)
{
	uint64_t width = WIDTH;

	while (length / width >= limit)
		width *= 2;
	return width;
}

int report_cube_init(struct report_cube *c, uint64_t length)
{
	uint64_t width = width_of(length, REPORT_BINS);
	int err = 0;

	*c = (struct report_cube){ .scalars = { 0 } };
	for (unsigned int i = 0; !err && i < REPORT_SPANS; i++)
		err = sparse_init(&c->spans[i], width, REPORT_BINS);
	if (!err)
		err = scalars_init(&c->scalars, width, REPORT_BINS);
	if (!err)
		err = sparse_init(&c->sizes,
				  width_of(length, REPORT_SIZE_CELLS),
				  REPORT_SIZE_CELLS);
	return err;
}

void report_cube_free(struct report_cube *c)
{
	for (unsigned int i = 0; i < REPORT_SPANS; i++)
		sparse_free(&c->spans[i]);
	scalars_free(&c->scalars);
	sparse_free(&c->sizes);
	for (unsigned int i = 0; i < REPORT_DISKS; i++)
		report_offsets_free(&c->offsets[i]);
}

/* --- rows ----------------------------------------------------------------- */

static inline int add_span(struct report_cube *c, uint32_t stream,
			   const struct report_times *t, enum report_span span)
{
	return t->has[span] ? sparse_add(&c->spans[span], t->end,
					 stream << REPORT_BUCKET_BITS |
					 report_bucket(t->spans[span])) : 0;
}

static int add_offset(struct report_cube *c, const struct report_row *row,
		      uint32_t number, const struct report_disk *disk)
{
	struct report_offsets *o = &c->offsets[number];
	int err = 0;

	if (UNLIKELY(!o->begun))
		err = report_offsets_init(o, REPORT_BINS / REPORT_CELLS *
					  c->scalars.width, disk->lo,
					  disk->hi - 1);
	return err ? err : report_offsets_add(o, report_row_begin(row),
					      row->stream, row->sector);
}

static int add_size(struct report_cube *c, const struct report_row *row,
		    uint64_t end)
{
	uint32_t class = 31 - (uint32_t)__builtin_clz(row->blocks);

	return sparse_add(&c->sizes, end,
			  row->stream << REPORT_CLASS_BITS | class);
}

int report_cube_add(struct report_cube *c, const struct report_row *row,
		    const struct report_times *t, uint32_t number,
		    const struct report_disk *disk)
{
	int err = 0;

	if (row->blocks && disk->hi)
		err = add_offset(c, row, number, disk);
	if (!report_row_ended(row))
		return err;
	err |= add_span(c, row->stream, t, REPORT_Q2C);
	err |= add_span(c, row->stream, t, REPORT_D2C);
	err |= add_span(c, row->stream, t, REPORT_Q2D);
	err |= scalars_add(&c->scalars, row->stream, row, t);
	/* its time in the device, or of a device that makes no requests all of
	 * it */
	err |= scalars_add_busy(&c->scalars, row->stream, t->issued, t->end);
	if (row->blocks)
		err |= add_size(c, row, t->end);
	return err;
}

/* --- the end -------------------------------------------------------------- */

/* All devices have cells as wide as the one that has the widest, so that there
 * are enough up to the end, which may be long after the last I/O began. */
static int end_offsets(struct report_cube *c, uint64_t length)
{
	uint64_t width = 1;
	int err = 0;

	while (length / width >= REPORT_CELLS)
		width *= 2;
	for (unsigned int i = 0; !err && i < REPORT_DISKS; i++) {
		if (!c->offsets[i].begun)
			continue;
		err = sparse_end(&c->offsets[i].cells);
		if (width < c->offsets[i].cells.width)
			width = c->offsets[i].cells.width;
	}
	for (unsigned int i = 0; !err && i < REPORT_DISKS; i++)
		if (c->offsets[i].begun)
			err = sparse_widen(&c->offsets[i].cells, width /
					   c->offsets[i].cells.width);
	return err;
}

/* One that ran out of memory, or into a longer time, has wider bins. */
static int align(struct report_cube *c, uint64_t width)
{
	int err = scalars_widen(&c->scalars, width / c->scalars.width);

	for (unsigned int i = 0; !err && i < REPORT_SPANS; i++)
		err = sparse_widen(&c->spans[i], width / c->spans[i].width);
	return err;
}

int report_cube_end(struct report_cube *c, uint64_t length, uint64_t *width)
{
	int err = end_offsets(c, length);

	if (!err)
		err = sparse_end(&c->sizes);
	if (*width < c->scalars.width)
		*width = c->scalars.width;
	for (unsigned int i = 0; !err && i < REPORT_SPANS; i++) {
		err = sparse_end(&c->spans[i]);
		if (*width < c->spans[i].width)
			*width = c->spans[i].width;
	}
	return err ? err : align(c, *width);
}

static int map_keys(struct sparse *s, const uint32_t *map, unsigned int bits)
{
	const struct sparse_mapping m = { map, NULL, bits };

	return sparse_map(s, &m);
}

void report_cube_map(struct report_cube *c, const uint32_t *map)
{
	for (uint32_t i = 0; i < REPORT_STREAMS_ALL; i++) {
		uint32_t now = c->mapped ? c->map[i] : i;

		c->map[i] = now == REPORT_NO_STREAM ? now : map[now];
	}
	c->mapped = true;
}

int report_cube_settle(struct report_cube *c)
{
	int err = c->mapped ? scalars_map(&c->scalars, c->map) : 0;

	if (err || !c->mapped)
		return err;
	for (unsigned int i = 0; !err && i < REPORT_SPANS; i++)
		err = map_keys(&c->spans[i], c->map, REPORT_BUCKET_BITS);
	for (unsigned int i = 0; !err && i < REPORT_DISKS; i++)
		if (c->offsets[i].begun)
			err = map_keys(&c->offsets[i].cells, c->map,
				       REPORT_ROWS_BITS);
	c->mapped = false;
	return err ? err : map_keys(&c->sizes, c->map, REPORT_CLASS_BITS);
}

int report_cube_widen(struct report_cube *c, uint64_t times)
{
	return align(c, c->scalars.width * times);
}

int report_cube_flatten(struct report_cube *c, unsigned int wide,
			unsigned int high)
{
	int err = sparse_widen(&c->sizes, wide);

	for (unsigned int i = 0; !err && i < REPORT_DISKS; i++) {
		struct report_offsets *o = &c->offsets[i];

		if (!o->begun)
			continue;
		err = sparse_widen(&o->cells, wide);
		if (!err && high > 1)
			err = report_offsets_flatten(o, high);
	}
	return err;
}
