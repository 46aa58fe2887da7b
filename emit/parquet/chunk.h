/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A column of a row group: values come in batches, leave as encoded pages.
 *
 * Texts are numbers of a dictionary, which grows with the group: each page's
 * numbers are as wide as the dictionary needs by then.
 */
#ifndef EMIT_PARQUET_CHUNK_H
#define EMIT_PARQUET_CHUNK_H

#include <stdint.h>

#include "emit/parquet/chain.h"
#include "emit/parquet/delta.h"
#include "emit/parquet/dictionary.h"
#include "emit/parquet/page.h"

struct cell;			/* emit/row.h */
struct column;

enum {
	CHUNK_BATCH = DELTA_BATCH,	/* rows: a word of bits */
	CHUNK_PAGE = 8192	/* rows of a page */
};

/* texts of a column */
struct chunk_texts {
	struct dictionary dictionary;
	struct dictionary_bounds bounds;	/* by chunk_dictionary() */
	uint32_t count;		/* numbers in the page */
	uint32_t numbers[CHUNK_PAGE];
};

struct chunk {
	const struct column *column;
	struct chunk_texts *texts;	/* NULL: numbers */
	struct delta delta;	/* of numbers */
	struct chain pages;	/* of the group */
	struct chain body;	/* a page in the making */
	struct parcel parcel;	/* the one before it, if it is not in pages */
	uint64_t plain;		/* bytes of all pages if they were not packed */
	uint32_t rows, page_rows;	/* of the group, and of the page */
	uint32_t nulls;		/* in the group's pages */
	uint64_t present[CHUNK_PAGE / CHUNK_BATCH];	/* a bit per row of the
							 * page */
};

/* a group without rows; column stays.  0, or -ENOMEM: nothing to be freed */
int chunk_init(struct chunk *c, const struct column *column,
	       struct chain_pool *pool);

void chunk_free(struct chunk *c);

/* the next text of a column of texts, before its row is taken; 0, or -ENOMEM */
static inline int chunk_text(struct chunk_texts *t, const char *text,
			     uint32_t len)
{
	return dictionary_number(&t->dictionary, text, len,
				 &t->numbers[t->count++]);
}

/*
 * Cells of up to CHUNK_BATCH rows: less only before chunk_page().  Those of
 * one column are stride cells apart; of texts it only counts which are null.
 * 0, or -ENOMEM.
 */
int chunk_take(struct chunk *c, const struct cell *cells, unsigned int stride,
	       unsigned int rows);

/* ends the page, of at least a row, after chunk_settle(); 0, or -ENOMEM */
int chunk_page(struct chunk *c, struct page_maker *m);

/* All pages that have ended are there: before the next one, the dictionary, or
 * use of pages and plain.  0, or -ENOMEM. */
int chunk_settle(struct chunk *c);

/*
 * Of a text column, when all pages are ended: the page of its dictionary, of
 * which nothing else is left than the bounds.  0, or -ENOMEM.
 */
int chunk_dictionary(struct chunk *c, struct page_maker *m, struct chain *to);

/* the next group */
void chunk_clear(struct chunk *c);

#endif
