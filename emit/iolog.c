/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os as an iolog of fio; see iolog.h.  A line is
 *
 *	TIME FILE add|open|close
 *	TIME FILE read|write|trim|datasync OFFSET BYTES
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/hint.h"
#include "base/hold.h"
#include "base/num.h"
#include "base/time.h"
#include "blktrace.h"
#include "emit/iolog.h"
#include "emit/named_io.h"
#include "request/io.h"
#include "run/device.h"

enum verb { NOTHING, READ, WRITE, TRIM, SYNC };

static const char *const verbs[] = {
	[READ] = " read ", [WRITE] = " write ", [TRIM] = " trim ",
	[SYNC] = " datasync ",
};

/* other operations have no counterpart */
static const enum verb verb_of[IO_OPS] = {
	[IO_READ] = READ, [IO_WRITE] = WRITE, [IO_APPEND] = WRITE,
	[IO_DISCARD] = TRIM, [IO_ZEROES] = TRIM, [IO_FLUSH_OP] = SYNC,
};

enum {
	VERB_ROOM = 16,
	LINE_ROOM = IOLOG_NAME_MAX + VERB_ROOM + 3 * NUM_DECIMAL_MAX + 2 +
		    NUM_SLACK,
};

static const char header[] = "fio version 3 iolog\n";

enum { RECENT = 256 };		/* a power of two */

struct held {
	uint64_t offset, bytes;
	uint32_t file;
	enum verb verb;
	bool before, after;	/* syncs */
};

struct file {
	char *name;
	uint32_t len;
	bool open;
	const struct device *disk;
	uint32_t device;
};

struct iolog {
	struct buf *b;
	struct iolog_options o;
	struct iolog_counts counts;
	struct hold held;	/* at most IOLOG_HELD */
	struct file *files;
	size_t file_count, file_size;
	uint32_t recent[RECENT];	/* files, by their disk's number */
	/* the request whose I/Os are coming, as it will be held */
	uint64_t rq;		/* 0: none */
	struct order rq_key;
	struct held rq_held;
	bool rq_has_lead;
	bool begun;
	uint64_t first, last;	/* written times, ns */
};

/* --- files ---------------------------------------------------------------- */

static char *name_of(const struct iolog *w, const struct named_io *io)
{
	const char *dir = strcmp(io->disk, io->dev) ? "/dev/" : "/dev/block/";
	size_t dir_len = strlen(dir), len = strlen(io->disk);
	char *name;

	if (w->o.target)
		return strndup(w->o.target, IOLOG_NAME_MAX);
	if (len > IOLOG_NAME_MAX - dir_len)
		len = IOLOG_NAME_MAX - dir_len;
	name = malloc(dir_len + len + 1);
	if (!name)
		return NULL;
	memcpy(name, dir, dir_len);
	for (size_t i = 0; i < len; i++)
		name[dir_len + i] = (unsigned char)io->disk[i] <= ' ' ?
				    '_' : io->disk[i];
	name[dir_len + len] = '\0';
	return name;
}

/* the file's number, or -errno */
static COLD int add_file(struct iolog *w, const struct named_io *io)
{
	struct file *files;
	char *name;

	if (w->o.target && w->file_count)
		return -EXDEV;
	files = array_reserve(w->files, w->file_count, &w->file_size, 16,
			      sizeof(*files));
	if (!files)
		return -ENOMEM;
	w->files = files;
	name = name_of(w, io);
	if (!name)
		return -ENOMEM;
	files[w->file_count] = (struct file){
		.name = name, .len = (uint32_t)strlen(name),
		.disk = io->io->disk, .device = io->io->device,
	};
	return (int)w->file_count++;
}

static bool is_of(const struct file *f, const struct io *io)
{
	return f->disk == io->disk && f->device == io->device;
}

static COLD int look_for_file(struct iolog *w, const struct named_io *io)
{
	for (uint32_t i = 0; i < w->file_count; i++)
		if (is_of(&w->files[i], io->io))
			return (int)i;
	return add_file(w, io);
}

/* the number of an I/O's file, or -errno */
static int find_file(struct iolog *w, const struct named_io *io)
{
	uint32_t *recent = &w->recent[io->io->disk->id % RECENT];
	int n = (int)*recent;

	if (LIKELY(w->file_count && is_of(&w->files[n], io->io)))
		return n;
	n = look_for_file(w, io);
	if (n >= 0)
		*recent = (uint32_t)n;
	return n;
}

/* --- lines ---------------------------------------------------------------- */

static inline char *put_start(const struct iolog *w, const struct file *f,
			      char *p)
{
	p = num_u64(p, (w->last - w->first) / NS_PER_US);
	*p++ = ' ';
	memcpy(p, f->name, f->len);
	return p + f->len;
}

static void put_action(struct iolog *w, const struct file *f, const char *what)
{
	char *p = buf_room(w->b, LINE_ROOM);

	if (UNLIKELY(!p))
		return;		/* the buffer has the error */
	p = put_start(w, f, p);
	memcpy(p, what, strlen(what));
	buf_commit(w->b, p + strlen(what));
}

static void put_io(struct iolog *w, const struct file *f, enum verb verb,
		   uint64_t offset, uint64_t bytes)
{
	size_t len = strlen(verbs[verb]);
	char *p = buf_room(w->b, LINE_ROOM);

	if (UNLIKELY(!p))
		return;
	p = put_start(w, f, p);
	memcpy(p, verbs[verb], len);
	p = num_u64(p + len, offset);
	*p++ = ' ';
	p = num_u64(p, bytes);
	*p++ = '\n';
	buf_commit(w->b, p);
}

static void open_file(struct iolog *w, struct file *f)
{
	put_action(w, f, " add\n");
	put_action(w, f, " open\n");
	f->open = true;
}

static void write_held(struct iolog *w, const struct held *h, uint64_t time)
{
	struct file *f = &w->files[h->file];

	if (UNLIKELY(!w->begun)) {
		w->begun = true;
		w->first = w->last = time;
	}
	if (UNLIKELY(time < w->last))
		w->counts.late++;
	else
		w->last = time;
	if (UNLIKELY(!f->open))
		open_file(w, f);
	if (h->before)
		put_io(w, f, SYNC, 0, 0);
	put_io(w, f, h->verb, h->offset, h->bytes);
	if (h->after)
		put_io(w, f, SYNC, 0, 0);
}

/* --- order ---------------------------------------------------------------- */

static void write_first(struct iolog *w)
{
	uint64_t time = hold_least(&w->held)->time;

	write_held(w, hold_take(&w->held, NULL), time);
}

static int hold(struct iolog *w, const struct order *key, const struct held *h)
{
	struct held *place;

	if (UNLIKELY(hold_count(&w->held) == IOLOG_HELD)) {
		if (order_before(key, hold_least(&w->held))) {
			write_held(w, h, key->time);
			return 0;
		}
		write_first(w);
	}
	place = hold_add(&w->held, HOLD_ALONE, key);
	if (UNLIKELY(!place))
		return -ENOMEM;
	*place = *h;
	return 0;
}

/* --- I/Os ----------------------------------------------------------------- */

static bool has(const struct io *io, enum blk_category category)
{
	return io->categories & BLK_TC_BIT(category);
}

/* whether an iolog can have it; sets *h but its file and syncs */
static bool translate(struct iolog *w, const struct io *io, struct held *h)
{
	uint64_t sector = io->op == IO_APPEND && io->at != IO_NONE ?
			  io->at : io->sector;

	*h = (struct held){ .verb = verb_of[io->op] };
	if (UNLIKELY(io->kind == IO_PASS || h->verb == NOTHING ||
		     sector > UINT64_MAX / 512)) {
		w->counts.foreign++;
		return false;
	}
	if (h->verb == SYNC)
		return true;
	h->offset = 512 * sector;
	h->bytes = io->bytes;
	return h->bytes;
}

static int add_queued(struct iolog *w, const struct io *io, uint32_t file)
{
	const struct order key = { io->time, io->id, 0 };
	struct held h;

	if (io->link == IO_SPLIT || io->kind == IO_FLUSH ||
	    !translate(w, io, &h))
		return 0;
	h.file = file;
	if (h.verb == WRITE) {
		h.before = has(io, BLK_TC_FLUSH);
		h.after = has(io, BLK_TC_FUA);
	}
	return hold(w, &key, &h);
}

static int end_request(struct iolog *w)
{
	bool complete = w->rq && w->rq_has_lead;

	w->rq = 0;
	return complete ? hold(w, &w->rq_key, &w->rq_held) : 0;
}

/* A front-merged I/O precedes its lead. */
static void widen(struct iolog *w, const struct held *h)
{
	if (h->offset < w->rq_held.offset)
		w->rq_held.offset = h->offset;
}

static void take_lead(struct iolog *w, const struct io *io, struct held *h)
{
	uint64_t least = w->rq_held.offset;

	if (h->verb != SYNC)
		h->bytes = io->rq_bytes;
	h->after = h->verb == WRITE && has(io, BLK_TC_FUA) && !io->flush2;
	w->rq_held = *h;
	if (least < h->offset)
		w->rq_held.offset = least;
	w->rq_has_lead = true;
}

static int begin_request(struct iolog *w, const struct io *io)
{
	int err = end_request(w);

	w->rq = io->rq;
	w->rq_key = (struct order){ io->issued, io->rq, 0 };
	w->rq_held = (struct held){ .offset = UINT64_MAX };
	w->rq_has_lead = false;
	return err;
}

static int add_issued(struct iolog *w, const struct io *io, uint32_t file)
{
	const struct order key = { io->issued, io->id, 0 };
	struct held h;
	int err = 0;

	if (!io->rq || io->issued == IO_NONE || !translate(w, io, &h))
		return 0;
	h.file = file;
	/* a request of discards may have several separate ranges */
	if (h.verb == TRIM)
		return hold(w, &key, &h);
	if (io->rq != w->rq)
		err = begin_request(w, io);
	if (io_leads(io))
		take_lead(w, io, &h);
	else
		widen(w, &h);
	return err;
}

int iolog_io(struct iolog *w, const struct named_io *named)
{
	const struct io *io = named->io;
	int file = find_file(w, named);

	if (UNLIKELY(file < 0))
		return file;
	return w->o.at == IOLOG_AT_QUEUE ?
	       add_queued(w, io, (uint32_t)file) :
	       add_issued(w, io, (uint32_t)file);
}

int iolog_settle(struct iolog *w, uint64_t time)
{
	int err = end_request(w);

	while (!err && hold_count(&w->held) &&
	       hold_least(&w->held)->time < time)
		write_first(w);
	return err;
}

int iolog_end(struct iolog *w)
{
	int err = end_request(w);

	while (hold_count(&w->held))
		write_first(w);
	for (size_t i = 0; i < w->file_count; i++)
		if (w->files[i].open)
			put_action(w, &w->files[i], " close\n");
	return err;
}

/* --- open and close ------------------------------------------------------- */

int iolog_open(struct iolog **made, struct buf *b,
	       const struct iolog_options *o)
{
	struct iolog *w = calloc(1, sizeof(*w));

	*made = NULL;
	if (!w)
		return -ENOMEM;
	*w = (struct iolog){ .b = b, .o = *o };
	hold_init(&w->held, sizeof(struct held));
	buf_append(b, header, sizeof(header) - 1);
	*made = w;
	return 0;
}

const struct iolog_counts *iolog_counts(const struct iolog *w)
{
	return &w->counts;
}

void iolog_free(struct iolog *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->file_count; i++)
		free(w->files[i].name);
	free(w->files);
	hold_free(&w->held);
	free(w);
}
