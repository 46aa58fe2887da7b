/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of packed files; see list.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/little.h"
#include "pack/format.h"
#include "pack/frame.h"
#include "pack/index.h"
#include "pack/list.h"

enum {
	SEARCH = 65536,		/* bytes that are searched at once */
	DAMAGES_MAX = 1000,	/* more are counted in the last one */
};

static const char wrong[] =
	"the index is wrong; the headers of the blocks are read instead";
static const char missing[] =
	"no index after it: cut short, still being written, or its capture was"
	" killed";

/* --- the list ------------------------------------------------------------- */

void pack_list_free(struct pack_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		free(l->members[i].name);
		free(l->members[i].places);
	}
	free(l->members);
	free(l->damages);
	hash_free(&l->by_stream);
	*l = (struct pack_list){ .members = NULL };
}

struct pack_member *pack_list_find(const struct pack_list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (!strcmp(l->members[i].name, name))
			return &l->members[i];
	return NULL;
}

static struct pack_member *add_member(struct pack_list *l,
				      const struct pack_header *h)
{
	struct pack_member *list = array_reserve(l->members, l->count, &l->size,
						 16, sizeof(*list));
	struct pack_member *m;

	if (!list)
		return NULL;
	l->members = list;
	m = &list[l->count];
	*m = (struct pack_member){ .name = strdup(h->name),
				   .aside = h->flags & PACK_ASIDE,
				   .empty = !h->len };
	if (!m->name)
		return NULL;
	l->count++;
	return m;
}

/* The member that a block belongs to, added if it is new; NULL: no memory. */
static struct pack_member *member_of(struct pack_list *l,
				     const struct pack_header *h)
{
	int64_t i = hash_get_number(&l->by_stream, h->stream);
	struct pack_member *m = i >= 0 ? &l->members[i] : NULL;

	if (m && !strcmp(m->name, h->name))
		return m;
	m = pack_list_find(l, h->name);
	if (!m)
		m = add_member(l, h);
	/* numbers repeat where packed files were joined */
	if (!m || hash_put_number(&l->by_stream, h->stream,
				  (uint32_t)(m - l->members)))
		return NULL;
	return m;
}

static int add_place(struct pack_member *m, uint64_t offset, uint64_t at)
{
	struct pack_place *places;

	if (m->aside && !at)
		m->count = 0;
	places = array_reserve(m->places, m->count, &m->size, 16,
			       sizeof(*places));
	if (!places)
		return -ENOMEM;
	m->places = places;
	places[m->count++] = (struct pack_place){ offset, at };
	return 0;
}

static int add_damage(struct pack_list *l, uint64_t at, uint64_t lost,
		      const char *what)
{
	struct pack_damage *list;

	if (l->damage_count == DAMAGES_MAX) {
		l->damages[DAMAGES_MAX - 1].lost += lost;
		return 0;
	}
	list = array_reserve(l->damages, l->damage_count, &l->damage_size, 4,
			     sizeof(*list));
	if (!list)
		return -ENOMEM;
	l->damages = list;
	list[l->damage_count++] = (struct pack_damage){ at, lost, what };
	return 0;
}

/* --- bytes of the file ---------------------------------------------------- */

/* As many bytes as there are up to len, or -errno. */
static ssize_t read_at(int fd, uint64_t offset, void *buf, size_t len)
{
	uint8_t *to = buf;
	size_t have = 0;

	while (have < len) {
		ssize_t n = pread(fd, to + have, len - have,
				  (off_t)(offset + have));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

int pack_read_header(int fd, uint64_t offset, struct pack_header *h,
		     const char **why)
{
	uint8_t bytes[PACK_HEADER_MAX];
	/* most names are short */
	ssize_t n = read_at(fd, offset, bytes, PACK_FIXED + 64);
	int got = n < 0 ? (int)n : pack_header_get(h, bytes, (size_t)n, why);

	if (got || n <= 0)
		return got;
	n = read_at(fd, offset, bytes, sizeof(bytes));
	return n < 0 ? (int)n : pack_header_get(h, bytes, (size_t)n, why);
}

/* --- by headers ----------------------------------------------------------- */

struct walk {
	struct pack_list *l;
	int fd;
	const char *only;
	uint64_t at, size;	/* of the file */
	uint64_t bad;		/* where bytes begin that are no block */
	const char *why;	/* or NULL: there are none */
	bool ended;		/* by an end block */
};

/* Sets w->at to where a block may begin again, or to the end. */
static int search(struct walk *w)
{
	uint8_t buf[SEARCH];

	for (;;) {
		ssize_t n = read_at(w->fd, w->at, buf, sizeof(buf));
		const uint8_t *found;

		if (n < 0)
			return (int)n;
		found = pack_find(buf, buf + n);
		w->at += (uint64_t)(found - buf);
		if (buf + n - found >= PACK_MAGIC_LEN)
			return 0;
		if (n < SEARCH) {
			w->at = w->size;
			return 0;
		}
	}
}

/* Reports bytes that are no block and end here. */
static int end_bad(struct walk *w)
{
	int err = 0;

	if (w->why)
		err = add_damage(w->l, w->bad, w->at - w->bad, w->why);
	w->why = NULL;
	return err;
}

static int pass_bad(struct walk *w, const char *why)
{
	if (!w->why) {
		w->bad = w->at;
		w->why = why;
	}
	w->at++;
	return search(w);
}

static int take_block(struct walk *w, const struct pack_header *h)
{
	struct pack_member *m;
	int err = end_bad(w);

	if (err || h->kind >= PACK_INDEX) {
		w->ended = h->kind == PACK_END;
		return err;
	}
	w->ended = false;
	m = member_of(w->l, h);
	if (!m)
		return -ENOMEM;
	if (!w->only || !strcmp(w->only, m->name))
		err = add_place(m, w->at, h->at);
	return err;
}

/* The block at w->at, or bytes that are none. */
static int pass(struct walk *w)
{
	struct pack_header h;
	const char *why = "";
	int n = pack_read_header(w->fd, w->at, &h, &why), err;
	uint64_t left = w->size - w->at;

	if (n < 0 && n != -EBADMSG)
		return n;
	if (n < 0)
		return pass_bad(w, why);
	if (n == 0 || pack_block_size(&h) > left) {
		if (!w->why)
			w->bad = w->at;
		w->why = "a packed block is cut short";
		w->at++;
		return search(w);
	}
	err = take_block(w, &h);
	w->at += pack_block_size(&h);
	w->l->end = w->at;
	return err;
}

static int walk_headers(struct pack_list *l, int fd, const char *only,
			uint64_t size)
{
	struct walk w = { .l = l, .fd = fd, .only = only, .size = size };
	int err = 0;

	while (!err && w.at < size)
		err = pass(&w);
	if (!err)
		err = end_bad(&w);
	if (!err && !w.ended)
		err = add_damage(l, l->end, 0, missing);
	return err;
}

/* --- by the index --------------------------------------------------------- */

struct index {
	int fd;
	uint64_t size;		/* of the file */
	uint64_t *blocks;	/* offsets of index blocks, the last first */
	size_t count, room;
	uint64_t number;	/* entries that are not read yet */
	uint8_t *columns, *frame;
	struct frame_unpacker *unpacker;
};

static void index_free(struct index *x)
{
	frame_unpacker_free(x->unpacker);
	free(x->blocks);
	free(x->columns);
	free(x->frame);
}

/* The offset of the last index block by the end block.  1: there are both; 0:
 * no index; or -errno. */
static int find_end(struct index *x, uint64_t *last)
{
	struct pack_header h;
	const char *why;
	int n;

	if (x->size < PACK_FIXED)
		return 0;
	n = pack_read_header(x->fd, x->size - PACK_FIXED, &h, &why);
	if (n <= 0)
		return n == -EBADMSG ? 0 : n;
	*last = h.at;
	x->number = h.number;
	return h.kind == PACK_END && pack_block_size(&h) == PACK_FIXED;
}

/* Finds all index blocks, each before the last.  1; 0: wrong; or -errno. */
static int find_blocks(struct index *x, uint64_t at)
{
	uint64_t before = x->size;

	while (at) {
		uint64_t *blocks = array_reserve(x->blocks, x->count, &x->room,
						 16, sizeof(*blocks));
		struct pack_header h;
		const char *why;
		int n;

		if (!blocks)
			return -ENOMEM;
		x->blocks = blocks;
		if (at >= before)
			return 0;
		n = pack_read_header(x->fd, at, &h, &why);
		if (n <= 0)
			return n == -EBADMSG ? 0 : n;
		if (h.kind != PACK_INDEX || h.columns_len % INDEX_ENTRY)
			return 0;
		blocks[x->count++] = before = at;
		at = h.at;
	}
	return 1;
}

/* Unpacks an index block: its entries, 0 if it is wrong, or -errno. */
static ssize_t unpack_entries(struct index *x, uint64_t at)
{
	struct pack_header h;
	const char *why;
	int head = pack_read_header(x->fd, at, &h, &why), err;
	ssize_t n;

	if (head <= 0)
		return head == -EBADMSG ? 0 : head;
	n = read_at(x->fd, at + (uint64_t)head, x->frame, h.columns_packed);
	if (n < 0)
		return n;
	if ((size_t)n < h.columns_packed)
		return 0;
	err = frame_unpack(x->unpacker, x->columns, h.columns_len, x->frame,
			   h.columns_packed);
	return err ? 0 : h.columns_len / INDEX_ENTRY;
}

/* The member of an entry, by the header of its first block; NULL: wrong. */
static struct pack_member *entry_member(struct pack_list *l,
					const struct index *x, uint32_t stream,
					uint64_t offset, int *err)
{
	int64_t i = hash_get_number(&l->by_stream, stream);
	struct pack_header h;
	struct pack_member *m;
	const char *why;
	int n;

	*err = 0;
	if (i >= 0)
		return &l->members[i];
	n = pack_read_header(x->fd, offset, &h, &why);
	if (n <= 0) {
		*err = n == -EBADMSG ? 0 : n;
		return NULL;
	}
	if (h.stream != stream || h.kind >= PACK_INDEX)
		return NULL;
	m = member_of(l, &h);
	*err = m ? 0 : -ENOMEM;
	return m;
}

/* Takes the entries of an index block.  1; 0: wrong; or -errno. */
static int take_entries(struct pack_list *l, const struct index *x, size_t n,
			const char *only)
{
	const uint8_t *offsets = x->columns, *firsts = offsets + 8 * n;
	const uint8_t *streams = firsts + 8 * n;

	for (size_t i = 0; i < n; i++) {
		uint64_t offset = get_le64(offsets + 8 * i);
		struct pack_member *m;
		int err = 0;

		m = offset < x->size ?
			    entry_member(l, x, get_le32(streams + 4 * i),
					 offset, &err) : NULL;
		if (!m)
			return err;
		if (!only || !strcmp(only, m->name))
			err = add_place(m, offset, get_le64(firsts + 8 * i));
		if (err)
			return err;
	}
	return 1;
}

static int read_blocks(struct pack_list *l, struct index *x, const char *only)
{
	int fine = 1;

	x->unpacker = frame_unpacker_new();
	x->columns = malloc((size_t)PACK_COLUMNS);
	x->frame = malloc(PACK_FRAME);
	if (!x->unpacker || !x->columns || !x->frame)
		return frame_built() ? -ENOMEM : -EOPNOTSUPP;
	for (size_t i = x->count; fine == 1 && i; i--) {
		ssize_t n = unpack_entries(x, x->blocks[i - 1]);

		if (n <= 0 || (uint64_t)n > x->number)
			return n < 0 ? (int)n : 0;
		x->number -= (uint64_t)n;
		fine = take_entries(l, x, (size_t)n, only);
	}
	return fine == 1 && x->number ? 0 : fine;
}

/* 1; 0: there is no index, or a wrong one; or -errno */
static int read_index(struct pack_list *l, int fd, const char *only,
		      uint64_t size)
{
	struct index x = { .fd = fd, .size = size };
	uint64_t last = 0;
	int fine = find_end(&x, &last);
	bool there = fine == 1;

	if (fine == 1)
		fine = find_blocks(&x, last);
	if (fine == 1)
		fine = read_blocks(l, &x, only);
	index_free(&x);
	if (fine || !there)
		return fine;
	pack_list_free(l);
	return add_damage(l, size - PACK_FIXED, 0, wrong);
}

/* --- both ----------------------------------------------------------------- */

int pack_list_read(struct pack_list *l, int fd, const char *only)
{
	struct stat st;
	uint8_t magic[PACK_MAGIC_LEN];
	ssize_t n = read_at(fd, 0, magic, sizeof(magic));
	uint64_t size;
	int got;

	*l = (struct pack_list){ .members = NULL };
	if (n < 0)
		return (int)n;
	if (!pack_is(magic, (size_t)n))
		return -ENODATA;
	if (fstat(fd, &st))
		return -errno;
	size = (uint64_t)st.st_size;
	got = read_index(l, fd, only, size);
	l->indexed = got == 1;
	if (!got)
		got = walk_headers(l, fd, only, size);
	if (got < 0)
		pack_list_free(l);
	return got < 0 ? got : 0;
}
