/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages of a Parquet file; see page.h. */
#include "emit/parquet/page.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "emit/parquet/thrift.h"

enum {
	LEVEL = 1,		/* the higher ones gain little on differences */
	GZIP_WINDOW = 15 + 16,	/* 32 KiB; 16: a gzip stream, no zlib one */
	MEMORY = 8		/* zlib's default */
};

struct page_maker {
	bool packed;
	z_stream z;		/* of level LEVEL, if packed */
	struct chain out;	/* what is packed of a page */
};

struct page_maker *page_maker_new(struct chain_pool *pool, bool packed)
{
	struct page_maker *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->out.pool = pool;
	m->packed = packed;
	if (packed && deflateInit2(&m->z, LEVEL, Z_DEFLATED, GZIP_WINDOW,
				   MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(m);
		return NULL;
	}
	return m;
}

void page_maker_free(struct page_maker *m)
{
	if (!m)
		return;
	if (m->packed)
		deflateEnd(&m->z);
	chain_clear(&m->out);
	free(m);
}

/* Packs what z has as input, with flush Z_FINISH to its end. */
static int deflate_into(struct chain *out, z_stream *z, int flush)
{
	int err;

	do {
		uint8_t *to = chain_room(out, 1);

		if (!to)
			return -ENOMEM;
		z->next_out = to;
		z->avail_out = out->last->size - out->last->len;
		err = deflate(z, flush);
		chain_commit(out, z->next_out);
	} while (z->avail_in || (flush == Z_FINISH && err == Z_OK));
	return 0;
}

/* The body, packed. */
static int pack(struct page_maker *m, struct chain *body)
{
	deflateReset(&m->z);
	for (struct chain_block *b = body->first; b; b = b->next) {
		m->z.next_in = b->bytes;
		m->z.avail_in = b->len;
		if (deflate_into(&m->out, &m->z, Z_NO_FLUSH))
			return -ENOMEM;
	}
	chain_clear(body);
	if (deflate_into(&m->out, &m->z, Z_FINISH))
		return -ENOMEM;
	chain_join(body, &m->out);
	return 0;
}

static uint32_t checksum(const struct chain *body)
{
	uLong crc = crc32(0, NULL, 0);

	for (const struct chain_block *b = body->first; b; b = b->next)
		crc = crc32(crc, b->bytes, b->len);
	return (uint32_t)crc;
}

static int head(const struct page *page, size_t plain,
		const struct chain *body, struct chain *to)
{
	struct thrift t;

	thrift_begin(&t, to);
	thrift_i32(&t, 1, page->dictionary ? 2 : 0);	/* page type */
	thrift_i32(&t, 2, (int32_t)plain);
	thrift_i32(&t, 3, (int32_t)body->len);
	thrift_i32(&t, 4, (int32_t)checksum(body));
	thrift_struct(&t, page->dictionary ? 7 : 5);
	thrift_i32(&t, 1, (int32_t)page->values);
	thrift_i32(&t, 2, page->encoding);
	if (!page->dictionary) {
		/* of levels: whether a value is there, and of no lists */
		thrift_i32(&t, 3, PAGE_RLE);
		thrift_i32(&t, 4, PAGE_RLE);
	}
	thrift_stop(&t);
	return thrift_end(&t);
}

int page_make(struct page_maker *m, const struct page *page,
	      struct chain *body, struct chain *to, uint64_t *plain)
{
	size_t len = body->len, before = to->len;

	if (m->packed && pack(m, body))
		return -ENOMEM;
	if (head(page, len, body, to))
		return -ENOMEM;
	*plain += len + to->len - before;
	return chain_move(to, body);
}
