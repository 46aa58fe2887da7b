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

#include "base/hash.h"
#include "base/hint.h"
#include "capture/ftrace/ftrace.h"
#include "capture/ftrace/ftrace_cpu.h"
#include "capture/ftrace/ftrace_names.h"
#include "capture/ftrace/ftrace_remark.h"
#include "capture/tap.h"
#include "trace/record.h"

enum {
	BATCH = 64 << 10,
	ENTRY_MAX = 8 << 10,	/* the kernel's own limit for one entry */
	PIDS_MAX = 1 << 16,	/* then all are forgotten, and told again */
	OUT_STEP = 4 << 10,
	TOLD = 16,		/* a power of 2 */
};

/* what this CPU has told of one device */
struct tap_lane {
	uint32_t device;
	uint32_t sequence;	/* of the last event */
	uint32_t told[TOLD];	/* pids whose names are, in slot pid % TOLD */
	uint8_t *out;		/* records to be delivered */
	size_t len, size;
	unsigned int records;	/* how many, those of the run included */
};

struct ftrace_cpu {
	struct tap tap;
	struct ftrace *ftrace;
	int fd;
	uint32_t cpu;
	bool stamps;		/* has yet to tell when tracing began */
	struct tap_lane *lanes;
	struct tap_lane *last;	/* the run's */
	const uint8_t *run;	/* where it begins, in `in` */
	unsigned int count;
	struct hash pids;	/* lane and pid: the name is told */
	struct ftrace_names names;
	uint64_t lost;		/* told, but by no event after it yet */
	uint64_t lost_ever;
	size_t len;		/* bytes in `in`: between calls, a cut tail */
	uint8_t in[BATCH];
};

/* --- records on their way out --------------------------------------------- */

/* Adds bytes to what waits for delivery. */
static int lane_put(struct tap_lane *l, const void *bytes, size_t len)
{
	size_t size = l->size ? l->size : OUT_STEP;

	while (size - l->len < len)
		size *= 2;
	if (size > l->size) {
		uint8_t *out = realloc(l->out, size);

		if (!out)
			return -ENOMEM;
		l->out = out;
		l->size = size;
	}
	memcpy(l->out + l->len, bytes, len);
	l->len += len;
	return 0;
}

/* The run ends before `end`; what follows it begins at next. */
static int run_end(struct ftrace_cpu *c, const uint8_t *end,
		   const uint8_t *next)
{
	size_t len = (size_t)(end - c->run);
	const uint8_t *run = c->run;

	c->run = next;
	return len ? lane_put(c->last, run, len) : 0;
}

/* --- notes ---------------------------------------------------------------- */

/* Adds a note of ours behind what waits. */
static int note_put(const struct ftrace_cpu *c, struct tap_lane *l,
		    struct event *note)
{
	int err;

	note->magic = BLK_MAGIC | BLK_VERSION_7;
	note->action |= BLK_TC_ACT(BLK_TC_NOTIFY);
	note->device = l->device;
	note->cpu = c->cpu;
	err = lane_put(l, note, BLK_HEADER_7);
	l->records++;
	return err ? err : lane_put(l, note->payload, note->pdu_len);
}

/* Tells for each device when tracing began. */
static int put_stamps(struct ftrace_cpu *c, const struct ftrace_stamp *stamp)
{
	uint32_t wall[] = { stamp->seconds, stamp->nanoseconds };
	int err = 0;

	for (unsigned int i = 0; i < c->count && !err; i++) {
		struct event note = {
			.time = stamp->time,
			.action = BLK_TN_TIMESTAMP,
			.payload = (const uint8_t *)wall,
			.pdu_len = sizeof(wall),
		};

		err = note_put(c, &c->lanes[i], &note);
	}
	return err;
}

/* Every CPU's idle task has pid 0: no list knows them, all know their names. */
static void name_of(struct ftrace_cpu *c, uint32_t pid, char name[TASK_NAME])
{
	if (pid) {
		ftrace_names_get(&c->names, ftrace_path(c->ftrace), pid, name);
		return;
	}
	memset(name, 0, TASK_NAME);
	snprintf(name, TASK_NAME, "swapper/%u", c->cpu);
}

static inline bool is_told(const struct tap_lane *l, uint32_t pid)
{
	return l->told[pid % TOLD] == pid;
}

/* Adds the name of the process that left the record at p. */
static int name_put(struct ftrace_cpu *c, struct tap_lane *l, const uint8_t *p)
{
	char name[TASK_NAME];
	struct event note = {
		.time = get64(FIELD(p, time)),
		.action = BLK_TN_PROCESS,
		.pid = get32(FIELD(p, pid)),
		.payload = (const uint8_t *)name,
		.pdu_len = sizeof(name),
	};

	name_of(c, note.pid, name);
	return note_put(c, l, &note);
}

/* Sees to it that the name of the record's process comes before it. */
static COLD int name_tell(struct ftrace_cpu *c, struct tap_lane *l,
			  const uint8_t *p)
{
	uint32_t pid = get32(FIELD(p, pid));
	uint64_t key = (uint64_t)(l - c->lanes) << 32 | pid;
	int err;

	l->told[pid % TOLD] = pid;
	if (hash_get(&c->pids, key))
		return 0;
	if (c->pids.count >= PIDS_MAX)
		hash_free(&c->pids);
	err = hash_put(&c->pids, key, c);
	err = err ? err : run_end(c, p, p);
	return err ? err : name_put(c, l, p);
}

/* --- records -------------------------------------------------------------- */

static struct tap_lane *lane_find(struct ftrace_cpu *c, uint32_t device)
{
	for (unsigned int i = 0; i < c->count; i++)
		if (c->lanes[i].device == device)
			return &c->lanes[i];
	return NULL;
}

/*
 * Nobody knows whose events were lost: the device that speaks next has the
 * hole.  The sum over the devices is right.
 */
static COLD void lost_settle(struct ftrace_cpu *c, struct tap_lane *l)
{
	l->sequence += (uint32_t)c->lost;
	ftrace_count_lost(c->ftrace, (unsigned int)(l - c->lanes), c->lost);
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
	struct tap_lane *l = lane_find(c, get32(FIELD(p, device)));

	*err = run_end(c, p, l ? p : p + size);
	if (l)
		c->last = l;
	return l;
}

/* One record of the pipe. */
static inline int take(struct ftrace_cpu *c, uint8_t *p, size_t size)
{
	struct tap_lane *l = c->last;
	int err = 0;

	if (UNLIKELY(get32(FIELD(p, device)) != l->device))
		l = lane_switch(c, p, size, &err);
	if (UNLIKELY(err || !l))
		return err;
	l->records++;
	if (UNLIKELY(c->lost))
		lost_settle(c, l);
	if (UNLIKELY(get32(FIELD(p, action)) & BLK_TC_ACT(BLK_TC_NOTIFY)))
		return 0;
	if (UNLIKELY(!is_told(l, get32(FIELD(p, pid)))))
		err = name_tell(c, l, p);
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
	return deliver(ctx, (unsigned int)(l - c->lanes), c->run, len,
		       records);
}

/* All that was taken, which is up to end. */
static int deliver_all(struct ftrace_cpu *c, const uint8_t *end,
		       tap_deliver *deliver, void *ctx)
{
	int err = deliver_run(c, end, deliver, ctx);

	for (unsigned int i = 0; i < c->count; i++) {
		struct tap_lane *l = &c->lanes[i];

		if (l->len && !err)
			err = deliver(ctx, i, l->out, l->len, l->records);
		l->len = 0;
		l->records = 0;
	}
	return err;
}

/* --- what comes out of the pipe ------------------------------------------- */

/* A remark without a number leaves it to the counters. */
static uint64_t lost_uncounted(const struct ftrace_cpu *c)
{
	uint64_t overrun = ftrace_overrun(c->ftrace, c->cpu);

	return overrun > c->lost_ever ? overrun - c->lost_ever : 1;
}

static void lose(struct ftrace_cpu *c, uint64_t events)
{
	c->lost += events;
	c->lost_ever += events;
}

/* Bytes of the remark at p; 0: it is cut, or none, which *none tells. */
static size_t remark_take(struct ftrace_cpu *c, const uint8_t *p, size_t len,
			  bool *none)
{
	struct remark r = remark_at(p, len);

	if (r.kind == REMARK_LOST)
		lose(c, r.lost);
	else if (r.kind == REMARK_LOST_SOME)
		lose(c, lost_uncounted(c));
	*none = r.kind == REMARK_NONE;
	return *none || r.kind == REMARK_CUT ? 0 : r.len;
}

/* Bytes of the record at p, 0: it is cut, or none, which *none tells. */
static inline size_t record_take(struct ftrace_cpu *c, uint8_t *p, size_t len,
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
	*err = take(c, p, size);
	return size;
}

/* The same for a remark or for noise, which end a run. */
static COLD size_t other_take(struct ftrace_cpu *c, uint8_t *p, size_t len,
			      bool *none, int *err)
{
	size_t used = *none ? 0 : remark_take(c, p, len, none);

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
	       is_told(l, get32(FIELD(p, pid))) &&
	       get32(FIELD(p, cpu)) == c->cpu &&
	       !(get32(FIELD(p, action)) & BLK_TC_ACT(BLK_TC_NOTIFY));
}

/*
 * Most records need nothing but their number.  Takes as many of them as come
 * next, and returns how far that was.
 */
static size_t plain_take(struct ftrace_cpu *c, size_t at)
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
static size_t take_all(struct ftrace_cpu *c, int *err)
{
	size_t at = plain_take(c, 0), skipped = 0;

	while (c->len - at >= sizeof(uint32_t) && !*err) {
		uint8_t *p = c->in + at;
		size_t len = c->len - at, used = 0;
		bool none = false;
		bool record = get32(p) == (BLK_MAGIC | BLK_VERSION_7);

		if (LIKELY(record))
			used = record_take(c, p, len, &none, err);
		if (UNLIKELY(!record || none))
			used = other_take(c, p, len, &none, err);
		if (!used && !none)
			break;
		skipped += none;
		at = plain_take(c, at + (none ? 1 : used));
	}
	if (skipped)
		ftrace_count_skipped(c->ftrace, skipped);
	return at;
}

/* Takes and hands over what is whole, and keeps the cut tail for next time. */
static int batch_take(struct ftrace_cpu *c, tap_deliver *deliver, void *ctx)
{
	int err = 0, failed;
	size_t used;

	c->run = c->in;
	used = take_all(c, &err);
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
 * Nothing is read before the start is told.  1 if that has been done now, 0
 * if there was nothing to do, or -errno; -EAGAIN while tracing has not begun.
 */
static int stamps_tell(struct ftrace_cpu *c)
{
	struct ftrace_stamp stamp;
	int err;

	if (!c->stamps)
		return 0;
	if (!ftrace_started(c->ftrace, &stamp))
		return -EAGAIN;
	c->stamps = false;
	err = put_stamps(c, &stamp);
	return err ? err : 1;
}

/* One batch: more than 0 if there was something, 0, or -errno. */
static ssize_t pass(struct ftrace_cpu *c, tap_deliver *deliver, void *ctx)
{
	int told = stamps_tell(c), err;
	ssize_t got;

	if (told < 0)
		return told == -EAGAIN ? 0 : told;
	ftrace_names_age(&c->names);
	got = batch_read(c);
	err = batch_take(c, deliver, ctx);
	if (got < 0)
		return got;
	return err ? err : got + told;
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

	while ((got = pass(c, deliver, ctx)) > 0)
		any = 1;
	return got < 0 ? (int)got : any;
}

static void ftrace_close(struct tap *t)
{
	struct ftrace_cpu *c = (struct ftrace_cpu *)t;

	if (c->fd >= 0)
		close(c->fd);
	for (unsigned int i = 0; c->lanes && i < c->count; i++)
		free(c->lanes[i].out);
	free(c->lanes);
	hash_free(&c->pids);
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

/* Nobody is told: each slot has a pid that belongs into another. */
static void lane_init(struct tap_lane *l, uint32_t device)
{
	*l = (struct tap_lane){ .device = device };
	for (uint32_t i = 0; i < TOLD; i++)
		l->told[i] = i + 1;
}

static int lanes_new(struct ftrace_cpu *c)
{
	const uint32_t *devices = ftrace_devices(c->ftrace, &c->count);

	c->lanes = calloc(c->count + 1, sizeof(*c->lanes));
	if (!c->lanes)
		return -ENOMEM;
	c->last = c->lanes;
	for (unsigned int i = 0; i < c->count; i++)
		lane_init(&c->lanes[i], devices[i]);
	return 0;
}

int ftrace_open(struct tap **t, struct ftrace *f, uint32_t cpu, bool stamps)
{
	struct ftrace_cpu *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	c->tap.ops = &ftrace_ops;
	c->ftrace = f;
	c->fd = -1;
	c->cpu = cpu;
	c->stamps = stamps;
	err = lanes_new(c);
	if (!err)
		err = pipe_open(c);
	if (err)
		ftrace_close(&c->tap);
	else
		*t = &c->tap;
	return err;
}
