/* SPDX-License-Identifier: GPL-2.0-only */
/* The footer of a Parquet file; see footer.h. */
#include "emit/parquet/footer.h"

#include <endian.h>
#include <stdio.h>

#include "emit/parquet/chunk.h"
#include "emit/parquet/page.h"
#include "emit/row.h"

/* numbers of the format */
enum {
	INT32 = 1,
	INT64 = 2,
	BYTE_ARRAY = 6,
	REQUIRED = 0,
	OPTIONAL = 1,
	UTF8 = 0,
	UNPACKED = 0,
	GZIP = 2
};

static const int32_t types[COLUMN_TYPES] = {
	[COLUMN_TEXT] = BYTE_ARRAY,
	[COLUMN_INT32] = INT32,
	[COLUMN_INT64] = INT64,
};

/* --- statistics ---------------------------------------------------------- */

static void text_bounds(struct thrift *t, const struct dictionary_bounds *b)
{
	if (!b->known)
		return;
	thrift_binary(t, 5, b->high, b->high_len);
	thrift_binary(t, 6, b->low, b->low_len);
}

static void number_bounds(struct thrift *t, const struct delta *d)
{
	uint64_t low = htole64((uint64_t)d->low);
	uint64_t high = htole64((uint64_t)d->high);
	size_t len = d->narrow ? sizeof(int32_t) : sizeof(int64_t);

	if (d->low > d->high)
		return;
	thrift_binary(t, 5, &high, len);
	thrift_binary(t, 6, &low, len);
}

static void statistics(struct thrift *t, const struct chunk *c)
{
	thrift_struct(t, 12);
	thrift_i64(t, 3, c->nulls);
	if (c->texts)
		text_bounds(t, &c->texts->bounds);
	else
		number_bounds(t, &c->delta);
	thrift_stop(t);
}

/* --- groups -------------------------------------------------------------- */

void footer_group(struct footer *f)
{
	thrift_begin(&f->thrift, &f->groups);
	thrift_list(&f->thrift, 1, THRIFT_STRUCT, f->shape->count);
	f->plain = 0;
	f->stored = 0;
}

static void encodings(struct thrift *t, bool texts)
{
	thrift_list(t, 2, THRIFT_I32, texts ? 3 : 2);
	if (texts)
		thrift_i32(t, 0, PAGE_PLAIN);
	thrift_i32(t, 0, PAGE_RLE);
	thrift_i32(t, 0, texts ? PAGE_DICTIONARY : PAGE_DELTA);
}

void footer_chunk(struct footer *f, const struct chunk *c,
		  const struct footer_place *place)
{
	struct thrift *t = &f->thrift;
	size_t stored = place->dictionary + place->pages;

	thrift_struct(t, 0);
	thrift_i64(t, 2, (int64_t)place->at);
	thrift_struct(t, 3);
	thrift_i32(t, 1, types[c->column->type]);
	encodings(t, c->texts != NULL);
	thrift_list(t, 3, THRIFT_BINARY, 1);
	thrift_text(t, 0, c->column->name);
	thrift_i32(t, 4, f->packed && !c->bare ? GZIP : UNPACKED);
	thrift_i64(t, 5, c->rows);
	thrift_i64(t, 6, (int64_t)c->plain);
	thrift_i64(t, 7, (int64_t)stored);
	thrift_i64(t, 9, (int64_t)(place->at + place->dictionary));
	if (place->dictionary)
		thrift_i64(t, 11, (int64_t)place->at);
	statistics(t, c);
	thrift_stop(t);
	thrift_stop(t);
	f->plain += c->plain;
	f->stored += stored;
}

int footer_group_end(struct footer *f, uint64_t at, uint32_t rows)
{
	struct thrift *t = &f->thrift;

	thrift_i64(t, 2, (int64_t)f->plain);
	thrift_i64(t, 3, rows);
	thrift_i64(t, 5, (int64_t)at);
	thrift_i64(t, 6, (int64_t)f->stored);
	f->group_count++;
	f->rows += rows;
	return thrift_end(t);
}

/* --- footer --------------------------------------------------------------- */

/* logical types and orders are unions: structures with one field */
static void empty_choice(struct thrift *t, int field)
{
	thrift_struct(t, field);
	thrift_struct(t, 1);
	thrift_stop(t);
	thrift_stop(t);
}

static void column(struct thrift *t, const struct column *c)
{
	thrift_struct(t, 0);
	thrift_i32(t, 1, types[c->type]);
	thrift_i32(t, 3, c->may_be_null ? OPTIONAL : REQUIRED);
	thrift_text(t, 4, c->name);
	if (c->type == COLUMN_TEXT) {
		thrift_i32(t, 6, UTF8);
		empty_choice(t, 10);
	}
	thrift_stop(t);
}

/* A tree in one list: the root, then all columns. */
static void columns(struct thrift *t, const struct row_shape *shape)
{
	thrift_list(t, 2, THRIFT_STRUCT, shape->count + 1);
	thrift_struct(t, 0);
	thrift_text(t, 4, "schema");
	thrift_i32(t, 5, (int32_t)shape->count);
	thrift_stop(t);
	for (unsigned int i = 0; i < shape->count; i++)
		column(t, shape->columns[i]);
}

static void key_value(struct thrift *t, const char *key, const char *value)
{
	thrift_struct(t, 0);
	thrift_text(t, 1, key);
	thrift_text(t, 2, value);
	thrift_stop(t);
}

static void key_values(struct thrift *t, const struct footer *f)
{
	char schema[12];

	snprintf(schema, sizeof(schema), "%u", f->schema);
	thrift_list(t, 5, THRIFT_STRUCT, 2);
	key_value(t, "blktrace.table", f->shape->table);
	key_value(t, "blktrace.schema", schema);
}

int footer_make(struct footer *f, struct chain *to)
{
	struct thrift *t = &f->thrift;

	thrift_begin(t, to);
	thrift_i32(t, 1, 1);	/* version of the format */
	columns(t, f->shape);
	thrift_i64(t, 3, f->rows);
	thrift_list(t, 4, THRIFT_STRUCT, f->group_count);
	chain_join(to, &f->groups);
	key_values(t, f);
	thrift_text(t, 6, "blktrace");
	/* values are ordered by their types */
	thrift_list(t, 7, THRIFT_STRUCT, f->shape->count);
	for (unsigned int i = 0; i < f->shape->count; i++)
		empty_choice(t, 0);
	return thrift_end(t);
}
