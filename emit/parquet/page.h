/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of a Parquet file: a head with the body's length and CRC-32, and the
 * body, a separate gzip stream if pages are packed.
 *
 * After the first PAGE_LONG bytes threads pack pages.  Each is a parcel, with a
 * separate pool, so that threads share nothing else.
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
	bool bare;		/* not packed, though the maker's others are */
	uint32_t values;	/* with nulls */
	enum page_encoding encoding;
};

/* a page whose body a thread packs; none if all zero */
struct parcel {
	struct task task;
	struct page_maker *maker;
	struct page page;
	bool beside;		/* a thread has it */
	struct chain_pool pool;	/* of the body then */
	struct chain body;
	size_t plain;		/* its bytes before packing */
	size_t counted;		/* its bytes in the maker's pool's sum */
	uint32_t checksum;
	int error;
};

/* tasks: threads that also pack, or NULL.  NULL: no memory */
struct page_maker *page_maker_new(struct chain_pool *pool, bool packed,
				  struct tasks *tasks);

/* after its parcels are finished or dropped; NULL is fine */
void page_maker_free(struct page_maker *m);

/*
 * Takes body and appends a page to a chain, now or in page_finish(); until then
 * p must not move, and the maker's pool counts the most that the page can take.
 * Adds the bytes of the unpacked page with its head to *plain.  0 or -ENOMEM.
 */
int page_start(struct page_maker *m, struct parcel *p, const struct page *page,
	       struct chain *body, struct chain *to, uint64_t *plain);

/*
 * Appends the page of p, if it still waits; to and plain as in page_start().
 * Finish the last of several first: threads started with the others.
 * 0 or -ENOMEM.
 */
int page_finish(struct parcel *p, struct chain *to, uint64_t *plain);

/* drops the page; its blocks return to the maker's pool */
void page_drop(struct parcel *p);

/* page_start() without threads */
int page_make(struct page_maker *m, const struct page *page,
	      struct chain *body, struct chain *to, uint64_t *plain);

#endif
