/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's events from tracefs.
 *
 * The pipe holds version 7 records of all devices, one behind the other, with
 * sequence numbers of 0 and without process notes.  Between them the kernel
 * puts remarks, lines of text: events are lost where the writer was round
 * before the reader.
 *
 * Records are numbered where they lie.  A run of them, all of one device, is
 * copied in one go to what waits for delivery, or delivered where it lies if
 * nothing waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hint.h"
#include "capture/ftrace/ftrace.h"
#include "capture/ftrace/ftrace_cpu.h"
#include "capture/ftrace/ftrace_names.h"
#include "capture/ftrace/ftrace_remark.h"
#include "capture/notes.h"
#include "capture/tap.h"
#include "trace/record.h"

enum {
	BATCH = 64 << 10,
	ENTRY_MAX = 8 << 10,	/* the kernel's own limit for one entry */
};

struct ftrace_cpu {
	struct tap tap;
	struct ftrace *ftrace;
	int fd;
	uint32_t cpu;
	bool stamps;		/* has yet to note when tracing began */
	struct notes notes;
	struct tap_lane *last;	/* the run's */
	const uint8_t *run;	/* where it begins, in `in` */
	struct ftrace_names names;
	uint64_t lost;		/* known, but no event has come after it */
	uint64_t lost_ever;
	size_t len;		/* bytes in `in`: between calls, a cut tail */
	uint8_t in[BATCH];
};

/* --- records on their way out --------------------------------------------- */

/* The run ends before `end`; what follows it begins at next. */
static int run_end(struct ftrace_cpu *c, const uint8_t *end,
		   const uint8_t *next)
{
	size_t len = (size_t)(end - c->run);
	const uint8_t *run = c->run;

	c->run = next;
	return len ? tap_lane_add(c->last, run, len) : 0;
}

/* Every CPU's idle task has pid 0: no list knows them, all know their names. */
static void name_of(struct ftrace_cpu *c, uint32_t pid, char name[NOTES_NAME])
{
	if (pid) {
		ftrace_names_get(&c->names, ftrace_path(c->ftrace), pid, name);
		return;
	}
	memset(name, 0, NOTES_NAME);
	snprintf(name, NOTES_NAME, "swapper/%u", c->cpu);
}

/* Adds the name of the record's process before it, if it is the first. */
static COLD int add_name(struct ftrace_cpu *c, struct tap_lane *l,
			 const uint8_t *p)
{
	uint32_t pid = get32(FIELD(p, pid));
	int first = notes_add_pid(&c->notes, l, pid);
	int err = first > 0 ? run_end(c, p, p) : first;
	char name[NOTES_NAME];

	if (first <= 0 || err)
		return err;
	name_of(c, pid, name);
	return notes_add_name(&c->notes, l, get64(FIELD(p, time)), pid,
			      l->device, name);
}

/* --- records -------------------------------------------------------------- */

/*
 * It is not known whose events were lost: the device of the next one has the
 * hole.  The sum over the devices is right.
 */
static COLD void add_loss(struct ftrace_cpu *c, struct tap_lane *l)
{
	l->sequence += (uint32_t)c->lost;
	ftrace_count_lost(c->ftrace, (unsigned int)(l - c->notes.lanes),
			  c->lost);
	c->lost = 0;
}

/*
 * A record of another device than the one before ends the run.  NULL: it is
 * none of ours, and passed over.
 */
static COLD struct tap_lane *lane_switch(struct ftrace_cpu *c,
					 const uint8_t *p, size_t size,
					 int *err)
{
	struct tap_lane *l = notes_find(&c->notes, get32(FIELD(p, device)));

	*err = run_end(c, p, l ? p : p + size);
	if (l)
		c->last = l;
	return l;
}

/* One record of the pipe. */
static inline int number_record(struct ftrace_cpu *c, uint8_t *p, size_t size)
{
	struct tap_lane *l = c->last;
	int err = 0;

	if (UNLIKELY(get32(FIELD(p, device)) != l->device))
		l = lane_switch(c, p, size, &err);
	if (UNLIKELY(err || !l))
		return err;
	l->records++;
	if (UNLIKELY(c->lost))
		add_loss(c, l);
	if (UNLIKELY(get32(FIELD(p, action)) & BLK_TC_ACT(BLK_TC_NOTIFY)))
		return 0;
	if (UNLIKELY(!tap_lane_knows(l, get32(FIELD(p, pid)))))
		err = add_name(c, l, p);
	l->sequence++;
	memcpy(FIELD(p, sequence), &l->sequence, sizeof(l->sequence));
	return err;
}

/* What is left of the run: where it lies, if nothing waits before it. */
static int deliver_run(struct ftrace_cpu *c, const uint8_t *end,
		       tap_deliver *deliver, void *ctx)
{
	struct tap_lane *l = c->last;
	size_t len = (size_t)(end - c->run);
	unsigned int records = l->records;

	if (l->len || !len)
		return run_end(c, end, NULL);
	l->records = 0;
	return deliver(ctx, (unsigned int)(l - c->notes.lanes), c->run, len,
		       records);
}

/* All that was taken, which is up to end. */
static int deliver_all(struct ftrace_cpu *c, const uint8_t *end,
		       tap_deliver *deliver, void *ctx)
{
	int err = deliver_run(c, end, deliver, ctx);

	return err ? err : notes_deliver(&c->notes, deliver, ctx);
}

/* --- what comes out of the pipe ------------------------------------------- */

/* A remark without a number leaves it to the counters. */
static uint64_t lost_uncounted(const struct ftrace_cpu *c)
{
	uint64_t overrun = ftrace_overrun(c->ftrace, c->cpu);

	return overrun > c->lost_ever ? overrun - c->lost_ever : 1;
}

static void add_lost(struct ftrace_cpu *c, uint64_t events)
{
	c->lost += events;
	c->lost_ever += events;
}

/* Bytes of the remark at p; 0: it is cut, or with *none no remark. */
static size_t parse_remark(struct ftrace_cpu *c, const uint8_t *p, size_t len,
			   bool *none)
{
	struct remark r = remark_at(p, len);

	if (r.kind == REMARK_LOST)
		add_lost(c, r.lost);
	else if (r.kind == REMARK_LOST_SOME)
		add_lost(c, lost_uncounted(c));
	*none = r.kind == REMARK_NONE;
	return *none || r.kind == REMARK_CUT ? 0 : r.len;
}

/* Bytes of the record at p; 0: it is cut, or with *none no record. */
static inline size_t parse_record(struct ftrace_cpu *c, uint8_t *p, size_t len,
				  bool *none, int *err)
{
	size_t size;

	*none = false;
	if (len < BLK_HEADER_7)
		return 0;
	size = BLK_HEADER_7 + (size_t)get16(FIELD(p, pdu_len));
	*none = size > ENTRY_MAX || get32(FIELD(p, cpu)) != c->cpu;
	if (*none || size > len)
		return 0;
	*err = number_record(c, p, size);
	return size;
}

/* The same for a remark or for noise, which end a run. */
static COLD size_t parse_other(struct ftrace_cpu *c, uint8_t *p, size_t len,
			       bool *none, int *err)
{
	size_t used = *none ? 0 : parse_remark(c, p, len, none);

	if (used || *none)
		*err = run_end(c, p, p + (*none ? 1 : used));
	return used;
}

/* Whether the header at p is one more event's of that device and process. */
static inline bool is_plain(const struct ftrace_cpu *c,
			    const struct tap_lane *l, const uint8_t *p)
{
	return get32(p) == (BLK_MAGIC | BLK_VERSION_7) &&
	       get32(FIELD(p, device)) == l->device &&
	       tap_lane_knows(l, get32(FIELD(p, pid))) &&
	       get32(FIELD(p, cpu)) == c->cpu &&
	       !(get32(FIELD(p, action)) & BLK_TC_ACT(BLK_TC_NOTIFY));
}

/*
 * Most records need nothing but their number.  Takes as many of them as come
 * next, and returns how far that was.
 */
static size_t number_plain(struct ftrace_cpu *c, size_t at)
{
	struct tap_lane *l = c->last;
	uint32_t sequence = l->sequence;
	const uint8_t *end = c->in + c->len;
	uint8_t *p = c->in + at;

	if (c->lost)
		return at;
	while (end - p >= BLK_HEADER_7 && is_plain(c, l, p)) {
		long size = BLK_HEADER_7 + (long)get16(FIELD(p, pdu_len));

		if (size > ENTRY_MAX || size > end - p)
			break;
		sequence++;
		memcpy(FIELD(p, sequence), &sequence, sizeof(sequence));
		p += size;
	}
	l->records += sequence - l->sequence;
	l->sequence = sequence;
	return (size_t)(p - c->in);
}

/*
 * Takes what is whole and returns how much that was.  Bytes that are nothing
 * we know are passed over, one by one, until something is.
 */
static size_t parse_all(struct ftrace_cpu *c, int *err)
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
		ftrace_count_skipped(c->ftrace, skipped);
	return at;
}

/* Takes and hands over what is whole, and keeps the cut tail for next time. */
static int batch_deliver(struct ftrace_cpu *c, tap_deliver *deliver, void *ctx)
{
	int err = 0, failed;
	size_t used;

	c->run = c->in;
	used = parse_all(c, &err);
	failed = deliver_all(c, c->in + used, deliver, ctx);
	memmove(c->in, c->in + used, c->len - used);
	c->len -= used;
	return err ? err : failed;
}

/*
 * The kernel hands out 4 to 8 KiB at a time; only one that finds too little
 * room would cut a record, so the batch ends before that.
 */
static ssize_t batch_read(struct ftrace_cpu *c)
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

/*
 * Nothing is read before the start is noted.  1 if that has been done now, 0
 * if there was nothing to do, or -errno; -EAGAIN while tracing has not begun.
 */
static int add_stamps(struct ftrace_cpu *c)
{
	struct notes_stamp stamp;
	int err;

	if (!c->stamps)
		return 0;
	if (!ftrace_started(c->ftrace, &stamp))
		return -EAGAIN;
	c->stamps = false;
	err = notes_add_stamp(&c->notes, &stamp);
	return err ? err : 1;
}

/* One batch: more than 0 if there was something, 0, or -errno. */
static ssize_t drain_once(struct ftrace_cpu *c, tap_deliver *deliver, void *ctx)
{
	int stamped = add_stamps(c), err;
	ssize_t got;

	if (stamped < 0)
		return stamped == -EAGAIN ? 0 : stamped;
	ftrace_names_age(&c->names);
	got = batch_read(c);
	err = batch_deliver(c, deliver, ctx);
	if (got < 0)
		return got;
	return err ? err : got + stamped;
}

/* --- the tap -------------------------------------------------------------- */

static unsigned int ftrace_fds(struct tap *t, struct pollfd *fds,
			       unsigned int max)
{
	struct ftrace_cpu *c = (struct ftrace_cpu *)t;

	if (max)
		*fds = (struct pollfd){ .fd = c->fd, .events = POLLIN };
	return max > 0;
}

static int ftrace_drain(struct tap *t, tap_deliver *deliver, void *ctx)
{
	struct ftrace_cpu *c = (struct ftrace_cpu *)t;
	int any = 0;
	ssize_t got;

	while ((got = drain_once(c, deliver, ctx)) > 0)
		any = 1;
	return got < 0 ? (int)got : any;
}

static void ftrace_close(struct tap *t)
{
	struct ftrace_cpu *c = (struct ftrace_cpu *)t;

	if (c->fd >= 0)
		close(c->fd);
	notes_free(&c->notes);
	ftrace_names_free(&c->names);
	free(c);
}

static const struct tap_ops ftrace_ops = { ftrace_fds, ftrace_drain,
					   ftrace_close };

static int pipe_open(struct ftrace_cpu *c)
{
	char path[FTRACE_PATH + 64];

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe",
		 ftrace_path(c->ftrace), c->cpu);
	c->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return c->fd < 0 ? -errno : 0;
}

int ftrace_cpu_open(struct tap **t, struct ftrace *f, uint32_t cpu, bool stamps)
{
	struct ftrace_cpu *c = calloc(1, sizeof(*c));
	const uint32_t *devices;
	unsigned int count;
	int err;

	if (!c)
		return -ENOMEM;
	c->tap.ops = &ftrace_ops;
	c->ftrace = f;
	c->fd = -1;
	c->cpu = cpu;
	c->stamps = stamps;
	devices = ftrace_devices(f, &count);
	err = notes_init(&c->notes, cpu, devices, count);
	c->last = c->notes.lanes;
	if (!err)
		err = pipe_open(c);
	if (err)
		ftrace_close(&c->tap);
	else
		*t = &c->tap;
	return err;
}
