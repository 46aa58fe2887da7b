/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tap on one CPU's events of tracefs; see ftrace_cpu.h.
 *
 * Pages of trace_pipe_raw take a fraction of trace_pipe's time.  An entry of
 * the blk tracer is a record without magic, sequence and time, which are
 * replaced by the header of all tracers' entries; Linux 6.19 and later make it
 * a record of version 8.  As nothing identifies the blk tracer's entries, one
 * counts as such if no format claims its type, and CPU and length are those of
 * a record.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hint.h"
#include "capture/from/ftrace.h"
#include "capture/from/ftrace_cpu.h"
#include "capture/from/ftrace_notes.h"
#include "capture/from/ftrace_pipe.h"
#include "capture/tap.h"
#include "file/ftrace_page.h"
#include "record/record.h"

/* --- ftrace pages --------------------------------------------------------- */

enum {
	BATCH = 256 << 10,	/* bytes of pages between deliveries: their
				 * records fit into as much memory */
	ROUNDED = 8,		/* an entry exceeds its record by fewer bytes */
	COMMON = offsetof(struct event, sector),
};

struct ftrace_pages {
	struct tap tap;
	const struct ftrace_layout *layout;
	int fd, pipe;
	struct ftrace_notes extra;
	struct tap_lane *last;	/* of the previous event */
	uint8_t *page;
};

/* --- records -------------------------------------------------------------- */

static COLD int add_name(struct ftrace_pages *c, struct tap_lane *l,
			 uint64_t time, uint32_t pid)
{
	int first = notes_add_pid(&c->extra.notes, l, pid);

	return first > 0 ? ftrace_notes_add_name(&c->extra, l, time, pid) :
			   first;
}

/* Numbers a record, and names its process before it; 0: a note. */
static inline int number_record(struct ftrace_pages *c, struct tap_lane *l,
				uint64_t time, uint32_t action, uint32_t pid,
				uint32_t *sequence)
{
	int err = 0;

	*sequence = 0;
	if (UNLIKELY(c->extra.lost))
		ftrace_notes_hole(&c->extra, l);
	if (UNLIKELY(action & BLK_TC_ACT(BLK_TC_NOTIFY)))
		return 0;
	if (UNLIKELY(!tap_lane_knows(l, pid)))
		err = add_name(c, l, time, pid);
	*sequence = ++l->sequence;
	return err;
}

static COLD struct tap_lane *lane_switch(struct ftrace_pages *c,
					 uint32_t device)
{
	struct tap_lane *l = notes_find(&c->extra.notes, device);

	if (l)
		c->last = l;
	return l;
}

/* NULL: not a device of the run. */
static inline struct tap_lane *lane_of(struct ftrace_pages *c, uint32_t device)
{
	return LIKELY(c->last->device == device) ? c->last :
						   lane_switch(c, device);
}

/* A record of version 7, size bytes with its payload. */
static inline int take_7(struct ftrace_pages *c, const struct ftrace_entry *e,
			 size_t size)
{
	struct tap_lane *l = lane_of(c, get32(FIELD(e->data, device)));
	uint32_t head[] = { BLK_MAGIC | BLK_VERSION_7, 0 };
	uint8_t *out;
	int err;

	if (UNLIKELY(!l))
		return 0;
	tap_sums_add(&l->sums, get32(FIELD(e->data, action)),
		     get32(FIELD(e->data, bytes)));
	err = number_record(c, l, e->time, get32(FIELD(e->data, action)),
			    get32(FIELD(e->data, pid)), &head[1]);
	out = err ? NULL : tap_lane_room(l, size);
	if (UNLIKELY(!out))
		return err ? err : -ENOMEM;
	memcpy(out, head, sizeof(head));
	memcpy(FIELD(out, time), &e->time, sizeof(e->time));
	memcpy(out + COMMON, e->data + COMMON, BLK_HEADER_7 - COMMON);
	if (size > BLK_HEADER_7)
		memcpy(out + BLK_HEADER_7, e->data + BLK_HEADER_7,
		       size - BLK_HEADER_7);
	return 0;
}

/* One of version 8, converted to version 7 unless it is about zones. */
static COLD int take_8(struct ftrace_pages *c, const struct ftrace_entry *e)
{
	struct tap_lane *l;
	struct event ev;
	int err;

	record_decode(record_layout(BLK_VERSION_8, 0), false, e->data, &ev);
	l = lane_of(c, ev.device);
	if (!l || ev.zone)
		return 0;
	ev.time = e->time;
	tap_sums_add(&l->sums, ev.action, ev.bytes);
	err = number_record(c, l, e->time, ev.action, ev.pid, &ev.sequence);
	err = err ? err : tap_lane_add(l, &ev, BLK_HEADER_7);
	return err ? err : tap_lane_add(l, e->data + BLK_HEADER_8, ev.pdu_len);
}

/* --- entries -------------------------------------------------------------- */

static inline bool is_rounded(size_t size, const struct ftrace_entry *e)
{
	return e->len >= size && e->len - size < ROUNDED;
}

static bool is_record_8(const struct ftrace_pages *c,
			const struct ftrace_entry *e)
{
	const struct layout *l = record_layout(BLK_VERSION_8, 0);

	return e->len >= BLK_HEADER_8 &&
	       get32(e->data + l->cpu) == c->extra.notes.cpu &&
	       is_rounded(BLK_HEADER_8 + (size_t)get16(e->data + l->pdu_len),
			  e);
}

static inline bool may_be_blk(const struct ftrace_layout *l,
			      const struct ftrace_entry *e)
{
	unsigned int type;

	if (UNLIKELY(e->len < BLK_HEADER_7))
		return false;
	type = get16(e->data + l->type);
	return type < 64 && (l->blk >> type & 1);
}

/* Skips other tracers' entries, which are no damage. */
static COLD int take_other(struct ftrace_pages *c,
			   const struct ftrace_entry *e)
{
	if (!may_be_blk(c->layout, e))
		return 0;
	if (is_record_8(c, e))
		return take_8(c, e);
	ftrace_count_skipped(c->extra.ftrace, e->len);
	return 0;
}

static inline int take_entry(struct ftrace_pages *c,
			     const struct ftrace_entry *e)
{
	size_t size;

	if (UNLIKELY(!may_be_blk(c->layout, e)))
		return 0;
	size = BLK_HEADER_7 + (size_t)get16(FIELD(e->data, pdu_len));
	if (LIKELY(is_rounded(size, e) &&
		   get32(FIELD(e->data, cpu)) == c->extra.notes.cpu))
		return take_7(c, e, size);
	return take_other(c, e);
}

/* --- pages ---------------------------------------------------------------- */

static COLD void add_lost(struct ftrace_pages *c, const struct ftrace_page *p)
{
	if (p->lost)
		ftrace_notes_lost(&c->extra, p->lost);
	else
		ftrace_notes_lost_some(&c->extra);
}

/* Takes a page, up to damage. */
static int take_page(struct ftrace_pages *c, size_t len)
{
	struct ftrace_entry e;
	struct ftrace_page p;
	uint64_t taken = 0;
	int got, err = 0;

	if (ftrace_page_begin(&p, c->layout, c->page, len)) {
		ftrace_count_skipped(c->extra.ftrace, len);
		return 0;
	}
	if (p.lossy)
		add_lost(c, &p);
	while (!err && (got = ftrace_page_next(&p, &e)) > 0) {
		err = take_entry(c, &e);
		taken++;
	}
	ftrace_notes_taken(&c->extra, taken);
	if (!err && got < 0)
		ftrace_count_skipped(c->extra.ftrace, (size_t)(p.end - p.at));
	return err;
}

/* 1: took a page; 0: none for now; -errno. */
static int read_page(struct ftrace_pages *c)
{
	ssize_t got;
	int err;

	do
		got = read(c->fd, c->page, c->layout->page);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN ? 0 : -errno;
	if (got == 0)
		return 0;
	err = take_page(c, (size_t)got);
	return err ? err : 1;
}

/* One batch: 1: there may be more; 0; -errno; *any: it had events. */
static int drain_once(struct ftrace_pages *c, tap_deliver *deliver, void *ctx,
		      int *any)
{
	int begun = ftrace_notes_begin(&c->extra), got = 1, err;

	if (begun < 0)
		return begun == -EAGAIN ? 0 : begun;
	*any |= begun;
	for (size_t len = 0; got > 0 && len < BATCH; len += c->layout->page) {
		got = read_page(c);
		*any |= got > 0;
	}
	err = notes_deliver(&c->extra.notes, deliver, ctx);
	return got < 0 ? got : err ? err : got;
}

/* --- the tap -------------------------------------------------------------- */

static unsigned int pages_fds(struct tap *t, struct pollfd *fds,
			      unsigned int max)
{
	struct ftrace_pages *c = (struct ftrace_pages *)t;

	if (max)
		*fds = (struct pollfd){ .fd = c->fd, .events = POLLIN };
	return max > 0;
}

static int pages_drain(struct tap *t, tap_deliver *deliver, void *ctx)
{
	struct ftrace_pages *c = (struct ftrace_pages *)t;
	int any = 0, got;

	ftrace_notes_drain(&c->extra);
	while ((got = drain_once(c, deliver, ctx, &any)) > 0)
		;
	if (got < 0)
		return got;
	got = ftrace_notes_settle(&c->extra, c->last);
	t->lost_until = c->extra.audited;
	if (got > 0)
		got = notes_deliver(&c->extra.notes, deliver, ctx), any = 1;
	return got < 0 ? got : any;
}

static void pages_close(struct tap *t)
{
	struct ftrace_pages *c = (struct ftrace_pages *)t;

	if (c->fd >= 0)
		close(c->fd);
	if (c->pipe >= 0)
		close(c->pipe);
	ftrace_notes_free(&c->extra);
	free(c->page);
	free(c);
}

static const struct tap_ops pages_ops = { pages_fds, pages_drain,
					  pages_close };

/* A descriptor of the CPU's file, or -errno. */
static int file_open(const struct ftrace_pages *c, const char *name)
{
	char path[FTRACE_PATH + 64];
	int fd;

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/%s",
		 ftrace_path(c->extra.ftrace), c->extra.notes.cpu, name);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int open_all(struct ftrace_pages *c, struct ftrace *f, uint32_t cpu,
		    bool stamps)
{
	int err = ftrace_notes_init(&c->extra, f, cpu, stamps, true);

	if (err)
		return err;
	c->last = c->extra.notes.lanes;
	c->page = malloc(c->layout->page);
	if (!c->page)
		return -ENOMEM;
	c->pipe = file_open(c, "trace_pipe");
	if (c->pipe < 0)
		return c->pipe;
	c->fd = file_open(c, "trace_pipe_raw");
	return c->fd < 0 ? c->fd : 0;
}

/*
 * As ftrace_cpu_open().  Keeps trace_pipe open, too: only one process can, so
 * no other takes our events.  -EOPNOTSUPP: the layout of pages is unknown.
 */
static int ftrace_pages_open(struct tap **t, struct ftrace *f, uint32_t cpu,
			     bool stamps)
{
	const struct ftrace_layout *layout = ftrace_pages(f);
	struct ftrace_pages *c;
	int err;

	if (!layout)
		return -EOPNOTSUPP;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->tap.ops = &pages_ops;
	c->layout = layout;
	c->fd = c->pipe = -1;
	err = open_all(c, f, cpu, stamps);
	if (err)
		pages_close(&c->tap);
	else
		*t = &c->tap;
	return err;
}

/* --- ftrace cpu ----------------------------------------------------------- */

int ftrace_cpu_open(struct tap **t, struct ftrace *f, uint32_t cpu, bool stamps)
{
	int err = ftrace_pages_open(t, f, cpu, stamps);

	return err ? ftrace_pipe_open(t, f, cpu, stamps) : 0;
}
