/* SPDX-License-Identifier: GPL-2.0-only */
/* A report as columns; see blocks.h. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "report/blocks.h"
#include "report/columns.h"
#include "report/cube.h"
#include "report/report.h"

/* --- blocks --------------------------------------------------------------- */

void report_blocks_free(struct report_blocks *b)
{
	report_columns_free(b->columns);
	b->columns = NULL;
}

/* --- rows ----------------------------------------------------------------- */

enum field { TIME, STREAM, PID, Q2G, Q2I, Q2D, END, SECTOR, BLOCKS, FLAGS,
	     ERROR, FIELDS };

#define MEMBER(member) offsetof(struct report_row, member), \
		      sizeof(((struct report_row *)NULL)->member)

/* a member of a row; of 8 bytes if differences are put */
static const struct {
	const char *name, *encoding;
	size_t at, size;
} fields[FIELDS] = {
	[TIME] = { "t", "d", MEMBER(time) },
	[STREAM] = { "s", "u", MEMBER(stream) },
	[PID] = { "pid", "u", MEMBER(pid) },
	[Q2G] = { "q2g", "u", MEMBER(q2g) },
	[Q2I] = { "q2i", "u", MEMBER(q2i) },
	[Q2D] = { "q2d", "u", MEMBER(q2d) },
	[END] = { "end", "u", MEMBER(end) },
	[SECTOR] = { "sector", "dz", MEMBER(sector) },
	[BLOCKS] = { "blocks", "u", MEMBER(blocks) },
	[FLAGS] = { "flags", "u8", MEMBER(flags) },
	[ERROR] = { "error", "u", MEMBER(error) },
};

/* Times before the window are below 0, which differences can encode. */
static const char *field_encoding(const struct report_rows *rows,
				  enum field field)
{
	if (field == TIME && rows->count && (int64_t)rows->list[0].time < 0)
		return "dz";
	return fields[field].encoding;
}

/* Some at a time, so that there is no room for more than they need by far. */
static void put_field(struct report_columns *c, const char *encoding,
		      const struct report_rows *rows, enum field field)
{
	for (size_t i = 0; i < rows->count; i += NUMBERS_PUT) {
		const struct report_numbers n = {
			.first = (const uint8_t *)&rows->list[i] +
				 fields[field].at,
			.count = rows->count - i < NUMBERS_PUT ?
				 rows->count - i : NUMBERS_PUT,
			.each = sizeof(rows->list[0]),
			.size = fields[field].size,
		};

		report_columns_put(c, encoding, &n);
	}
}

static void put_rows(struct report_columns *c, const struct report_rows *rows)
{
	report_columns_block(c, "rows");
	for (unsigned int field = 0; field < FIELDS; field++) {
		const char *encoding = field_encoding(rows, field);

		report_columns_begin(c, fields[field].name, encoding);
		put_field(c, encoding, rows, field);
		report_columns_end(c);
	}
}

/* how long each of these is sure to have been open */
static void put_sure(struct report_columns *c, const struct report *r,
		     size_t count)
{
	report_columns_begin(c, "sure", "u");
	for (size_t i = 0; i < count; i++) {
		const struct report_row *row = &r->open_rows.list[i];

		report_columns_u(c, report_until(r, row) - row->time);
	}
	report_columns_end(c);
}

/* the row of that io, from low on, or the end: rows are by time, then number */
static size_t find_row(const struct report_rows *rows, size_t low,
		       const struct report_row *row)
{
	size_t high = rows->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct report_row *one = &rows->list[middle];

		if ((int64_t)one->time < (int64_t)row->time ||
		    (one->time == row->time && one->id < row->id))
			low = middle + 1;
		else
			high = middle;
	}
	return low < rows->count && rows->list[low].id == row->id ? low :
								rows->count;
}

/* Which rows are open: both lists are in order of time. */
static void put_open(struct report_columns *c, const struct report *r)
{
	const struct report_rows *open = &r->open_rows;
	size_t next = 0, at = 0;

	report_columns_begin(c, "open", "d");
	for (; next < open->count; next++) {
		at = find_row(&r->rows, at, &open->list[next]);
		if (at == r->rows.count)
			break;
		report_columns_d(c, at);
	}
	report_columns_end(c);
	put_sure(c, r, next);
}

/* Rows of excerpts, and the oldest that are open, which are in none. */
static void put_some_rows(struct report_columns *c, const struct report *r,
			  size_t most)
{
	const struct report_rows *rows = &r->excerpts.rows;
	const struct report_rows open = {
		.list = r->open_rows.list,
		.count = r->open_rows.count < most ? r->open_rows.count : most,
	};

	report_columns_block(c, "rows");
	for (unsigned int field = 0; field < FIELDS; field++) {
		const char *encoding = field == TIME ? "dz" :
						       fields[field].encoding;

		report_columns_begin(c, fields[field].name, encoding);
		put_field(c, encoding, rows, field);
		put_field(c, encoding, &open, field);
		report_columns_end(c);
	}
	report_columns_begin(c, "open", "d");
	for (size_t i = 0; i < open.count; i++)
		report_columns_d(c, rows->count + i);
	report_columns_end(c);
	put_sure(c, r, open.count);
}

/* --- counts of keys ------------------------------------------------------- */

/* from keys with room for more to those of the file */
struct packing {
	unsigned int bits;
	uint32_t first, each;	/* the first, and the number for each */
};

static uint32_t packed(const struct packing *p, uint32_t key)
{
	uint32_t low = key & ((UINT32_C(1) << p->bits) - 1);

	return (key >> p->bits) * p->each + low - p->first;
}

/* which numbers of a sparse's bins are put: keys, as differences, or counts */
enum part { KEY, COUNT };

static void put_part(struct report_columns *c, const struct sparse *s,
		     uint32_t bins, enum part part, const struct packing *p)
{
	uint64_t v[NUMBERS_PUT];
	size_t n = 0;

	for (uint32_t bin = 0; bin < bins; bin++) {
		struct sparse_walk w;
		uint32_t before = 0;

		sparse_walk(&w, s, bin);
		while (sparse_next(&w)) {
			uint32_t key = packed(p, w.entry.key);

			v[n++] = part == KEY ? key - before : w.entry.count;
			before = key;
			if (UNLIKELY(n == NUMBERS_PUT)) {
				report_columns_list(c, "u", v, n);
				n = 0;
			}
		}
	}
	report_columns_list(c, "u", v, n);
}

static void begin_part(struct report_columns *c, const char *name,
		       const char *part)
{
	char text[COLUMN_NAME_MAX];

	snprintf(text, sizeof(text), "%s.%s", name, part);
	report_columns_begin(c, text, "u");
}

static void put_sparse(struct report_columns *c, const char *name,
		       const struct sparse *s, uint32_t bins,
		       const struct packing *p)
{
	begin_part(c, name, "n");
	for (uint32_t bin = 0; bin < bins; bin++)
		report_columns_u(c, sparse_keys(s, bin));
	report_columns_end(c);
	begin_part(c, name, "k");
	put_part(c, s, bins, KEY, p);
	report_columns_end(c);
	begin_part(c, name, "c");
	put_part(c, s, bins, COUNT, p);
	report_columns_end(c);
}

/* --- spans ---------------------------------------------------------------- */

static void find_buckets(struct report_blocks *b, const struct report *r)
{
	uint32_t least = REPORT_BUCKETS, most = 0;
	struct sparse_walk w;

	for (unsigned int i = 0; i < REPORT_SPANS; i++)
		for (uint32_t bin = 0; bin < b->bins; bin++) {
			sparse_walk(&w, &r->cube.spans[i], bin);
			while (sparse_next(&w)) {
				uint32_t bucket = w.entry.key %
						  REPORT_BUCKETS;

				least = bucket < least ? bucket : least;
				most = bucket > most ? bucket : most;
			}
		}
	b->first = least < REPORT_BUCKETS ? least : 0;
	b->buckets = most - b->first + 1;
}

/* spans of rows */
struct ends {
	uint64_t least, most;
};

static inline void see(struct ends *e, uint64_t low, uint64_t high)
{
	if (low < e->least)
		e->least = low;
	if (high > e->most)
		e->most = high;
}

static void find_ends(struct ends *e, const struct report_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct report_row *row = &rows->list[i];
		unsigned int has = row->flags & (REPORT_HAS_Q | REPORT_HAS_D);
		uint64_t d2c = row->end - 1, q2d = row->q2d ? row->q2d - 1 : 0;

		if (!row->end)
			continue;
		if (LIKELY(has == (REPORT_HAS_Q | REPORT_HAS_D)))
			see(e, q2d < d2c ? q2d : d2c, q2d + d2c);
		else if (has & REPORT_HAS_Q)
			see(e, q2d + d2c, q2d + d2c);
		else if (has)
			see(e, d2c, d2c);
	}
}

/* the same of rows, of which the script makes its own bins */
static void find_buckets_of_rows(struct report_blocks *b,
				 const struct report_rows *rows)
{
	struct ends e = { UINT64_MAX, 0 };

	find_ends(&e, rows);
	b->first = e.least < UINT64_MAX ? report_bucket(e.least) : 0;
	b->buckets = report_bucket(e.most) - b->first + 1;
}

static void put_spans(struct report_columns *c, const struct report_blocks *b,
		      const struct report *r)
{
	static const char *const names[REPORT_SPANS] = { "q2c", "d2c", "q2d" };
	const struct packing p = { REPORT_BUCKET_BITS, b->first, b->buckets };

	for (unsigned int i = 0; i < REPORT_SPANS; i++) {
		report_columns_block(c, names[i]);
		put_sparse(c, names[i], &r->cube.spans[i], b->bins, &p);
	}
}

/* --- sums ----------------------------------------------------------------- */

enum { PHASES_AT = 2, SCALARS = 9 };

static uint64_t us(uint64_t ns)
{
	return (ns + 500) / 1000;
}

static uint64_t scalar_of(const struct scalar *s, unsigned int n)
{
	switch (n) {
	case 0: return s->ios;
	case 1: return s->blocks;
	case 6: return s->q2c;
	case 7: return s->d2c;
	case 8: return us(s->busy);
	default: return us(s->phases[n - PHASES_AT]);
	}
}

static void put_streams(struct report_columns *c, const struct scalars *s,
			uint32_t bins)
{
	report_columns_block(c, "scal");
	report_columns_begin(c, "scal.n", "u");
	for (uint32_t bin = 0; bin < bins; bin++)
		report_columns_u(c, s->bins[bin].count);
	report_columns_end(c);
	report_columns_begin(c, "scal.s", "u");
	for (uint32_t bin = 0; bin < bins; bin++) {
		c->last = 0;
		for (uint32_t i = 0; i < s->bins[bin].count; i++)
			report_columns_d(c, s->bins[bin].list[i].stream);
	}
	report_columns_end(c);
}

static void put_scalars(struct report_columns *c, const struct scalars *s,
			uint32_t bins)
{
	static const char *const names[SCALARS] = {
		"scal.ios", "scal.blocks", "scal.p0", "scal.p1", "scal.p2",
		"scal.p3", "scal.q2c", "scal.d2c", "scal.busy",
	};

	put_streams(c, s, bins);
	for (unsigned int n = 0; n < SCALARS; n++) {
		report_columns_begin(c, names[n], "u");
		for (uint32_t bin = 0; bin < bins; bin++)
			for (uint32_t i = 0; i < s->bins[bin].count; i++)
				report_columns_u(c, scalar_of(
					&s->bins[bin].list[i], n));
		report_columns_end(c);
	}
}

/* --- offsets, sizes, depth ------------------------------------------------ */

/* each device has its columns, by its place in the tree */
static void put_offsets(struct report_columns *c,
			const struct report_blocks *b, const struct report *r)
{
	const struct packing p = { REPORT_ROWS_BITS, 0, b->rows };

	report_columns_block(c, "offs");
	for (uint32_t i = 0; i < r->disks.there; i++) {
		const struct report_offsets *o =
			&r->cube.offsets[r->disks.order[i]];
		char name[COLUMN_NAME_MAX];

		snprintf(name, sizeof(name), "offs%u", i);
		if (o->begun)
			put_sparse(c, name, &o->cells, b->cells, &p);
	}
}

static void put_sizes(struct report_columns *c, const struct report *r)
{
	const struct packing p = { REPORT_CLASS_BITS, 0, REPORT_CLASSES };

	report_columns_block(c, "size");
	put_sparse(c, "size", &r->cube.sizes, REPORT_SIZE_CELLS, &p);
}

static uint64_t depth_of(const struct report_depth_bin *bin, uint64_t width,
			 unsigned int n)
{
	/* no time of it has passed */
	if (bin->min > bin->max)
		return 0;
	return n == 0 ? bin->min : n == 1 ? bin->max :
	       (16 * bin->integral + width / 2) / width;
}

static void put_depths(struct report_columns *c, const struct report_blocks *b,
		       const struct report *r)
{
	static const char *const names[] = { "min", "max", "mean" };

	report_columns_block(c, "depth");
	for (uint32_t i = 0; i < r->disks.there; i++) {
		const struct report_depth *d =
			&r->depths.of[REPORT_DEPTH_IOS][r->disks.order[i]];

		for (unsigned int n = 0; d->bins && n < 3; n++) {
			char name[COLUMN_NAME_MAX];

			snprintf(name, sizeof(name), "depth%u.%s", i,
				 names[n]);
			report_columns_begin(c, name, "u");
			for (uint32_t bin = 0; bin < b->bins; bin++)
				report_columns_u(c, depth_of(
					&d->bins[bin], r->width, n));
			report_columns_end(c);
		}
	}
}

static void put_lanes(struct report_columns *c, const struct report *r)
{
	unsigned int number = 0;

	report_columns_block(c, "lanes");
	for (unsigned int i = 0; i < REPORT_LANES; i++) {
		const struct report_lane *lane = &r->lanes.of[i];
		char name[COLUMN_NAME_MAX];

		if (!lane->count)
			continue;
		snprintf(name, sizeof(name), "lane%u.t", number);
		report_columns_begin(c, name, "d");
		for (size_t j = 0; j < lane->kept; j++)
			report_columns_d(c, lane->list[j].time);
		report_columns_end(c);
		snprintf(name, sizeof(name), "lane%u.d", number++);
		report_columns_begin(c, name, "u");
		for (size_t j = 0; j < lane->kept; j++)
			report_columns_u(c, lane->list[j].length);
		report_columns_end(c);
	}
}

/* --- how much of it ------------------------------------------------------- */

static const struct {
	uint32_t bins, streams;
	uint32_t cells, rows;	/* divisors of the maximum of each */
	uint32_t lanes;		/* of each at most */
	uint32_t open;		/* rows of these at most */
} rungs[] = {
	{ 4096, 24, 1, 1, REPORT_LANE_KEPT, 1024 },
	{ 2048, 14, 1, 1, REPORT_LANE_KEPT, 1024 },
	{ 2048, 10, 1, 2, REPORT_LANE_KEPT, 1024 },
	{ 1024, 8, 1, 2, REPORT_LANE_KEPT, 1024 },
	{ 1024, 8, 2, 2, REPORT_LANE_KEPT, 1024 },
	{ 512, 8, 2, 4, REPORT_LANE_KEPT, 1024 },
	/* for pages that must be small */
	{ 256, 6, 4, 8, 5000, 256 },
	{ 128, 4, 8, 16, 2000, 128 },
	{ 64, 3, 16, 32, 500, 64 },
	{ 32, 2, 32, 32, 100, 32 },
};

enum { RUNGS = sizeof(rungs) / sizeof(rungs[0]) };

/* with fewer rows, it pays to try first whether all fit */
enum { MANY = 65536, SAMPLE = 16 };

/*
 * Whether rows may fit: a sixteenth of them, from the middle, takes no more
 * than its share, and a twentieth.
 */
static int try_sample(const struct report_rows *rows, size_t budget, bool *fits)
{
	const struct report_rows some = {
		.list = rows->list + rows->count / 2,
		.count = rows->count / SAMPLE,
	};
	struct report_columns *c;
	int err;

	*fits = true;
	if (rows->count < MANY)
		return 0;
	err = report_columns_new(&c);
	if (err)
		return err;
	put_rows(c, &some);
	err = report_columns_pack(c);
	*fits = c->text * SAMPLE / 20 * 19 <= budget;
	report_columns_free(c);
	return err;
}

static int make_exact(struct report_blocks *b, const struct report *r)
{
	int err = report_columns_new(&b->columns);

	if (err)
		return err;
	b->exact = true;
	find_buckets_of_rows(b, &r->rows);
	put_rows(b->columns, &r->rows);
	put_open(b->columns, r);
	put_lanes(b->columns, r);
	return report_columns_pack(b->columns);
}

static int make_binned(struct report_blocks *b, const struct report *r)
{
	int err = report_columns_new(&b->columns);

	if (err)
		return err;
	b->exact = false;
	b->bins = (uint32_t)(r->length / r->width) + 1;
	find_buckets(b, r);
	put_some_rows(b->columns, r, b->open);
	put_spans(b->columns, b, r);
	put_scalars(b->columns, &r->cube.scalars, b->bins);
	put_offsets(b->columns, b, r);
	put_sizes(b->columns, r);
	put_depths(b->columns, b, r);
	put_lanes(b->columns, r);
	return report_columns_pack(b->columns);
}

static uint64_t cell_width(const struct report *r)
{
	for (uint32_t i = 0; i < REPORT_DISKS; i++)
		if (r->cube.offsets[i].begun)
			return r->cube.offsets[i].cells.width;
	return r->width;
}

/* r loses what that rung has no room for; the ones above it have been tried */
static int step_down(struct report_blocks *b, struct report *r, unsigned int n)
{
	uint32_t wide = n ? rungs[n].cells / rungs[n - 1].cells : 1;
	uint32_t high = n ? rungs[n].rows / rungs[n - 1].rows : 1;
	int err = report_widen(r, rungs[n].bins);

	if (!err)
		err = report_fold(r, rungs[n].streams);
	if (!err)
		err = report_cube_flatten(&r->cube, wide, high);
	if (!err)
		err = report_cube_settle(&r->cube);
	report_lanes_thin(&r->lanes, rungs[n].lanes);
	b->open = rungs[n].open;
	b->width = cell_width(r);
	b->cells = (uint32_t)(r->length / b->width) + 1;
	/* boundaries of a former row may have moved by half a row */
	b->rows = REPORT_ROWS / rungs[n].rows + (rungs[n].rows > 1);
	return err;
}

bool report_blocks_least(const struct report_blocks *b)
{
	return b->rung == RUNGS;
}

/* from b->rung on, which is then the next one */
static int make_rungs(struct report_blocks *b, struct report *r, size_t budget)
{
	int err = 0;

	while (!err && b->rung < RUNGS) {
		report_blocks_free(b);
		err = step_down(b, r, b->rung++);
		if (!err)
			err = make_binned(b, r);
		if (!err && b->columns->text <= budget)
			break;
	}
	return err;
}

/* *made: all rows fit */
static int try_exact(struct report_blocks *b, const struct report *r,
		     size_t budget, bool *made)
{
	int err = try_sample(&r->rows, budget, made);

	if (err || !*made)
		return err;
	err = make_exact(b, r);
	*made = !err && b->columns->text <= budget;
	return err;
}

int report_blocks_make(struct report_blocks *b, struct report *r,
		       size_t budget)
{
	bool made = false;
	int err = 0;

	*b = (struct report_blocks){ .columns = NULL };
	if (r->kept)
		err = try_exact(b, r, budget, &made);
	return err || made ? err : report_blocks_less(b, r, budget);
}

int report_blocks_less(struct report_blocks *b, struct report *r,
		       size_t budget)
{
	int err = 0;

	if (!b->rung && r->kept)
		err = report_bin(r);
	return err ? err : make_rungs(b, r, budget);
}
