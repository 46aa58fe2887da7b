/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of a Parquet file: a head, which knows the length of the body and its
 * CRC-32, and the body, each a gzip stream of its own where pages are packed.
 *
 * Once PAGE_LONG bytes have been packed, threads may pack others: each in a
 * parcel, which has a pool of its own, so that only that is theirs.
 */
#ifndef EMIT_PARQUET_PAGE_H
#define EMIT_PARQUET_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/tasks.h"
#include "emit/parquet/chain.h"

struct page_maker;

enum { PAGE_LONG = 256 * 1024 };	/* bytes, not packed */

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

/* a page whose body a thread packs; all zero is none */
struct parcel {
	struct task task;
	struct page_maker *maker;
	struct page page;
	bool beside;		/* it is with the tasks */
	struct chain_pool pool;	/* of the body then */
	struct chain body;
	size_t plain;		/* its bytes before it is packed */
	size_t counted;		/* the maker's pool counts so many for it */
	uint32_t checksum;
	int error;
};

/* packed, by these threads too unless they are NULL, or not; NULL: no memory */
struct page_maker *page_maker_new(struct chain_pool *pool, bool packed,
				  struct tasks *tasks);

/* its parcels have been finished or dropped; frees m; NULL is fine */
void page_maker_free(struct page_maker *m);

/*
 * A page at the end of a chain, now or with page_finish(); until then p stays
 * where it is, and the maker's pool counts the most that the page can take.  Of
 * its body nothing is left.  *plain grows by the bytes that the page would take
 * unpacked, its head included.  0, or -ENOMEM.
 */
int page_start(struct page_maker *m, struct parcel *p, const struct page *page,
	       struct chain *body, struct chain *to, uint64_t *plain);

/*
 * The page of p, if there still is one, with what page_start() was given.  Of
 * several the last one comes first, as threads began with the others.
 * 0, or -ENOMEM.
 */
int page_finish(struct parcel *p, struct chain *to, uint64_t *plain);

/* there is to be no such page; its blocks go to the maker's pool */
void page_drop(struct parcel *p);

/* as page_start(), and always now */
int page_make(struct page_maker *m, const struct page *page,
	      struct chain *body, struct chain *to, uint64_t *plain);

#endif
