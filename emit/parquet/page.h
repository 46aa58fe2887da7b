/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of a Parquet file: a head, which knows the length of the body and its
 * CRC-32, and the body, each a gzip stream of its own where pages are packed.
 */
#ifndef EMIT_PARQUET_PAGE_H
#define EMIT_PARQUET_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "emit/parquet/chain.h"

struct page_maker;

/* numbers of the format */
enum page_encoding {
	PAGE_PLAIN = 0,
	PAGE_RLE = 3,
	PAGE_DELTA = 5,		/* DELTA_BINARY_PACKED */
	PAGE_DICTIONARY = 8	/* RLE_DICTIONARY */
};

struct page {
	bool dictionary;	/* its texts; else data */
	uint32_t values;	/* with nulls */
	enum page_encoding encoding;
};

/* packed or not; NULL: no memory */
struct page_maker *page_maker_new(struct chain_pool *pool, bool packed);

/* frees m; NULL is fine */
void page_maker_free(struct page_maker *m);

/*
 * A page at the end of a chain; of its body nothing is left.  *plain grows by
 * the bytes that it would take unpacked, its head included.  0, or -ENOMEM.
 */
int page_make(struct page_maker *m, const struct page *page,
	      struct chain *body, struct chain *to, uint64_t *plain);

#endif
