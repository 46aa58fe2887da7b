/* SPDX-License-Identifier: GPL-2.0-only */
/* A report as columns; see blocks.h. */
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/varint.h"
#include "report/blocks.h"
#include "report/cube.h"
#include "report/report.h"

/* --- columns -------------------------------------------------------------- */

enum {
	LEVEL = 6, WINDOW = 15, MEMORY = 8,	/* the library's usual ones */
	FIRST_BYTES = 4096, LINE = 3 * 1024,
	CHUNK = 256,		/* numbers of a column that are put at a time */
};

static int report_columns_new(struct report_columns **c)
{
	*c = calloc(1, sizeof(**c));
	return *c ? 0 : -ENOMEM;
}

static void report_columns_free(struct report_columns *c)
{
	for (uint32_t i = 0; c && i < c->block_count; i++)
		free(c->blocks[i].bytes);
	free(c);
}

static void columns_block(struct report_columns *c, const char *name)
{
	c->blocks[c->block_count++] = (struct report_block){ .name = name };
}

static void columns_begin(struct report_columns *c, const char *name,
			  const char *encoding)
{
	struct report_column *column = &c->list[c->count++];

	c->last = 0;
	*column = (struct report_column){
		.block = c->block_count - 1, .encoding = encoding,
		.offset = c->blocks[c->block_count - 1].len,
	};
	snprintf(column->name, sizeof(column->name), "%s", name);
}

static void columns_end(struct report_columns *c)
{
	struct report_column *column = &c->list[c->count - 1];

	column->bytes = c->blocks[column->block].len - column->offset;
}

/* there is room for that many numbers more: where the next one goes, or NULL */
static uint8_t *columns_room(struct report_columns *c, size_t numbers)
{
	struct report_block *b = &c->blocks[c->block_count - 1];
	size_t needed = b->len + numbers * VARINT_BYTES;
	size_t size = b->size ? b->size : FIRST_BYTES;
	uint8_t *bytes;

	while (size < needed)
		size *= 2;
	if (size == b->size)
		return b->bytes + b->len;
	bytes = realloc(b->bytes, size);
	if (!bytes) {
		c->error = -ENOMEM;
		return NULL;
	}
	b->bytes = bytes;
	b->size = size;
	return bytes + b->len;
}

/* numbers of the column, up to end */
static void columns_commit(struct report_columns *c, const uint8_t *end,
			   size_t numbers)
{
	struct report_block *b = &c->blocks[c->block_count - 1];

	b->len = (size_t)(end - b->bytes);
	c->list[c->count - 1].count += numbers;
}

/* --- packing -------------------------------------------------------------- */

static size_t base64_size(size_t len)
{
	return (len + 2) / 3 * 4;
}

/* all of a block, to room for as much as there can be: the caller's to free */
static uint8_t *deflate_all(z_stream *z, const struct report_block *b)
{
	uLong most = deflateBound(z, b->len);
	uint8_t *to = malloc(most);

	z->next_in = b->bytes;
	z->avail_in = (uInt)b->len;
	z->next_out = to;
	z->avail_out = (uInt)most;
	if (to && deflate(z, Z_FINISH) == Z_STREAM_END)
		return to;
	free(to);
	return NULL;
}

/*
 * Without looking for what came before but the last byte: numbers of a trace
 * repeat themselves in no other way, and this takes a fifth of the
 * instructions.
 */
static int pack(struct report_block *b)
{
	z_stream z = { .opaque = NULL };
	uint8_t *packed = NULL, *fit;

	/* the library has 32 bits for a length; no page is as large */
	if (b->len > INT32_MAX ||
	    deflateInit2(&z, LEVEL, Z_DEFLATED, WINDOW, MEMORY,
			 Z_RLE) != Z_OK)
		return -ENOMEM;
	packed = deflate_all(&z, b);
	if (packed) {
		fit = realloc(packed, z.total_out);
		free(b->bytes);
		b->bytes = fit ? fit : packed;
		b->len = b->size = z.total_out;
	}
	deflateEnd(&z);
	return packed ? 0 : -ENOMEM;
}

static int columns_pack(struct report_columns *c)
{
	c->text = 0;
	for (uint32_t i = 0; !c->error && i < c->block_count; i++) {
		c->error = pack(&c->blocks[i]);
		c->text += base64_size(c->blocks[i].len);
	}
	return c->error;
}

/* --- text ----------------------------------------------------------------- */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			      "abcdefghijklmnopqrstuvwxyz0123456789+/";

/* two letters for each twelve bits */
struct pairs {
	char of[1 << 12][2];
};

static void make_pairs(struct pairs *pairs)
{
	for (unsigned int i = 0; i < 1 << 12; i++) {
		pairs->of[i][0] = letters[i >> 6];
		pairs->of[i][1] = letters[i & 63];
	}
}

static inline char *put_pair(char *p, const struct pairs *pairs, uint64_t bits)
{
	memcpy(p, pairs->of[bits & 0xfff], 2);
	return p + 2;
}

/* six bytes of the eight that there are */
static inline char *put_six(char *p, const struct pairs *pairs,
			    const uint8_t *from)
{
	uint64_t bits;

	memcpy(&bits, from, sizeof(bits));
	bits = be64toh(bits);
	p = put_pair(p, pairs, bits >> 52);
	p = put_pair(p, pairs, bits >> 40);
	p = put_pair(p, pairs, bits >> 28);
	return put_pair(p, pairs, bits >> 16);
}

/* three bytes, or at the end one or two, with = for the others */
static char *put_three(char *p, const struct pairs *pairs, const uint8_t *from,
		       size_t len)
{
	uint32_t bits = (uint32_t)from[0] << 16;

	if (len > 1)
		bits |= (uint32_t)from[1] << 8;
	if (len > 2)
		bits |= from[2];
	p = put_pair(put_pair(p, pairs, bits >> 12), pairs, bits);
	memset(p - (3 - len), '=', 3 - len);
	return p;
}

void report_blocks_write(const struct report_blocks *b, uint32_t block,
			 struct buf *to)
{
	const struct report_block *from = &b->columns->blocks[block];
	struct pairs pairs;

	make_pairs(&pairs);
	for (size_t at = 0; at < from->len;) {
		size_t end = from->len - at > LINE ? at + LINE : from->len;
		char *p = buf_room(to, base64_size(LINE));

		if (!p)
			return;
		for (; at + 8 <= end; at += 6)
			p = put_six(p, &pairs, from->bytes + at);
		for (; at < end; at += 3)
			p = put_three(p, &pairs, from->bytes + at,
				      end - at < 3 ? end - at : 3);
		buf_commit(to, p);
	}
}

/* --- numbers -------------------------------------------------------------- */

/* Most take a byte or two. */
static inline uint8_t *put_number(uint8_t *p, uint64_t v)
{
	if (v < 0x80) {
		*p = (uint8_t)v;
		return p + 1;
	}
	if (v < 0x4000) {
		p[0] = (uint8_t)(v | 0x80);
		p[1] = (uint8_t)(v >> 7);
		return p + 2;
	}
	return varint_put(p, v);
}

/* numbers in memory: members of structs, say */
struct numbers {
	const void *first;
	size_t count;
	size_t each;		/* bytes from one to the next */
	size_t size;		/* of one: 8, 4, 2, or 1 */
};

static INLINED uint64_t number_at(const uint8_t *p, size_t size)
{
	uint64_t v8;
	uint32_t v4;
	uint16_t v2;

	switch (size) {
	case 8: memcpy(&v8, p, 8); return v8;
	case 4: memcpy(&v4, p, 4); return v4;
	case 2: memcpy(&v2, p, 2); return v2;
	default: return *p;
	}
}

/* encodings, which change by the first letters of their names */
enum { PLAIN, STEP, ZIGZAG, BYTE };

static int encoding_of(const char *name)
{
	if (name[0] == 'd')
		return name[1] ? ZIGZAG : STEP;
	return name[1] ? BYTE : PLAIN;
}

/* Compilers make a loop for each size and encoding that is constant. */
static INLINED uint8_t *put_each(uint8_t *p, const struct numbers *n,
				 size_t size, int encoding, uint64_t *last)
{
	const uint8_t *from = n->first, *end = from + n->count * n->each;
	uint64_t before = *last;

	for (; from < end; from += n->each) {
		uint64_t v = number_at(from, size);

		if (encoding == BYTE)
			*p++ = (uint8_t)v;
		else if (encoding == PLAIN)
			p = put_number(p, v);
		else if (encoding == STEP)
			p = put_number(p, v - before);
		else
			p = put_number(p, varint_zigzag((int64_t)(v - before)));
		before = v;
	}
	*last = before;
	return p;
}

static uint8_t *put_plain(uint8_t *p, const struct numbers *n, uint64_t *last)
{
	switch (n->size) {
	case 8: return put_each(p, n, 8, PLAIN, last);
	case 4: return put_each(p, n, 4, PLAIN, last);
	default: return put_each(p, n, n->size, PLAIN, last);
	}
}

/* The next numbers of a column: as themselves (u, or u8 as bytes), as
 * differences to the ones before and not below them (d), or as any differences
 * (dz). */
static void columns_put(struct report_columns *c, const char *encoding,
			const struct numbers *n)
{
	uint8_t *p = columns_room(c, n->count);

	if (!p)
		return;
	switch (encoding_of(encoding)) {
	case PLAIN:
		p = put_plain(p, n, &c->last);
		break;
	case BYTE:
		p = put_each(p, n, n->size, BYTE, &c->last);
		break;
	case STEP:
		p = put_each(p, n, 8, STEP, &c->last);
		break;
	default:
		p = put_each(p, n, 8, ZIGZAG, &c->last);
	}
	columns_commit(c, p, n->count);
}

static void columns_list(struct report_columns *c, const char *encoding,
			 const uint64_t *list, size_t count)
{
	const struct numbers n = { list, count, sizeof(*list), sizeof(*list) };

	columns_put(c, encoding, &n);
}

static void columns_u(struct report_columns *c, uint64_t v)
{
	columns_list(c, "u", &v, 1);
}

static void columns_d(struct report_columns *c, uint64_t v)
{
	columns_list(c, "d", &v, 1);
}

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
	for (size_t i = 0; i < rows->count; i += CHUNK) {
		const struct numbers n = {
			.first = (const uint8_t *)&rows->list[i] +
				 fields[field].at,
			.count = rows->count - i < CHUNK ? rows->count - i :
							   CHUNK,
			.each = sizeof(rows->list[0]),
			.size = fields[field].size,
		};

		columns_put(c, encoding, &n);
	}
}

static void put_rows(struct report_columns *c, const struct report_rows *rows)
{
	columns_block(c, "rows");
	for (unsigned int field = 0; field < FIELDS; field++) {
		const char *encoding = field_encoding(rows, field);

		columns_begin(c, fields[field].name, encoding);
		put_field(c, encoding, rows, field);
		columns_end(c);
	}
}

/* how long each of these is sure to have been open */
static void put_sure(struct report_columns *c, const struct report *r,
		     size_t count)
{
	columns_begin(c, "sure", "u");
	for (size_t i = 0; i < count; i++) {
		const struct report_row *row = &r->open_rows.list[i];

		columns_u(c, report_until(r, row) - row->time);
	}
	columns_end(c);
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

	columns_begin(c, "open", "d");
	for (; next < open->count; next++) {
		at = find_row(&r->rows, at, &open->list[next]);
		if (at == r->rows.count)
			break;
		columns_d(c, at);
	}
	columns_end(c);
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

	columns_block(c, "rows");
	for (unsigned int field = 0; field < FIELDS; field++) {
		const char *encoding = field == TIME ? "dz" :
						       fields[field].encoding;

		columns_begin(c, fields[field].name, encoding);
		put_field(c, encoding, rows, field);
		put_field(c, encoding, &open, field);
		columns_end(c);
	}
	columns_begin(c, "open", "d");
	for (size_t i = 0; i < open.count; i++)
		columns_d(c, rows->count + i);
	columns_end(c);
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
	uint64_t v[CHUNK];
	size_t n = 0;

	for (uint32_t bin = 0; bin < bins; bin++) {
		struct sparse_walk w;
		uint32_t before = 0;

		sparse_walk(&w, s, bin);
		while (sparse_next(&w)) {
			uint32_t key = packed(p, w.entry.key);

			v[n++] = part == KEY ? key - before : w.entry.count;
			before = key;
			if (UNLIKELY(n == CHUNK)) {
				columns_list(c, "u", v, n);
				n = 0;
			}
		}
	}
	columns_list(c, "u", v, n);
}

static void begin_part(struct report_columns *c, const char *name,
		       const char *part)
{
	char text[COLUMN_NAME_MAX];

	snprintf(text, sizeof(text), "%s.%s", name, part);
	columns_begin(c, text, "u");
}

static void put_sparse(struct report_columns *c, const char *name,
		       const struct sparse *s, uint32_t bins,
		       const struct packing *p)
{
	begin_part(c, name, "n");
	for (uint32_t bin = 0; bin < bins; bin++)
		columns_u(c, sparse_keys(s, bin));
	columns_end(c);
	begin_part(c, name, "k");
	put_part(c, s, bins, KEY, p);
	columns_end(c);
	begin_part(c, name, "c");
	put_part(c, s, bins, COUNT, p);
	columns_end(c);
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
		columns_block(c, names[i]);
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
	columns_block(c, "scal");
	columns_begin(c, "scal.n", "u");
	for (uint32_t bin = 0; bin < bins; bin++)
		columns_u(c, s->bins[bin].count);
	columns_end(c);
	columns_begin(c, "scal.s", "u");
	for (uint32_t bin = 0; bin < bins; bin++) {
		c->last = 0;
		for (uint32_t i = 0; i < s->bins[bin].count; i++)
			columns_d(c, s->bins[bin].list[i].stream);
	}
	columns_end(c);
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
		columns_begin(c, names[n], "u");
		for (uint32_t bin = 0; bin < bins; bin++)
			for (uint32_t i = 0; i < s->bins[bin].count; i++)
				columns_u(c, scalar_of(&s->bins[bin].list[i],
						       n));
		columns_end(c);
	}
}

/* --- offsets, sizes, depth ------------------------------------------------ */

/* each device has its columns, by its place in the tree */
static void put_offsets(struct report_columns *c,
			const struct report_blocks *b, const struct report *r)
{
	const struct packing p = { REPORT_ROWS_BITS, 0, b->rows };

	columns_block(c, "offs");
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

	columns_block(c, "size");
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

	columns_block(c, "depth");
	for (uint32_t i = 0; i < r->disks.there; i++) {
		const struct report_depth *d =
			&r->depths.of[REPORT_DEPTH_IOS][r->disks.order[i]];

		for (unsigned int n = 0; d->bins && n < 3; n++) {
			char name[COLUMN_NAME_MAX];

			snprintf(name, sizeof(name), "depth%u.%s", i,
				 names[n]);
			columns_begin(c, name, "u");
			for (uint32_t bin = 0; bin < b->bins; bin++)
				columns_u(c, depth_of(&d->bins[bin],
						      r->width, n));
			columns_end(c);
		}
	}
}

static void put_lanes(struct report_columns *c, const struct report *r)
{
	unsigned int number = 0;

	columns_block(c, "lanes");
	for (unsigned int i = 0; i < REPORT_LANES; i++) {
		const struct report_lane *lane = &r->lanes.of[i];
		char name[COLUMN_NAME_MAX];

		if (!lane->count)
			continue;
		snprintf(name, sizeof(name), "lane%u.t", number);
		columns_begin(c, name, "d");
		for (size_t j = 0; j < lane->kept; j++)
			columns_d(c, lane->list[j].time);
		columns_end(c);
		snprintf(name, sizeof(name), "lane%u.d", number++);
		columns_begin(c, name, "u");
		for (size_t j = 0; j < lane->kept; j++)
			columns_u(c, lane->list[j].length);
		columns_end(c);
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
	err = columns_pack(c);
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
	return columns_pack(b->columns);
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
	return columns_pack(b->columns);
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
