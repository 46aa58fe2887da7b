/* SPDX-License-Identifier: GPL-2.0-only */
/* Packed files and streams; see source_packed.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/shelf.h"
#include "file/source_layer.h"
#include "file/source_packed.h"
#include "pack/format.h"
#include "pack/frame.h"
#include "pack/list.h"
#include "pack/unpacker.h"

static const char damaged[] = "a packed block is damaged";
static const char cut_short[] = "a packed block is cut short";

/* --- one file of a packed file -------------------------------------------- */

struct member {
	struct source base;
	int fd;
	char *path;		/* as it was opened */
	char *packed;		/* of the packed file */
	struct pack_list list;
	const struct pack_member *m;
	bool first;		/* reports what is wrong with the packed file */
	size_t told;		/* damages of the list reported */
	size_t next;		/* place of the next block */
	uint64_t at;		/* the next byte of the file */
	uint64_t total;		/* bytes of the file */
	bool excused;		/* the hole before the next block was reported */

	struct unpacker *unpacker;
	bool open;		/* a block is being unpacked */
	bool sought;		/* at is somewhere in the next block */
	struct pack_header h;	/* of the last block */
	uint64_t offset;
	uint8_t *body;
	size_t body_size;
};

/* Reports bytes of a file that are passed over; returns -EUCLEAN. */
static int blame(struct source *s, const char *file, uint64_t at, uint64_t lost,
		 const char *what)
{
	s->damage = (struct damage){ .file = file, .at = at, .lost = lost,
				     .what = what };
	return -EUCLEAN;
}

/* The same of the block that was to come. */
static int blame_block(struct member *p, uint64_t lost, const char *what)
{
	p->excused = true;
	p->sought = false;
	return blame(&p->base, p->packed, p->offset, lost, what);
}

/* The list's damages up to an offset of the packed file, one a call. */
static int tell(struct member *p, uint64_t offset)
{
	const struct pack_damage *d;

	if (!p->first || p->told == p->list.damage_count)
		return 0;
	d = &p->list.damages[p->told];
	if (d->at > offset)
		return 0;
	p->told++;
	return blame(&p->base, p->packed, d->at, d->lost, d->what);
}

/* The next block's header.  1; 0: there is none; -EUCLEAN; or -errno. */
static int read_header(struct member *p)
{
	const struct pack_place *place;
	const char *why = cut_short;
	int n;

	if (p->next == p->m->count)
		return tell(p, UINT64_MAX);
	place = &p->m->places[p->next];
	n = tell(p, place->offset);
	if (n)
		return n;
	p->offset = place->offset;
	n = pack_read_header(p->fd, place->offset, &p->h, &why);
	if (n < 0 && n != -EBADMSG)
		return n;
	p->next++;
	if (n <= 0)
		return blame_block(p, 0, why);
	if (p->h.kind >= PACK_INDEX || p->h.at != place->at ||
	    strcmp(p->h.name, p->m->name))
		return blame_block(p, 0, "not the block that the index names");
	return 1;
}

/* Bytes of the block's body, from the frame at from on: 0; -EUCLEAN; -errno */
static int read_body(struct member *p, size_t len)
{
	uint64_t at = p->offset + PACK_FIXED + p->h.name_len;
	size_t have = 0;

	if (len > p->body_size) {
		free(p->body);
		p->body = malloc(len);
		p->body_size = p->body ? len : 0;
		if (!p->body)
			return -ENOMEM;
	}
	while (have < len) {
		ssize_t n = pread(p->fd, p->body + have, len - have,
				  (off_t)(at + have));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return blame_block(p, have, cut_short);
		have += (size_t)n;
	}
	return 0;
}

/* Whether blocks are missing before this one; then -EUCLEAN, once. */
static int find_hole(struct member *p)
{
	uint64_t at = p->at;

	if (p->sought || p->h.at == at)
		return 0;
	p->at = p->h.at;
	if (p->h.at < at || p->excused)
		return 0;
	p->next--;
	return blame(&p->base, p->path, at, p->h.at - at,
		     "packed blocks are missing");
}

/* Starts the next block.  1; 0: there is none; -EUCLEAN; or -errno. */
static int open_next(struct member *p)
{
	int err = read_header(p);

	if (err != 1)
		return err;
	err = find_hole(p);
	if (!err)
		err = read_body(p, (size_t)p->h.notes_packed +
				   p->h.columns_packed);
	if (err)
		return err;
	err = unpacker_begin(p->unpacker, &p->h, p->body);
	if (!err && p->sought)
		err = unpacker_pass(p->unpacker, p->at - p->h.at);
	if (err == -EBADMSG)
		return blame_block(p, pack_block_size(&p->h), damaged);
	p->open = !err;
	p->sought = p->excused = false;
	return err ? err : 1;
}

/*
 * A note at the place that was sought, without the rest of its block: its
 * bytes; 0: none, unpack the block; or -errno.
 */
static ssize_t read_note(struct member *p, uint8_t *buf, size_t len)
{
	struct unpacked_note n;
	int got = read_header(p);

	p->next -= got == 1;
	if (got != 1 || !p->h.notes || p->at < p->h.at)
		return got < 0 ? got : 0;
	got = read_body(p, p->h.notes_packed);
	if (!got)
		got = unpacker_notes(p->unpacker, &p->h, p->body);
	if (got)
		return got == -ENOMEM ? got : 0;
	while (unpacker_note(p->unpacker, &n) == 1)
		if (n.at == p->at - p->h.at && n.len <= len) {
			memcpy(buf, n.bytes, n.len);
			p->at += n.len;
			return (ssize_t)n.len;
		}
	return 0;
}

static ssize_t member_read(struct source *s, void *buf, size_t len)
{
	struct member *p = (struct member *)s;
	ssize_t n = p->sought ? read_note(p, buf, len) : 0;

	while (!n) {
		if (!p->open) {
			n = open_next(p);
			if (n != 1)
				return n;
		}
		n = unpacker_read(p->unpacker, buf, len);
		p->open = n > 0;
		if (n == -EBADMSG)
			return blame_block(p, pack_block_size(&p->h), damaged);
		p->at += (uint64_t)n;
	}
	return n;
}

static int member_wait(struct source *s, int ms)
{
	(void)s, (void)ms;
	return 1;
}

static int member_seek(struct source *s, uint64_t at)
{
	struct member *p = (struct member *)s;
	size_t low = 0, high = p->m->count;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (p->m->places[mid].at <= at)
			low = mid;
		else
			high = mid;
	}
	p->next = low;
	p->at = at;
	p->open = false;
	p->sought = true;
	return 0;
}

static void member_progress(const struct source *s, uint64_t *done,
			    uint64_t *total)
{
	const struct member *p = (const struct member *)s;

	*done += p->at;
	*total += p->total;
}

static void member_close(struct source *s)
{
	struct member *p = (struct member *)s;

	if (p->fd >= 0)
		close(p->fd);
	unpacker_free(p->unpacker);
	pack_list_free(&p->list);
	free(p->path);
	free(p->packed);
	free(p->body);
	free(p);
}

static const struct source_ops member_ops = {
	member_read, member_wait, member_seek, member_progress, member_close,
};

/* Whether it is the first file of the trace. */
static bool is_first(const struct pack_list *l, const struct pack_member *m)
{
	const struct pack_member *first = l->members;

	while (first < m && first->aside)
		first++;
	return first == m && !m->aside;
}

/* Where the file ends, by its last block. */
static uint64_t end_of(const struct member *p)
{
	struct pack_header h;
	const char *why;

	if (!p->m->count || pack_read_header(p->fd,
			p->m->places[p->m->count - 1].offset, &h, &why) <= 0)
		return 0;
	return h.at + h.len;
}

static int open_member(struct member *p, const char *name)
{
	int err;

	p->fd = open(p->packed, O_RDONLY | O_CLOEXEC);
	if (p->fd < 0)
		return -errno;
	err = pack_list_read(&p->list, p->fd, name);
	if (err)
		return err;
	p->m = pack_list_find(&p->list, name);
	if (!p->m)
		return -ENOENT;
	p->first = is_first(&p->list, p->m);
	p->total = end_of(p);
	p->unpacker = unpacker_new();
	return p->unpacker ? 0 : frame_built() ? -ENOMEM : -EOPNOTSUPP;
}

int source_packed_open(struct source **s, const char *path)
{
	struct member *p = calloc(1, sizeof(*p));
	const char *name = NULL;
	int err = -ENOMEM;

	if (!p)
		return -ENOMEM;
	p->base = (struct source){ .ops = &member_ops, .packed = true };
	p->fd = -1;
	p->path = strdup(path);
	if (p->path)
		err = shelf_split(p->path, &p->packed, &name);
	if (!err)
		err = open_member(p, name);
	if (err)
		member_close(&p->base);
	else
		*s = &p->base;
	return err == -ENODATA ? -ENOTDIR : err;
}

/* --- a packed stream ------------------------------------------------------ */

struct packed_stream {
	struct source base;
	struct source *in;
	uint8_t *buf;		/* bytes that are not unpacked yet */
	size_t from, to, size;
	uint64_t at;		/* offset of buf[from] in the stream */
	bool lost;		/* bytes are no block, */
	uint64_t lost_at;	/* from here on */
	const char *why;
	bool ended;		/* by an end block */
	struct unpacker *unpacker;
	bool open;
	struct pack_header h;
};

static void use(struct packed_stream *p, size_t len)
{
	p->from += len;
	p->at += len;
}

/* Room for need bytes from buf[from] on.  false: no memory */
static bool make_room(struct packed_stream *p, size_t need)
{
	uint8_t *bigger;

	if (p->from)
		memmove(p->buf, p->buf + p->from, p->to - p->from);
	p->to -= p->from;
	p->from = 0;
	if (need <= p->size)
		return true;
	bigger = realloc(p->buf, need);
	if (!bigger)
		return false;
	p->buf = bigger;
	p->size = need;
	return true;
}

/* Reads until the buffer has need bytes.  1; 0: the stream ends first; or
 * -errno. */
static int have(struct packed_stream *p, size_t need)
{
	if (p->to - p->from < need && !make_room(p, need))
		return -ENOMEM;
	while (p->to - p->from < need) {
		ssize_t n = p->in->ops->read(p->in, p->buf + p->to,
					     p->size - p->to);

		if (n <= 0)
			return (int)source_pass(&p->base, p->in, n);
		p->to += (size_t)n;
	}
	return 1;
}

static void lose(struct packed_stream *p, const char *why)
{
	if (p->lost)
		return;
	p->lost = true;
	p->lost_at = p->at;
	p->why = why;
}

/* Reports what was passed over up to here. */
static int end_lost(struct packed_stream *p)
{
	p->lost = false;
	return blame(&p->base, NULL, p->lost_at, p->at - p->lost_at, p->why);
}

/* At the end: reports a cut block or a missing end. */
static int finish(struct packed_stream *p)
{
	if (p->from < p->to) {
		lose(p, cut_short);
		use(p, p->to - p->from);
	}
	if (p->lost)
		return end_lost(p);
	if (p->ended)
		return 0;
	p->ended = true;
	return blame(&p->base, NULL, p->at, 0,
		     "the packed stream ends without its end block: cut short,"
		     " or its capture was killed");
}

/* Passes over bytes up to where a block may begin. */
static void search(struct packed_stream *p)
{
	const uint8_t *at = p->buf + p->from + 1;

	use(p, 1 + (size_t)(pack_find(at, p->buf + p->to) - at));
}

/* A whole block, which *h describes, to the buffer: as have(); -EBADMSG: there
 * is none here. */
static int find_block(struct packed_stream *p, int *head, const char **why)
{
	int got = have(p, PACK_FIXED);

	if (got != 1)
		return got;
	*head = pack_header_get(&p->h, p->buf + p->from, p->to - p->from, why);
	if (*head < 0)
		return *head;
	if (*head == 0) {
		got = have(p, PACK_HEADER_MAX);
		if (got < 0)
			return got;
		*head = pack_header_get(&p->h, p->buf + p->from,
					p->to - p->from, why);
	}
	return *head <= 0 ? *head : have(p, pack_block_size(&p->h));
}

/* Before the first event of a block is read. */
static void learn_span(struct packed_stream *p)
{
	const struct pack_header *h = &p->h;

	if (h->most > h->least && h->most - h->least > p->base.span)
		p->base.span = h->most - h->least;
}

/* Starts the block in the buffer; 0, -EUCLEAN or -errno. */
static int open_block(struct packed_stream *p, int head)
{
	size_t size = pack_block_size(&p->h);
	int err = 0;

	p->ended = p->h.kind == PACK_END;
	if (p->h.kind < PACK_INDEX && !(p->h.flags & PACK_ASIDE)) {
		err = unpacker_begin(p->unpacker, &p->h,
				     p->buf + p->from + head);
		p->open = !err;
		learn_span(p);
	}
	use(p, size);
	if (err != -EBADMSG)
		return err;
	return blame(&p->base, NULL, p->at - size, size, damaged);
}

/* 1: a block is open, or none yet; 0: the end; -EUCLEAN; or -errno */
static int next_block(struct packed_stream *p)
{
	const char *why;
	int head = 0, err = find_block(p, &head, &why);

	if (err == -EBADMSG) {
		lose(p, why);
		search(p);
		return 1;
	}
	if (err == 0)
		return finish(p);
	if (err < 0)
		return err;
	if (p->lost)
		return end_lost(p);
	err = open_block(p, head);
	return err ? err : 1;
}

static ssize_t stream_read(struct source *s, void *buf, size_t len)
{
	struct packed_stream *p = (struct packed_stream *)s;

	for (;;) {
		ssize_t n = p->open ? unpacker_read(p->unpacker, buf, len) : 0;

		p->open = n > 0;
		if (n == -EBADMSG)
			return blame(s, NULL, p->at, 0, damaged);
		if (n)
			return n;
		n = next_block(p);
		if (n != 1)
			return n;
	}
}

static int stream_wait(struct source *s, int ms)
{
	struct source *in = ((struct packed_stream *)s)->in;

	return in->ops->wait(in, ms);
}

static void stream_progress(const struct source *s, uint64_t *done,
			    uint64_t *total)
{
	const struct source *in = ((const struct packed_stream *)s)->in;

	in->ops->progress(in, done, total);
}

static void stream_free(struct packed_stream *p)
{
	unpacker_free(p->unpacker);
	free(p->buf);
	free(p);
}

static void stream_close(struct source *s)
{
	struct packed_stream *p = (struct packed_stream *)s;

	p->in->ops->close(p->in);
	stream_free(p);
}

static const struct source_ops stream_ops = {
	stream_read, stream_wait, NULL, stream_progress, stream_close,
};

int source_packed_stream(struct source **out, struct source *in,
			 const void *head, size_t len)
{
	struct packed_stream *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->base = (struct source){ .ops = &stream_ops, .live = in->live,
				   .packed = true };
	p->unpacker = unpacker_new();
	if (!p->unpacker || !make_room(p, PACK_HEADER_MAX)) {
		stream_free(p);
		return frame_built() ? -ENOMEM : -EOPNOTSUPP;
	}
	p->in = in;
	memcpy(p->buf, head, len);
	p->to = len;
	*out = &p->base;
	return 0;
}
