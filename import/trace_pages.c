/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages of ring buffers in a file; see trace_pages.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "file/source.h"
#include "import/faults.h"
#include "import/trace_packed.h"
#include "import/trace_pages.h"
#include "record/record.h"

enum {
	FIRST_CPUS = 16,
	READ = 65536,		/* bytes of plain pages at a time */
	CHUNK_MAX = 1 << 20,	/* ten pages, of 64 KiB at most */
	HELD_MAX = 256 << 20,
	CHUNK_HEAD = 8,
};

struct trace_pages_cpu {
	struct trace_stretch rest;	/* what was not read yet */
	uint32_t chunks;	/* that are left; packed only */
	bool counted;		/* chunks is known */
	uint8_t *buf;
	size_t room, len, used;	/* bytes of buf */
	uint64_t at;		/* of the file: where buf is from */
	struct ftrace_page page;
	bool lossy;		/* before the next event */
	uint64_t lost;
	struct ftrace_entry entry;
};

/* --- reading -------------------------------------------------------------- */

/* Exactly len bytes of the file: 0, -ENODATA or -errno. */
static int read_at(struct trace_pages *p, uint64_t at, void *buf, size_t len)
{
	int err = at <= INT64_MAX ? source_seek(p->source, at) : -ENODATA;
	ssize_t n = err ? err : source_fill(p->source, buf, len);

	if (n < 0)
		return (int)n;
	return (size_t)n == len ? 0 : -ENODATA;
}

static int reserve(struct trace_pages *p, struct trace_pages_cpu *c,
		   size_t room)
{
	uint8_t *buf;

	if (room <= c->room)
		return 0;
	if (room - c->room > HELD_MAX - p->held)
		return -ENOMEM;
	buf = realloc(c->buf, room);
	if (!buf)
		return -ENOMEM;
	p->held += room - c->room;
	c->buf = buf;
	c->room = room;
	return 0;
}

static void pass(struct trace_stretch *s, uint64_t len)
{
	s->at += len;
	s->len -= len;
}

/* What is wrong with the rest of a CPU's pages, which are passed over. */
static int give_up(struct trace_pages *p, struct trace_pages_cpu *c,
		   const char *why)
{
	import_faults_add(p->faults, c->rest.at, why);
	c->rest.len = 0;
	c->len = 0;
	return 0;
}

static int read_plain(struct trace_pages *p, struct trace_pages_cpu *c)
{
	size_t page = c->rest.page, len = READ < page ? page : READ / page * page;
	int err;

	if (len > c->rest.len)
		len = (size_t)c->rest.len;
	err = reserve(p, c, len);
	if (!err)
		err = read_at(p, c->rest.at, c->buf, len);
	if (err)
		return err;
	c->len = len;
	pass(&c->rest, len);
	return 0;
}

static uint32_t u32_at(const struct trace_pages *p, const uint8_t *bytes)
{
	uint32_t n = get32(bytes);

	return p->layout->swapped ? __builtin_bswap32(n) : n;
}

/* The number of chunks, which is in front of them, and not part of their size. */
static int count_chunks(struct trace_pages *p, struct trace_pages_cpu *c)
{
	uint8_t bytes[4];
	int err = read_at(p, c->rest.at, bytes, sizeof(bytes));

	if (err)
		return err;
	c->chunks = u32_at(p, bytes);
	c->counted = true;
	c->rest.at += sizeof(bytes);
	return 0;
}

static int read_chunk(struct trace_pages *p, struct trace_pages_cpu *c)
{
	uint8_t head[CHUNK_HEAD];
	uint32_t packed, len;
	int err = c->rest.len < CHUNK_HEAD ? -EBADMSG :
		  read_at(p, c->rest.at, head, CHUNK_HEAD);

	if (err)
		return err;
	packed = u32_at(p, head);
	len = u32_at(p, head + 4);
	if (packed > c->rest.len - CHUNK_HEAD || packed > CHUNK_MAX || !len ||
	    len > CHUNK_MAX)
		return -EBADMSG;
	err = reserve(p, c, len);
	if (!err)
		err = read_at(p, c->rest.at + CHUNK_HEAD, p->packed, packed);
	if (!err)
		err = trace_unpack(p->unpacker, p->packed, packed, c->buf, len);
	if (err)
		return err;
	c->len = len;
	c->chunks--;
	pass(&c->rest, CHUNK_HEAD + (uint64_t)packed);
	return 0;
}

static int read_packed(struct trace_pages *p, struct trace_pages_cpu *c)
{
	int err = 0;

	if (!p->packed)
		p->packed = malloc(CHUNK_MAX);
	if (!p->packed)
		return -ENOMEM;
	if (!c->counted)
		err = count_chunks(p, c);
	if (!err && c->chunks)
		return read_chunk(p, c);
	c->rest.len = 0;
	return err;
}

/* 0, also at the end, with nothing in buf. */
static int fill(struct trace_pages *p, struct trace_pages_cpu *c)
{
	int err;

	c->len = c->used = 0;
	c->at = c->rest.at;
	if (!c->rest.len)
		return 0;
	err = c->rest.packed ? read_packed(p, c) : read_plain(p, c);
	if (err == -ENODATA)
		return give_up(p, c, "pages of events are cut short");
	if (err == -EBADMSG)
		return give_up(p, c, "compressed pages of events are damaged");
	return err;
}

/* --- events --------------------------------------------------------------- */

/* 1: a page begins; 0: the end; or -errno. */
static int next_page(struct trace_pages *p, struct trace_pages_cpu *c)
{
	size_t len;
	uint8_t *at;

	while (c->used == c->len) {
		int err = fill(p, c);

		if (err || !c->len)
			return err;
	}
	at = c->buf + c->used;
	len = c->len - c->used < c->rest.page ? c->len - c->used : c->rest.page;
	c->used += len;
	if (!ftrace_page_begin(&c->page, p->layout, at, len)) {
		c->lossy |= c->page.lossy;
		c->lost += c->page.lost;
		return 1;
	}
	import_faults_add(p->faults, c->at, "a damaged page of events");
	c->page = (struct ftrace_page){ .layout = p->layout, .at = at,
					.end = at };
	return 1;
}

/* 1: entry is the next; 0: the end; or -errno. */
static int advance(struct trace_pages *p, struct trace_pages_cpu *c)
{
	for (;;) {
		int n = c->page.layout ? ftrace_page_next(&c->page, &c->entry) :
					 0;

		if (n > 0)
			return n;
		if (n < 0)
			import_faults_add(p->faults, c->at,
					  "a damaged event in a page");
		n = next_page(p, c);
		if (n <= 0)
			return n;
	}
}

static struct order key_of(const struct trace_pages *p, size_t i)
{
	return (struct order){ .time = p->cpus[i].entry.time, .rank = i };
}

static int begin(struct trace_pages *p)
{
	p->begun = true;
	for (size_t i = 0; i < p->count; i++) {
		int n = advance(p, &p->cpus[i]);
		struct order key = key_of(p, i);

		if (n > 0)
			n = heap_push(&p->order, &key, (uint32_t)i);
		if (n < 0)
			return n;
	}
	return 0;
}

/* Past the event that was handed over last. */
static int go_on(struct trace_pages *p)
{
	const struct heap_node *top = heap_top(&p->order);
	struct order key;
	int n;

	if (!top)
		return 0;
	n = advance(p, &p->cpus[top->id]);
	if (n > 0) {
		key = key_of(p, top->id);
		heap_replace(&p->order, &key, top->id);
	} else if (!n) {
		heap_pop(&p->order);
	}
	return n < 0 ? n : 0;
}

int trace_pages_next(struct trace_pages *p, struct trace_page_event *e)
{
	int err = p->begun ? go_on(p) : begin(p);
	const struct heap_node *top = heap_top(&p->order);
	struct trace_pages_cpu *c;

	if (err || !top)
		return err;
	c = &p->cpus[top->id];
	*e = (struct trace_page_event){ c->entry, c->rest.cpu, c->lossy,
					c->lost };
	c->lossy = false;
	c->lost = 0;
	return 1;
}

/* --- from outside --------------------------------------------------------- */

void trace_pages_init(struct trace_pages *p, struct source *s,
		      const struct ftrace_layout *l, struct trace_unpacker *u,
		      struct import_faults *faults)
{
	*p = (struct trace_pages){ .source = s, .layout = l, .unpacker = u,
				   .faults = faults };
}

void trace_pages_free(struct trace_pages *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->cpus[i].buf);
	free(p->cpus);
	free(p->packed);
	heap_free(&p->order);
}

int trace_pages_add(struct trace_pages *p, const struct trace_stretch *s)
{
	struct trace_pages_cpu *cpus = array_reserve(p->cpus, p->count,
			&p->room, FIRST_CPUS, sizeof(*cpus));

	if (!cpus)
		return -ENOMEM;
	p->cpus = cpus;
	cpus[p->count++] = (struct trace_pages_cpu){ .rest = *s };
	return 0;
}
