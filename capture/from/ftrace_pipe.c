/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tap on one CPU's trace_pipe; see ftrace_pipe.h.
 *
 * The pipe has version 7 records of all devices, with sequence numbers of 0 and
 * without process notes.  Between them are remarks of the kernel, lines of
 * text, where the writer has overtaken the reader and events are lost.
 *
 * Records are numbered in place.  A run of records of one device is copied at
 * once to the records waiting for delivery, or delivered in place if none wait.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hint.h"
#include "capture/from/ftrace.h"
#include "capture/from/ftrace_notes.h"
#include "capture/from/ftrace_pipe.h"
#include "capture/tap.h"
#include "record/record.h"

/* --- ftrace remark -------------------------------------------------------- */

enum { LINE_MAX = 80 };		/* longer than any remark */

/* The kind of a line, without its end, and its number of lost events. */
static enum remark_kind read_line(const char *line, uint64_t *lost)
{
	unsigned long long events;
	unsigned int nr;
	int end = 0;

	if (sscanf(line, "type: %u%n", &nr, &end) == 1 && !line[end])
		return REMARK_ENTRY;
	if (sscanf(line, "CPU:%u [LOST %llu EVENTS]", &nr, &events) == 2) {
		*lost = events;
		return REMARK_LOST;
	}
	end = 0;
	sscanf(line, "CPU:%u [LOST EVENTS]%n", &nr, &end);
	return end ? REMARK_LOST_SOME : REMARK_NONE;
}

struct remark remark_at(const uint8_t *p, size_t len)
{
	size_t room = len < LINE_MAX - 1 ? len : LINE_MAX - 1;
	const uint8_t *end = memchr(p, '\n', room);
	struct remark r = { .kind = REMARK_NONE };
	char line[LINE_MAX];

	if (*p != 'C' && *p != 't')
		return r;
	if (!end) {
		r.kind = room < LINE_MAX - 1 ? REMARK_CUT : REMARK_NONE;
		return r;
	}
	memcpy(line, p, (size_t)(end - p));
	line[end - p] = '\0';
	r.kind = read_line(line, &r.lost);
	r.len = (size_t)(end - p) + 1;
	return r;
}

/* --- ftrace pipe ---------------------------------------------------------- */

enum {
	BATCH = 64 << 10,
	ENTRY_MAX = 8 << 10,	/* the kernel's own limit for one entry */
};

struct ftrace_pipe {
	struct tap tap;
	int fd;
	struct ftrace_notes extra;
	struct tap_lane *last;	/* the run's */
	const uint8_t *run;	/* its start, in `in` */
	uint64_t taken;		/* records since the last batch */
	size_t len;		/* bytes in `in`: between calls, a cut tail */
	uint8_t in[BATCH];
};

/* --- records on their way out --------------------------------------------- */

/* Ends the run at `end`; the next starts at next. */
static int run_end(struct ftrace_pipe *c, const uint8_t *end,
		   const uint8_t *next)
{
	size_t len = (size_t)(end - c->run);
	const uint8_t *run = c->run;

	c->run = next;
	return len ? tap_lane_add(c->last, run, len) : 0;
}

/* Adds the process' name before its first record. */
static COLD int add_name(struct ftrace_pipe *c, struct tap_lane *l,
			 const uint8_t *p)
{
	uint32_t pid = get32(FIELD(p, pid));
	int first = notes_add_pid(&c->extra.notes, l, pid);
	int err = first > 0 ? run_end(c, p, p) : first;

	if (first <= 0 || err)
		return err;
	return ftrace_notes_add_name(&c->extra, l, get64(FIELD(p, time)), pid);
}

/* --- records -------------------------------------------------------------- */

/* Ends the run before a record of another device.  NULL: not a device of the
 * run; skip the record. */
static COLD struct tap_lane *lane_switch(struct ftrace_pipe *c,
					 const uint8_t *p, size_t size,
					 int *err)
{
	uint32_t device = get32(FIELD(p, device));
	struct tap_lane *l = notes_find(&c->extra.notes, device);

	*err = run_end(c, p, l ? p : p + size);
	if (l)
		c->last = l;
	return l;
}

static inline int number_record(struct ftrace_pipe *c, uint8_t *p, size_t size)
{
	struct tap_lane *l = c->last;
	int err = 0;

	c->taken++;
	if (UNLIKELY(get32(FIELD(p, device)) != l->device))
		l = lane_switch(c, p, size, &err);
	if (UNLIKELY(err || !l))
		return err;
	tap_sums_add(&l->sums, get32(FIELD(p, action)), get32(FIELD(p, bytes)));
	if (UNLIKELY(c->extra.lost))
		ftrace_notes_hole(&c->extra, l);
	if (UNLIKELY(get32(FIELD(p, action)) & BLK_TC_ACT(BLK_TC_NOTIFY)))
		return 0;
	if (UNLIKELY(!tap_lane_knows(l, get32(FIELD(p, pid)))))
		err = add_name(c, l, p);
	l->sequence++;
	memcpy(FIELD(p, sequence), &l->sequence, sizeof(l->sequence));
	return err;
}

/* Delivers the rest of the run, in place if nothing waits before it. */
static int deliver_run(struct ftrace_pipe *c, const uint8_t *end,
		       tap_deliver *deliver, void *ctx)
{
	struct tap_lane *l = c->last;
	size_t len = (size_t)(end - c->run);
	struct tap_sums sums = l->sums;

	if (l->len || !len)
		return run_end(c, end, NULL);
	l->sums = (struct tap_sums){ 0 };
	return deliver(ctx, (unsigned int)(l - c->extra.notes.lanes), c->run,
		       len, &sums);
}

/* Delivers all records taken, up to end. */
static int deliver_all(struct ftrace_pipe *c, const uint8_t *end,
		       tap_deliver *deliver, void *ctx)
{
	int err = deliver_run(c, end, deliver, ctx);

	return err ? err : notes_deliver(&c->extra.notes, deliver, ctx);
}

/* --- what comes out of the pipe ------------------------------------------- */

/* Bytes of the remark at p; 0: cut, or with *none no remark. */
static size_t parse_remark(struct ftrace_pipe *c, const uint8_t *p, size_t len,
			   bool *none)
{
	struct remark r = remark_at(p, len);

	if (r.kind == REMARK_LOST)
		ftrace_notes_lost(&c->extra, r.lost);
	else if (r.kind == REMARK_LOST_SOME)
		ftrace_notes_lost_some(&c->extra);
	*none = r.kind == REMARK_NONE;
	return *none || r.kind == REMARK_CUT ? 0 : r.len;
}

/* Bytes of the record at p; 0: cut, or with *none no record. */
static inline size_t parse_record(struct ftrace_pipe *c, uint8_t *p, size_t len,
				  bool *none, int *err)
{
	size_t size;

	*none = false;
	if (len < BLK_HEADER_7)
		return 0;
	size = BLK_HEADER_7 + (size_t)get16(FIELD(p, pdu_len));
	*none = size > ENTRY_MAX || get32(FIELD(p, cpu)) != c->extra.notes.cpu;
	if (*none || size > len)
		return 0;
	*err = number_record(c, p, size);
	return size;
}

/* The same for a remark or other bytes, which end a run. */
static COLD size_t parse_other(struct ftrace_pipe *c, uint8_t *p, size_t len,
			       bool *none, int *err)
{
	size_t used = *none ? 0 : parse_remark(c, p, len, none);

	if (used || *none)
		*err = run_end(c, p, p + (*none ? 1 : used));
	return used;
}

/* Whether the header at p is an event of the run's device and process. */
static inline bool is_plain(const struct ftrace_pipe *c,
			    const struct tap_lane *l, const uint8_t *p)
{
	return get32(p) == (BLK_MAGIC | BLK_VERSION_7) &&
	       get32(FIELD(p, device)) == l->device &&
	       tap_lane_knows(l, get32(FIELD(p, pid))) &&
	       get32(FIELD(p, cpu)) == c->extra.notes.cpu &&
	       !(get32(FIELD(p, action)) & BLK_TC_ACT(BLK_TC_NOTIFY));
}

/* Takes the next records that need only a number, as most do; returns their
 * end. */
static size_t number_plain(struct ftrace_pipe *c, size_t at)
{
	struct tap_lane *l = c->last;
	uint32_t sequence = l->sequence;
	struct tap_sums sums = l->sums;
	const uint8_t *end = c->in + c->len;
	uint8_t *p = c->in + at;

	if (c->extra.lost)
		return at;
	while (end - p >= BLK_HEADER_7 && is_plain(c, l, p)) {
		long size = BLK_HEADER_7 + (long)get16(FIELD(p, pdu_len));

		if (size > ENTRY_MAX || size > end - p)
			break;
		sequence++;
		memcpy(FIELD(p, sequence), &sequence, sizeof(sequence));
		tap_sums_see(&sums, get32(FIELD(p, action)),
			     get32(FIELD(p, bytes)));
		p += size;
	}
	sums.records += sequence - l->sequence;
	l->sums = sums;
	c->taken += sequence - l->sequence;
	l->sequence = sequence;
	return (size_t)(p - c->in);
}

/* Takes all that is whole, and returns its bytes; skips unknown bytes one by
 * one. */
static size_t parse_all(struct ftrace_pipe *c, int *err)
{
	size_t at = number_plain(c, 0), skipped = 0;

	while (c->len - at >= sizeof(uint32_t) && !*err) {
		uint8_t *p = c->in + at;
		size_t len = c->len - at, used = 0;
		bool none = false;
		bool record = get32(p) == (BLK_MAGIC | BLK_VERSION_7);

		if (LIKELY(record))
			used = parse_record(c, p, len, &none, err);
		if (UNLIKELY(!record || none))
			used = parse_other(c, p, len, &none, err);
		if (!used && !none)
			break;
		skipped += none;
		at = number_plain(c, at + (none ? 1 : used));
	}
	if (skipped)
		ftrace_count_skipped(c->extra.ftrace, skipped);
	return at;
}

/* Takes and delivers all that is whole, and keeps the cut tail. */
static int batch_deliver(struct ftrace_pipe *c, tap_deliver *deliver, void *ctx)
{
	int err = 0, failed;
	size_t used;

	c->run = c->in;
	used = parse_all(c, &err);
	ftrace_notes_taken(&c->extra, c->taken);
	c->taken = 0;
	failed = deliver_all(c, c->in + used, deliver, ctx);
	memmove(c->in, c->in + used, c->len - used);
	c->len -= used;
	return err ? err : failed;
}

/*
 * The kernel returns 4 to 8 KiB at a time, and cuts a record only where room is
 * smaller; so the batch ends before that.
 */
static ssize_t batch_read(struct ftrace_pipe *c)
{
	ssize_t got, total = 0;

	while (BATCH - c->len >= ENTRY_MAX) {
		got = read(c->fd, c->in + c->len, BATCH - c->len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno != EAGAIN)
			return -errno;
		if (got <= 0)
			break;
		c->len += (size_t)got;
		total += got;
	}
	return total;
}

/* One batch: above 0: some; 0: none; or -errno. */
static ssize_t drain_once(struct ftrace_pipe *c, tap_deliver *deliver,
			  void *ctx)
{
	int stamped = ftrace_notes_begin(&c->extra), err;
	ssize_t got;

	if (stamped < 0)
		return stamped == -EAGAIN ? 0 : stamped;
	got = batch_read(c);
	err = batch_deliver(c, deliver, ctx);
	if (got < 0)
		return got;
	return err ? err : got + stamped;
}

/* --- the tap -------------------------------------------------------------- */

static unsigned int pipe_fds(struct tap *t, struct pollfd *fds,
			       unsigned int max)
{
	struct ftrace_pipe *c = (struct ftrace_pipe *)t;

	if (max)
		*fds = (struct pollfd){ .fd = c->fd, .events = POLLIN };
	return max > 0;
}

static int pipe_drain(struct tap *t, tap_deliver *deliver, void *ctx)
{
	struct ftrace_pipe *c = (struct ftrace_pipe *)t;
	int any = 0;
	ssize_t got;

	ftrace_notes_drain(&c->extra);
	while ((got = drain_once(c, deliver, ctx)) > 0)
		any = 1;
	if (got < 0)
		return (int)got;
	got = ftrace_notes_settle(&c->extra, c->last);
	t->lost_until = c->extra.audited;
	if (got > 0)
		got = notes_deliver(&c->extra.notes, deliver, ctx), any = 1;
	return got < 0 ? (int)got : any;
}

static void pipe_close(struct tap *t)
{
	struct ftrace_pipe *c = (struct ftrace_pipe *)t;

	if (c->fd >= 0)
		close(c->fd);
	ftrace_notes_free(&c->extra);
	free(c);
}

static const struct tap_ops pipe_ops = { pipe_fds, pipe_drain, pipe_close };

static int file_open(struct ftrace_pipe *c)
{
	char path[FTRACE_PATH + 64];

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe",
		 ftrace_path(c->extra.ftrace), c->extra.notes.cpu);
	c->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return c->fd < 0 ? -errno : 0;
}

int ftrace_pipe_open(struct tap **t, struct ftrace *f, uint32_t cpu,
		     bool stamps)
{
	struct ftrace_pipe *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	c->tap.ops = &pipe_ops;
	c->fd = -1;
	err = ftrace_notes_init(&c->extra, f, cpu, stamps, false);
	c->last = c->extra.notes.lanes;
	if (!err)
		err = file_open(c);
	if (err)
		pipe_close(&c->tap);
	else
		*t = &c->tap;
	return err;
}
