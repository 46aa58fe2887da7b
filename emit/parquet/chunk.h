/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A column of a row group: takes values in batches, and encodes pages.
 *
 * Texts are numbers of a dictionary, which grows with the group.  Each page's
 * numbers have the width that the dictionary needs by then.
 *
 * Times to the nanosecond are as good as random, and packing them is most of the
 * work.  So a column that was hardly smaller packed is bare in the next groups.
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
	struct chain body;	/* of the current page */
	struct parcel parcel;	/* the page before it, if not yet in pages */
	uint64_t plain;		/* bytes of all pages before packing */
	uint32_t rows, page_rows;	/* of the group, and of the page */
	uint32_t nulls;		/* in the group's pages */
	bool bare;		/* the group's pages are not packed */
	uint32_t bare_groups;	/* since one was packed */
	uint64_t present[CHUNK_PAGE / CHUNK_BATCH];	/* a bit per row of the
							 * page */
};

/* an empty group; column must outlive it.  0, or -ENOMEM: nothing to free */
int chunk_init(struct chunk *c, const struct column *column,
	       struct chain_pool *pool);

void chunk_free(struct chunk *c);

/* adds a text, before chunk_take() of its row; 0 or -ENOMEM */
static inline int chunk_text(struct chunk_texts *t, const char *text,
			     uint32_t len)
{
	return dictionary_number(&t->dictionary, text, len,
				 &t->numbers[t->count++]);
}

/*
 * Takes the cells of CHUNK_BATCH rows, or fewer before chunk_page(); they are
 * stride cells apart.  Of texts it only takes which are null.  0 or -ENOMEM.
 */
int chunk_take(struct chunk *c, const struct cell *cells, unsigned int stride,
	       unsigned int rows);

/* ends a page of at least one row, after chunk_settle(); 0 or -ENOMEM */
int chunk_page(struct chunk *c, struct page_maker *m);

/* waits for the last page: before the next one, the dictionary, or use of pages
 * and plain; 0 or -ENOMEM */
int chunk_settle(struct chunk *c);

/*
 * After the last page of texts: appends the dictionary's page, and empties the
 * dictionary but for its bounds.  0 or -ENOMEM.
 */
int chunk_dictionary(struct chunk *c, struct page_maker *m, struct chain *to);

/* whether the next group's pages are packed, by the bytes stored of this one's */
void chunk_judge(struct chunk *c, size_t stored);

/* starts the next group */
void chunk_clear(struct chunk *c);

#endif
