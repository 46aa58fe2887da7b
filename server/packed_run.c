/* SPDX-License-Identifier: GPL-2.0-only */
/* Packed files of runs; see packed_run.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/ring.h"
#include "file/segments.h"
#include "machine/card.h"
#include "net.h"
#include "pack/format.h"
#include "pack/frame.h"
#include "pack/index.h"
#include "pack/list.h"
#include "pack/packer.h"
#include "server/packed_run.h"
#include "server/packed_walk.h"
#include "server/senders.h"
#include "server/store.h"

enum {
	ROOM_FIRST = 4096,	/* bytes for a member's records */
	NAME = 64,		/* of a member: device, ".blktrace.", CPU */
};

struct packed_member {
	struct ring ring;	/* in gathered, or alone */
	struct packed_run *of;
	char name[NAME];
	size_t device;		/* characters of it that are the device */
	uint32_t stream;
	bool aside;
	struct packer_past past;
	uint8_t *bytes;		/* gathered; NULL: none */
	size_t len, size;
	size_t tail;		/* of them, after the last whole record */
};

struct packed_run {
	struct packed_run_options o;
	struct store_file *file;	/* NULL: not made */
	uint64_t length;	/* of the file */
	uint64_t ended;		/* its length with its last end block */
	struct pack_index index;
	struct packed_member **members;
	size_t count, size;
	struct hash by_name;
	uint32_t streams;	/* numbers up to here may be taken */
	struct ring gathered;	/* members with bytes */
	size_t bytes, tails;	/* sums of their len and tail */
	int error;
};

/* --- the file ------------------------------------------------------------- */

/* Named by its device, if there is one; by now all are known. */
static int make_file(struct packed_run *p)
{
	const struct packed_member *first = p->members[0];
	bool one = true;
	char name[NAME] = "blktrace" SEGMENT_PACKED;

	for (size_t i = 1; i < p->count; i++)
		one &= p->members[i]->device == first->device &&
		       !memcmp(p->members[i]->name, first->name,
			       first->device);
	if (one)
		snprintf(name, sizeof(name), "%.*s" SEGMENT_PACKED,
			 (int)first->device, first->name);
	p->file = store_file_named(p->o.dir, name);
	return p->file ? 0 : -ENOMEM;
}

/* Whole blocks only, as no reader can use the start of one. */
static int append(void *ctx, const uint8_t *block, size_t len, uint64_t *at)
{
	struct packed_run *p = ctx;
	struct sender *sender = p->o.sender;
	size_t stored = 0;
	int err = p->file ? 0 : make_file(p);

	if (!err && sender &&
	    sender_room(sender, p->o.each, len, time(NULL)) < len)
		err = -EDQUOT;
	if (!err)
		err = store_file_write(p->file, block, len, &stored);
	if (err && stored)
		store_file_cut(p->file, stored);
	if (err)
		return p->error = err;
	if (sender)
		sender_stored(sender, len);
	*at = p->length;
	p->length += len;
	return 0;
}

static int put(void *ctx, const struct pack_header *h, const uint8_t *block,
	       size_t len)
{
	struct packed_run *p = ctx;
	uint64_t at;
	int err = append(p, block, len, &at);

	return err ? err : pack_index_add(&p->index, h, at);
}

/* --- members -------------------------------------------------------------- */

static struct packed_member *add_member(struct packed_run *p, const char *name,
					uint32_t stream)
{
	uint64_t key = hash_text(&p->by_name, name, strlen(name));
	struct packed_member *m = hash_get(&p->by_name, key);
	struct packed_member **list;

	if (m)
		return m;
	list = array_reserve(p->members, p->count, &p->size, 16,
			     sizeof(*list));
	if (!list)
		return NULL;
	p->members = list;
	m = calloc(1, sizeof(*m));
	if (!m || hash_put(&p->by_name, key, m)) {
		free(m);
		return NULL;
	}
	ring_init(&m->ring);
	m->of = p;
	snprintf(m->name, sizeof(m->name), "%s", name);
	m->stream = stream;
	if (p->streams <= stream)
		p->streams = stream + 1;
	return list[p->count++] = m;
}

struct packed_member *packed_run_member(struct packed_run *p,
					const char *device, uint32_t cpu)
{
	struct packed_member *m;
	char name[NAME];

	if (cpu == NET_CPU_CARD)
		snprintf(name, sizeof(name), "%s" CARD_SUFFIX, device);
	else
		snprintf(name, sizeof(name), "%s.blktrace.%u", device, cpu);
	m = add_member(p, name, p->streams);
	if (!m)
		return NULL;
	m->device = strlen(device);
	m->aside = cpu == NET_CPU_CARD;
	return m;
}

uint64_t packed_run_length(const struct packed_member *m)
{
	return m->past.taken;
}

/* --- gathering ------------------------------------------------------------ */

/* Room for len more bytes; 0 or -ENOMEM. */
static int make_room(struct packed_member *m, size_t len)
{
	size_t size = m->size ? m->size : ROOM_FIRST;
	uint8_t *bytes;

	if (m->size - m->len >= len)
		return 0;
	while (size - m->len < len)
		size *= 2;
	bytes = array_resize(m->bytes, size, 1);
	if (!bytes)
		return -ENOMEM;
	m->bytes = bytes;
	m->size = size;
	return 0;
}

/* Removes the first n gathered bytes. */
static void take_bytes(struct packed_member *m, size_t n)
{
	m->len -= n;
	m->of->bytes -= n;
	if (m->len) {
		memmove(m->bytes, m->bytes + n, m->len);
		return;
	}
	ring_take(&m->ring);
	ring_init(&m->ring);
	free(m->bytes);
	m->bytes = NULL;
	m->size = 0;
}

int packed_run_add(struct packed_member *m, const uint8_t *bytes, size_t len,
		   size_t tail)
{
	struct packed_run *p = m->of;
	int err = p->error;

	if (!err && p->bytes + len > PACKED_RUN_GATHER)
		err = packed_run_flush(p);
	if (!err && p->bytes + len > PACKED_RUN_GATHER)
		err = -ENOBUFS;
	if (!err)
		err = make_room(m, len);
	if (err)
		return p->error = err;
	if (!m->len)
		ring_put_last(&p->gathered, &m->ring);
	memcpy(m->bytes + m->len, bytes, len);
	m->len += len;
	p->bytes += len;
	p->tails += tail - m->tail;
	m->tail = tail;
	return 0;
}

void packed_run_drop(struct packed_member *m)
{
	size_t tail = m->tail;

	m->len -= tail;
	m->of->bytes -= tail;
	m->of->tails -= tail;
	m->tail = 0;
	if (tail && !m->len)
		take_bytes(m, 0);
}

/* --- putting -------------------------------------------------------------- */

/* Whole bytes become blocks, and none an empty one, of a member that has no
 * other. */
static int pack(struct packed_member *m, const uint8_t *bytes, size_t len)
{
	static const struct packer_past none;
	struct packed_run *p = m->of;
	struct packer *packer = p->o.packer;
	const struct packer_options o = {
		.name = m->name, .stream = m->stream, .aside = m->aside,
		.put = put, .ctx = p,
	};
	ssize_t n = p->error;

	if (n)
		return (int)n;
	packer_turn(packer, &o, m->aside ? &none : &m->past);
	if (len)
		n = packer_add(packer, bytes, len, true);
	if (n >= 0)
		n = packer_end(packer);
	m->past = packer_past(packer);
	return n < 0 ? p->error = (int)n : 0;
}

static int put_gathered(struct packed_member *m)
{
	size_t n = m->len - m->tail;
	int err = n ? pack(m, m->bytes, n) : 0;

	if (n && !err)
		take_bytes(m, n);
	return err;
}

int packed_run_put(struct packed_member *m)
{
	int err;

	m->of->tails -= m->tail;
	m->tail = 0;
	err = put_gathered(m);

	return err || m->past.known ? err : pack(m, NULL, 0);
}

int packed_run_card(struct packed_member *m, const void *bytes, size_t len)
{
	return pack(m, bytes, len);
}

int packed_run_flush(struct packed_run *p)
{
	struct ring *at = p->gathered.next;
	int err = p->error;

	while (!err && at != &p->gathered) {
		struct packed_member *m = (struct packed_member *)at;

		at = at->next;
		err = put_gathered(m);
	}
	if (p->o.flushed)
		p->o.flushed(p->o.ctx);
	return err;
}

bool packed_run_waits(const struct packed_run *p)
{
	return p->bytes > p->tails;
}

int packed_run_error(const struct packed_run *p)
{
	return p->error;
}

int packed_run_end(struct packed_run *p)
{
	int err = packed_run_flush(p);

	if (err || p->length == p->ended)
		return err;
	err = pack_index_end(&p->index);
	p->ended = p->length;
	return err ? p->error = err : 0;
}

/* --- going on ------------------------------------------------------------- */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* What is known of a member by one more of its blocks. */
static int learn(void *ctx, const struct pack_header *h, uint64_t at)
{
	struct packed_run *p = ctx;
	struct packer_past *past;
	struct packed_member *m;

	if (h->kind == PACK_END)
		p->ended = at + pack_block_size(h);
	if (h->kind == PACK_INDEX) {
		p->index.last = at;
		p->index.number = h->number + h->columns_len / INDEX_ENTRY;
	}
	/* a name of ours is shorter */
	if (h->kind >= PACK_INDEX || h->name_len >= NAME)
		return 0;
	m = add_member(p, h->name, h->stream);
	if (!m)
		return -ENOMEM;
	past = &m->past;
	past->known = true;
	past->taken = later(past->taken, h->at + h->len);
	past->number = later(past->number, h->number + h->events);
	past->after = past->latest = later(past->latest, h->most);
	return 0;
}

/* 1 and *end: the file ends with its end block; 0: it does not; or -errno. */
static int find_end(const struct packed_run *p, int fd, struct pack_header *end)
{
	const char *why;
	int n;

	if (p->length < PACK_FIXED)
		return 0;
	n = pack_read_header(fd, p->length - PACK_FIXED, end, &why);
	if (n <= 0)
		return n == -EBADMSG ? 0 : n;
	return end->kind == PACK_END;
}

/* 1; 0: a header is damaged; or -errno. */
static int learn_last(struct packed_run *p, int fd, const struct pack_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct pack_member *m = &l->members[i];
		uint64_t last = m->places[m->count - 1].offset;
		struct pack_header h;
		const char *why;
		int n = pack_read_header(fd, last, &h, &why);
		int err = n > 0 ? learn(p, &h, last) : n;

		if (err || n <= 0)
			return err == -EBADMSG ? 0 : err;
	}
	return 1;
}

/* Of a file that was left in order, the last block of each member is enough, and
 * a sender that often connects again does not have all of them read.  1; 0: it
 * has no index; or -errno. */
static int learn_by_index(struct packed_run *p, int fd)
{
	struct pack_header end;
	struct pack_list l;
	int found = find_end(p, fd, &end), err;

	if (found <= 0)
		return found;
	err = pack_list_read(&l, fd, NULL);
	if (err)
		return err;
	found = l.indexed ? learn_last(p, fd, &l) : 0;
	pack_list_free(&l);
	if (found <= 0)
		return found;
	p->index.last = end.at;
	p->index.number = end.number;
	p->ended = p->length;
	return 1;
}

/* The blocks after the last index block are in the next one. */
static int list(void *ctx, const struct pack_header *h, uint64_t at)
{
	struct packed_run *p = ctx;

	return h->kind < PACK_INDEX ? pack_index_add(&p->index, h, at) : 0;
}

/* Of a file that a killed server has left; what is after the last whole block is
 * cut off. */
static int learn_by_blocks(struct packed_run *p, int fd, bool suspect)
{
	struct packed_walk w = {
		.fd = fd, .to = p->length, .check = UINT64_MAX,
		.unpacker = p->o.unpacker, .block = learn, .ctx = p,
	};
	int err;

	if (suspect)
		w.check = p->length > PACKED_RUN_CHECKED ?
				  p->length - PACKED_RUN_CHECKED : 0;
	err = packed_walk(&w);
	if (!err && w.end < p->length)
		err = store_file_cut(p->file, p->length - w.end);
	if (err)
		return err;
	p->length = w.end;
	w.at = p->index.last;
	w.to = w.end;
	w.block = list;
	return packed_walk(&w);
}

/* 0 or -errno. */
static int learn_all(struct packed_run *p, int fd, bool suspect)
{
	int found = suspect ? 0 : learn_by_index(p, fd);

	return found < 0 ? found : found ? 0 : learn_by_blocks(p, fd, suspect);
}

int packed_run_resume(struct packed_run *p, const char *name, bool suspect)
{
	int fd, err;

	p->file = store_file_named(p->o.dir, name);
	if (!p->file)
		return -ENOMEM;
	fd = store_file_reader(p->file);
	if (fd < 0)
		return fd;
	err = store_file_length(p->file, &p->length);
	if (!err)
		err = learn_all(p, fd, suspect);
	close(fd);
	return err;
}

/* --- begin and end -------------------------------------------------------- */

int packed_run_new(struct packed_run **out, const struct packed_run_options *o)
{
	struct packed_run *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return -ENOMEM;
	p->o = *o;
	ring_init(&p->gathered);
	p->index.put = append;
	p->index.ctx = p;
	err = pack_index_begin(&p->index);
	if (err)
		free(p);
	else
		*out = p;
	return err;
}

void packed_run_free(struct packed_run *p)
{
	if (!p)
		return;
	store_file_free(p->file);
	pack_index_free(&p->index);
	for (size_t i = 0; i < p->count; i++) {
		free(p->members[i]->bytes);
		free(p->members[i]);
	}
	free(p->members);
	hash_free(&p->by_name);
	free(p);
}
