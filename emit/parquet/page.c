/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages of a Parquet file; see page.h. */
#include "emit/parquet/page.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "emit/parquet/thrift.h"

enum {
	LEVEL = 1,		/* higher ones gain little on differences */
	GZIP_WINDOW = 15 + 16,	/* 32 KiB; 16: gzip's format, not zlib's */
	MEMORY = 8,		/* zlib's default */
	HEAD = 256,		/* bytes, more than any page's */
	SPARE = 2		/* blocks for packing besides those read */
};

/* a thread's state */
struct place {
	bool ready;
	z_stream z;		/* of level LEVEL */
};

struct page_maker {
	struct chain_pool *pool;
	struct tasks *tasks;	/* NULL: no threads */
	bool packed;
	uint64_t plain;		/* bytes before packing so far */
	struct place places[TASKS_PLACES];	/* the first is the caller's */
};

static int place_ready(struct place *p)
{
	if (!p->ready)
		p->ready = deflateInit2(&p->z, LEVEL, Z_DEFLATED, GZIP_WINDOW,
					MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
	return p->ready ? 0 : -ENOMEM;
}

struct page_maker *page_maker_new(struct chain_pool *pool, bool packed,
				  struct tasks *tasks)
{
	struct page_maker *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->pool = pool;
	m->packed = packed;
	m->tasks = tasks;
	if (packed && place_ready(&m->places[0])) {
		free(m);
		return NULL;
	}
	return m;
}

void page_maker_free(struct page_maker *m)
{
	for (unsigned int i = 0; m && i < TASKS_PLACES; i++)
		if (m->places[i].ready)
			deflateEnd(&m->places[i].z);
	free(m);
}

/* --- bodies --------------------------------------------------------------- */

/* Packs z's input; flush Z_FINISH ends the stream. */
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

/* Packs into the blocks already read, of which deflate() has a copy. */
static int pack(z_stream *z, struct chain *body)
{
	struct chain packed = { .pool = body->pool };
	int err = 0;

	deflateReset(z);
	while (body->first && !err) {
		z->next_in = body->first->bytes;
		z->avail_in = body->first->len;
		err = deflate_into(&packed, z, Z_NO_FLUSH);
		chain_drop_first(body);
	}
	if (!err)
		err = deflate_into(&packed, z, Z_FINISH);
	chain_clear(body);
	chain_join(body, &packed);
	return err;
}

static uint32_t checksum(const struct chain *body)
{
	uLong crc = crc32(0, NULL, 0);

	for (const struct chain_block *b = body->first; b; b = b->next)
		crc = crc32(crc, b->bytes, b->len);
	return (uint32_t)crc;
}

static int head(const struct parcel *p, struct chain *to)
{
	const struct page *page = &p->page;
	struct thrift t;

	thrift_begin(&t, to);
	thrift_i32(&t, 1, page->dictionary ? 2 : 0);	/* page type */
	thrift_i32(&t, 2, (int32_t)p->plain);
	thrift_i32(&t, 3, (int32_t)p->body.len);
	thrift_i32(&t, 4, (int32_t)p->checksum);
	thrift_struct(&t, page->dictionary ? 7 : 5);
	thrift_i32(&t, 1, (int32_t)page->values);
	thrift_i32(&t, 2, page->encoding);
	if (!page->dictionary) {
		/* encodings of definition and repetition levels */
		thrift_i32(&t, 3, PAGE_RLE);
		thrift_i32(&t, 4, PAGE_RLE);
	}
	thrift_stop(&t);
	return thrift_end(&t);
}

/* --- parcels -------------------------------------------------------------- */

static void pack_parcel(struct task *t, unsigned int place)
{
	struct parcel *p = (struct parcel *)t;
	struct place *at = &p->maker->places[place];

	p->error = place_ready(at);
	if (!p->error)
		p->error = pack(&at->z, &p->body);
	p->checksum = checksum(&p->body);
}

static void begin(struct page_maker *m, struct parcel *p,
		  const struct page *page, struct chain *body)
{
	*p = (struct parcel){ .task = { .run = pack_parcel }, .maker = m,
			      .page = *page, .body = *body,
			      .plain = body->len };
	body->first = body->last = NULL;
	body->len = 0;
}

static bool is_packed(const struct page_maker *m, const struct page *page)
{
	return m->packed && !page->bare;
}

static void pack_at_once(struct parcel *p)
{
	if (is_packed(p->maker, &p->page))
		pack_parcel(&p->task, 0);
	else
		p->checksum = checksum(&p->body);
}

static void hand_over(struct page_maker *m, struct parcel *p)
{
	uLong most = deflateBound(&m->places[0].z, p->plain);

	chain_change_pool(&p->body, &p->pool);
	p->counted = chain_cost(most + HEAD);
	if (p->counted < p->pool.used)
		p->counted = p->pool.used;
	p->counted += SPARE * chain_cost(0);
	chain_pool_lend(&p->pool, m->pool, SPARE);
	m->pool->used += p->counted;
	p->beside = true;
	tasks_add(m->tasks, &p->task);
}

/* Returns the body to the maker's pool. */
static void take_back(struct parcel *p)
{
	struct chain_pool *pool = p->maker->pool;

	pool->used -= p->counted;
	chain_change_pool(&p->body, pool);
	chain_pool_join(pool, &p->pool);
	p->beside = false;
}

/* Appends the page with its head. */
static int put(struct parcel *p, struct chain *to, uint64_t *plain)
{
	size_t before = to->len;
	int err = p->error;

	if (!err)
		err = head(p, to);
	if (!err) {
		*plain += p->plain + to->len - before;
		err = chain_move(to, &p->body);
	}
	chain_clear(&p->body);
	p->maker = NULL;
	return err;
}

int page_make(struct page_maker *m, const struct page *page,
	      struct chain *body, struct chain *to, uint64_t *plain)
{
	struct parcel p;

	begin(m, &p, page, body);
	pack_at_once(&p);
	return put(&p, to, plain);
}

int page_start(struct page_maker *m, struct parcel *p, const struct page *page,
	       struct chain *body, struct chain *to, uint64_t *plain)
{
	bool beside = is_packed(m, page) && m->tasks && m->plain >= PAGE_LONG;

	begin(m, p, page, body);
	m->plain += p->plain;
	if (!beside) {
		pack_at_once(p);
		return put(p, to, plain);
	}
	hand_over(m, p);
	return 0;
}

int page_finish(struct parcel *p, struct chain *to, uint64_t *plain)
{
	if (!p->beside)
		return 0;
	tasks_wait(p->maker->tasks, &p->task);
	take_back(p);
	return put(p, to, plain);
}

void page_drop(struct parcel *p)
{
	if (!p->beside)
		return;
	tasks_drop(p->maker->tasks, &p->task);
	take_back(p);
	chain_clear(&p->body);
}
