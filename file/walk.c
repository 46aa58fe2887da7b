/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From header to header through a file; see walk.h.
 *
 * Batches are counted as file/stream makes them: a batch ends directly after
 * its last event, and messages count as events.  Other notes are part of the
 * batch of the next event.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hint.h"
#include "file/header.h"
#include "file/positions.h"
#include "file/walk.h"
#include "record/record.h"

enum { READ_SIZE = 131072, SIZE = READ_SIZE + BLK_HEADER_MAX + BLK_PAYLOAD_MAX };

struct batch {
	uint64_t at, first, after;	/* as struct landing has it */
};

struct walk {
	int fd;
	struct header_reader headers;
	struct positions *known;
	uint32_t cpu_first, cpu_more;	/* CPUs that fit: so many more */
	uint32_t batch_size, room;	/* room: events until the batch ends */
	uint64_t time;
	uint64_t events, last, most, least;
	struct batch now, before;

	uint64_t base;		/* offset of buf[0] in the file */
	size_t at, end;
	bool eof;
	uint8_t buf[SIZE];
};

/* --- bytes into the buffer ---------------------------------------------- */

/* 1: read, maybe the end for the first time; 0: already at the end; -errno. */
static int read_more(struct walk *w)
{
	ssize_t n;

	if (w->eof)
		return 0;
	memmove(w->buf, w->buf + w->at, w->end - w->at);
	w->base += w->at;
	w->end -= w->at;
	w->at = 0;
	do
		n = pread(w->fd, w->buf + w->end, SIZE - w->end,
			  (off_t)(w->base + w->end));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	w->end += (size_t)n;
	w->eof = !n;
	return 1;		/* the end, too, is worth a look */
}

/* --- records ------------------------------------------------------------- */

static int end_batch(struct walk *w)
{
	const struct position here = { w->base + w->at, w->most, w->least };

	w->before = w->now;
	w->now = (struct batch){ here.offset, w->events, w->most };
	w->room = w->batch_size;
	return w->events % POSITIONS_STEP ? 0 : positions_add(w->known, &here);
}

static int pass_note(struct walk *w)
{
	return positions_add_note(w->known, &(struct passed_note){
			.offset = w->base + w->at,
			.number = w->events,
			.after = w->now.after });
}

/*
 * The fast path: whole events of native version 7, of a CPU that fits, before
 * the time.  Stops at any other record, which is step()'s, and at a batch's
 * end.
 */
static void run(struct walk *w)
{
	const uint8_t *raw = w->buf + w->at, *end = w->buf + w->end;
	uint64_t most = w->most, least = w->least, last = w->last;
	uint32_t room = w->room;

	for (; room; room--) {
		size_t left = (size_t)(end - raw), total;
		uint64_t time;

		if (left < BLK_HEADER_7 ||
		    get32(raw) != (BLK_MAGIC | BLK_VERSION_7) ||
		    get32(FIELD(raw, action)) & BLK_TC_ACT(BLK_TC_NOTIFY) ||
		    get32(FIELD(raw, cpu)) - w->cpu_first > w->cpu_more)
			break;
		time = get64(FIELD(raw, time));
		total = BLK_HEADER_7 + (size_t)get16(FIELD(raw, pdu_len));
		if (left < total || time >= w->time)
			break;
		last = time;
		most = time > most ? time : most;
		least = time < least ? time : least;
		raw += total;
	}
	w->events += w->room - room;
	w->room = room;
	w->last = last;
	w->most = most;
	w->least = least;
	w->at = (size_t)(raw - w->buf);
}

static bool is_fine(const struct walk *w, const struct header *h)
{
	return !h->swapped && (!h->layout || h->layout->version == 8) &&
	       h->cpu - w->cpu_first <= w->cpu_more;
}

/* 1: passed; 0: it is not before the time */
static int pass_event(struct walk *w, uint64_t time, size_t total)
{
	if (time >= w->time)
		return 0;
	w->last = time;
	w->most = time > w->most ? time : w->most;
	w->least = time < w->least ? time : w->least;
	w->events++;
	w->room--;
	w->at += total;
	return 1;
}

/*
 * One record of any kind.  1: passed; 0: not before the time; -ENODATA: needs
 * more bytes; -EINVAL; -ENOMEM; -E2BIG.
 */
static int step(struct walk *w)
{
	const uint8_t *raw = w->buf + w->at;
	size_t left = w->end - w->at;
	struct header h;
	enum header_verdict v = header_read(&w->headers, raw, left, w->eof, &h);
	int err;

	if (v == HEADER_BAD || (v == HEADER_WHOLE && !is_fine(w, &h)))
		return -EINVAL;
	if (v == HEADER_SHORT || left < h.total)
		return -ENODATA;
	if (!action_is_noted(h.action))	/* its time is where 7 has it, too */
		return pass_event(w, get64(FIELD(raw, time)), h.total);
	err = pass_note(w);
	w->at += h.total;
	return err ? err : 1;
}

/* Passes all records before the time.  0, or -errno. */
static int pass_all(struct walk *w)
{
	int err = 0, got = 1;

	while (!err && got > 0) {
		run(w);
		if (!w->room) {
			err = end_batch(w);
			continue;
		}
		got = step(w);
		/* a record that is cut short is the stream's to report */
		if (got == -ENODATA)
			got = read_more(w);
		else if (got > 0 && !w->room)
			err = end_batch(w);
	}
	return err ? err : got;
}

/* --- the whole way -------------------------------------------------------- */

static struct walk *walk_new(const struct walk_options *o,
			     struct positions *known)
{
	const struct position *from = known->count ?
		&known->list[known->count - 1] : NULL;
	struct walk *w = malloc(sizeof(*w));

	if (!w)
		return NULL;
	/* all but the buffer, which is large */
	memset(w, 0, offsetof(struct walk, buf));
	w->known = known;
	w->cpu_first = o->cpu < 0 ? 0 : (uint32_t)o->cpu;
	w->cpu_more = o->cpu < 0 ? BLK_CPU_MAX - 1 : 0;
	w->batch_size = w->room = o->batch;
	w->time = o->time;
	w->least = from ? from->least : UINT64_MAX;
	w->most = from ? from->most : 0;
	w->base = from ? from->offset : 0;
	w->events = known->count * (uint64_t)POSITIONS_STEP;
	w->now = w->before = (struct batch){ w->base, w->events, w->most };
	return w;
}

static int land(const struct walk *w, struct landing *to)
{
	bool begun = w->events > w->now.first;
	const struct batch *b = begun || !w->events ? &w->now : &w->before;

	/* the start of a position's batch before it is unknown */
	if (!begun && w->events && w->before.at == w->now.at)
		return -EINVAL;
	*to = (struct landing){ w->events, w->last, w->most, w->least,
				b->at, b->first, b->after };
	return 0;
}

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

int walk_file(const struct walk_options *o, struct positions *p,
	      struct landing *to)
{
	struct walk *w;
	int err;

	positions_cut(p, o->time);
	w = walk_new(o, p);
	if (!w)
		return -ENOMEM;
	w->fd = open_file(o->path);
	err = w->fd < 0 ? w->fd : pass_all(w);
	if (w->fd >= 0)
		close(w->fd);
	if (!err)
		err = land(w, to);
	free(w);
	return err;
}
