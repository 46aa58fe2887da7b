/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of a column of a row group, page by page, from a file that may hold
 * anything.  Known are the encodings that chunk.h writes: integers as
 * DELTA_BINARY_PACKED, texts by a dictionary; bare or gzip'd.
 */
#ifndef EMIT_PARQUET_PAGE_READER_H
#define EMIT_PARQUET_PAGE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emit/row.h"

enum {
	PAGE_READER_BYTES = 64 << 20,	/* of a page, unpacked or not */
	PAGE_READER_VALUES = 1 << 20	/* of a page */
};

/* where a column of a group is */
struct page_place {
	uint64_t at;		/* its first page */
	uint64_t stored;	/* bytes of its pages */
	bool texts_first;	/* the first is the dictionary */
	bool packed;
};

/* starts as all zeros */
struct page_reader {
	int fd;
	const struct column *column;
	struct page_place place;	/* what is left of it */
	uint8_t *texts;		/* the dictionary's page */
	size_t texts_len;
	uint32_t *text_at;	/* of each text: where its length is */
	uint32_t text_count;
	struct cell *cells;	/* of the page */
	uint32_t count, next;	/* of the cells; next: to be taken */
	uint32_t room;		/* of cells */
	uint32_t *numbers;	/* presence, or numbers of texts */
	int64_t *values;
};

/* fd and column stay the caller's; *r keeps its memory */
void page_reader_begin(struct page_reader *r, int fd,
		       const struct column *column,
		       const struct page_place *place);

/* reads the next page: 0 and r->cells, count at least 1; -ENODATA: there is
 * none; -EBADMSG: damaged, or another program's; or -errno */
int page_reader_load(struct page_reader *r);

void page_reader_free(struct page_reader *r);

#endif
