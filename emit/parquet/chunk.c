/* SPDX-License-Identifier: GPL-2.0-only */
/* A column of a row group; see chunk.h. */
#include "emit/parquet/chunk.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>

#include "emit/parquet/hybrid.h"
#include "emit/row.h"

enum {
	GAIN = 4,		/* a part of the bytes: packing must save more */
	BARE_GROUPS = 16	/* then a group is packed again, to see */
};

int chunk_init(struct chunk *c, const struct column *column,
	       struct chain_pool *pool)
{
	*c = (struct chunk){
		.column = column, .pages = { .pool = pool },
		.body = { .pool = pool }
	};
	delta_init(&c->delta, column->type == COLUMN_INT32, pool);
	if (column->type != COLUMN_TEXT)
		return 0;
	c->texts = malloc(sizeof(*c->texts));
	if (!c->texts)
		return -ENOMEM;
	c->texts->count = 0;
	dictionary_init(&c->texts->dictionary, pool);
	return 0;
}

void chunk_free(struct chunk *c)
{
	page_drop(&c->parcel);
	chain_clear(&c->pages);
	chain_clear(&c->body);
	delta_free(&c->delta);
	if (c->texts)
		dictionary_free(&c->texts->dictionary);
	free(c->texts);
}

/* --- rows ---------------------------------------------------------------- */

/* Reverses the order of bits. */
static uint64_t reverse(uint64_t v)
{
	v = (v >> 1 & 0x5555555555555555u) | (v & 0x5555555555555555u) << 1;
	v = (v >> 2 & 0x3333333333333333u) | (v & 0x3333333333333333u) << 2;
	v = (v >> 4 & 0x0f0f0f0f0f0f0f0fu) | (v & 0x0f0f0f0f0f0f0f0fu) << 4;
	return __builtin_bswap64(v);
}

/*
 * Stores the values that are not null.  Returns a bit per row, 1 for null, the
 * last row in the lowest.  To avoid branches, the next value overwrites a null.
 */
static uint64_t take(const struct cell *cells, unsigned int stride,
		     unsigned int rows, int64_t *to)
{
	uint64_t nulls = 0;

#pragma GCC unroll 8
	for (unsigned int i = 0; i < rows; i++) {
		uint64_t null = cells->null;

		*to = cells->number;
		to += 1 - null;
		nulls = 2 * nulls + null;
		cells += stride;
	}
	return nulls;
}

static void take_all(const struct cell *cells, unsigned int stride,
		     unsigned int rows, int64_t *to)
{
#pragma GCC unroll 8
	for (unsigned int i = 0; i < rows; i++) {
		to[i] = cells->number;
		cells += stride;
	}
}

static uint64_t take_nulls(const struct cell *cells, unsigned int stride,
			   unsigned int rows)
{
	uint64_t nulls = 0;

#pragma GCC unroll 8
	for (unsigned int i = 0; i < rows; i++) {
		nulls = 2 * nulls + cells->null;
		cells += stride;
	}
	return nulls;
}

/* For hybrid_bits(): the first row in the lowest bit, 1 is present. */
static uint64_t present(uint64_t nulls, unsigned int rows)
{
	unsigned int rest = CHUNK_BATCH - rows;
	uint64_t bits = reverse(~nulls << rest);

	/* repeats the last row */
	return (uint64_t)((int64_t)(bits << rest) >> rest);
}

int chunk_take(struct chunk *c, const struct cell *cells, unsigned int stride,
	       unsigned int rows)
{
	int64_t *to = delta_room(&c->delta);
	unsigned int count = rows;

	if (!rows)
		return 0;
	if (c->column->may_be_null) {
		uint64_t nulls = c->texts ? take_nulls(cells, stride, rows) :
			take(cells, stride, rows, to);

		c->present[c->page_rows / CHUNK_BATCH] = present(nulls, rows);
		count -= (unsigned int)__builtin_popcountll(nulls);
	} else if (!c->texts) {
		take_all(cells, stride, rows, to);
	}
	c->page_rows += rows;
	c->nulls += rows - count;
	return c->texts ? 0 : delta_added(&c->delta, count);
}

/* --- pages --------------------------------------------------------------- */

/* The present bits, after their length in bytes. */
static int add_present(struct chunk *c)
{
	uint8_t *head = chain_room(&c->body, sizeof(uint32_t));
	uint32_t len;
	int err;

	if (!head)
		return -ENOMEM;
	chain_commit(&c->body, head + sizeof(len));
	err = hybrid_bits(&c->body, c->present, c->page_rows);
	len = htole32((uint32_t)(c->body.len - sizeof(len)));
	memcpy(head, &len, sizeof(len));
	return err;
}

/* Some readers do not accept numbers of 0 bits. */
static unsigned int number_width(const struct dictionary *d)
{
	return d->count > 2 ? bits_width(d->count - 1) : 1;
}

static int add_texts(struct chunk_texts *t, struct chain *to)
{
	unsigned int width = number_width(&t->dictionary);
	uint8_t *p = chain_room(to, 1);
	uint32_t count = t->count;

	if (!p)
		return -ENOMEM;
	*p++ = (uint8_t)width;
	chain_commit(to, p);
	t->count = 0;
	return hybrid_numbers(to, t->numbers, count, width);
}

int chunk_page(struct chunk *c, struct page_maker *m)
{
	const struct page page = {
		.bare = c->bare, .values = c->page_rows,
		.encoding = c->texts ? PAGE_DICTIONARY : PAGE_DELTA
	};
	int err = c->column->may_be_null ? add_present(c) : 0;

	if (!err)
		err = c->texts ? add_texts(c->texts, &c->body) :
			delta_page(&c->delta, &c->body);
	if (!err)
		err = page_start(m, &c->parcel, &page, &c->body, &c->pages,
				 &c->plain);
	c->rows += c->page_rows;
	c->page_rows = 0;
	return err;
}

int chunk_settle(struct chunk *c)
{
	return page_finish(&c->parcel, &c->pages, &c->plain);
}

int chunk_dictionary(struct chunk *c, struct page_maker *m, struct chain *to)
{
	const struct page page = {
		.dictionary = true, .bare = c->bare,
		.values = c->texts->dictionary.count, .encoding = PAGE_PLAIN
	};

	dictionary_bounds(&c->texts->dictionary, &c->texts->bounds);
	chain_join(&c->body, &c->texts->dictionary.plain);
	return page_make(m, &page, &c->body, to, &c->plain);
}

/* What is true of a page or less may be chance. */
void chunk_judge(struct chunk *c, size_t stored)
{
	c->bare_groups = c->bare ? c->bare_groups + 1 : 0;
	if (c->bare)
		c->bare = c->bare_groups < BARE_GROUPS;
	else if (c->rows > CHUNK_PAGE)
		c->bare = stored > c->plain - c->plain / GAIN;
}

void chunk_clear(struct chunk *c)
{
	chain_clear(&c->pages);
	delta_forget(&c->delta);
	if (c->texts)
		dictionary_clear(&c->texts->dictionary);
	c->plain = 0;
	c->rows = 0;
	c->nulls = 0;
}
