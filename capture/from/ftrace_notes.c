/* SPDX-License-Identifier: GPL-2.0-only */
/* What is added to a CPU's events; see ftrace_notes.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time.h"
#include "capture/from/ftrace.h"
#include "capture/from/ftrace_notes.h"
#include "capture/from/ftrace_watch.h"
#include "capture/notes.h"
#include "capture/reporter.h"
#include "record/record.h"

/* --- ftrace names --------------------------------------------------------- */

/*
 * Process names come from tracefs' saved_cmdlines: a line "PID NAME" for each
 * of the last few thousand tasks with an event, with the name of that moment.
 * /proc is the second choice: it has only existing processes, by their current
 * names, and appends a kworker's work to its name.
 */

enum {
	TEXT_STEP = 32 << 10,
	TEXT_MAX = 4 << 20,	/* far above any list of names */
};

/* Makes room for one more step of text and the NUL; false: no, or too much. */
static bool text_grow(struct ftrace_names *n)
{
	size_t need = n->len + TEXT_STEP + 1;
	char *text;

	if (need <= n->size)
		return true;
	if (need > TEXT_MAX)
		return false;
	text = realloc(n->text, need);
	if (!text)
		return false;
	n->text = text;
	n->size = need;
	return true;
}

/* All of fd's text, or as much as memory allows. */
static void text_read(struct ftrace_names *n, int fd)
{
	ssize_t got;

	n->len = 0;
	while (text_grow(n)) {
		got = read(fd, n->text + n->len, TEXT_STEP);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n->len += (size_t)got;
	}
	if (n->text)
		n->text[n->len] = '\0';
}

static void list_read(struct ftrace_names *n, const char *tracefs)
{
	char path[320];
	int fd;

	n->fresh = n->newest = true;
	snprintf(path, sizeof(path), "%s/saved_cmdlines", tracefs);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	text_read(n, fd);
	close(fd);
}

/* Copies up to the end of a line, and cuts as the kernel does. */
static void name_copy(char name[NOTES_NAME], const char *text)
{
	size_t len = strcspn(text, "\n");

	if (len > NOTES_NAME - 1)
		len = NOTES_NAME - 1;
	memset(name, 0, NOTES_NAME);
	memcpy(name, text, len);
}

/* Finds the line that starts with pid. */
static bool list_find(const struct ftrace_names *n, uint32_t pid,
		      char name[NOTES_NAME])
{
	char key[16];
	size_t len = (size_t)snprintf(key, sizeof(key), "%u ", pid);
	const char *line = n->len ? n->text : NULL;

	while (line && strncmp(line, key, len) != 0) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line || line[len] == '\0')
		return false;
	name_copy(name, line + len);
	return true;
}

/*
 * "kworker/u8:2-loop0" is worker "kworker/u8:2", which works or worked on
 * loop0.  A rescuer's whole name has a dash: "kworker/R-loop0".
 */
static void worker_strip(char *text)
{
	static const char prefix[] = "kworker/";
	char *rest = text + sizeof(prefix) - 1;

	if (strncmp(text, prefix, sizeof(prefix) - 1) == 0 && *rest != 'R')
		rest[strcspn(rest, "-+\n")] = '\0';
}

static bool proc_find(uint32_t pid, char name[NOTES_NAME])
{
	char text[80];
	ssize_t len;
	int fd;

	snprintf(text, sizeof(text), "/proc/%u/comm", pid);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len <= 0)
		return false;
	text[len] = '\0';
	worker_strip(text);
	name_copy(name, text);
	return true;
}

/* Finds a name in the list, however old, that the process still has. */
static bool list_confirm(const struct ftrace_names *n, uint32_t pid,
			 char name[NOTES_NAME])
{
	char now[NOTES_NAME];

	return list_find(n, pid, name) && proc_find(pid, now) &&
	       memcmp(name, now, NOTES_NAME) == 0;
}

void ftrace_names_get(struct ftrace_names *n, const char *tracefs,
		      uint32_t pid, char name[NOTES_NAME])
{
	bool found = n->fresh ? list_find(n, pid, name) :
				list_confirm(n, pid, name);

	if (!found && !n->newest) {
		list_read(n, tracefs);
		found = list_find(n, pid, name);
	}
	if (!found && !proc_find(pid, name))
		name_copy(name, "<...>");
}

void ftrace_names_age(struct ftrace_names *n)
{
	n->fresh = n->newest = false;
}

void ftrace_names_next(struct ftrace_names *n)
{
	n->newest = false;
}

void ftrace_names_free(struct ftrace_names *n)
{
	free(n->text);
	memset(n, 0, sizeof(*n));
}

/* --- ftrace notes --------------------------------------------------------- */

enum {
	/* below a thread's longest sleep, so that there is one a second */
	AUDIT_MS = 900,
	TEXT = 192,
};

#define FULL "the buffer was full: use larger (-b) or more (-n),"

int ftrace_notes_init(struct ftrace_notes *n, struct ftrace *f, uint32_t cpu,
		      bool stamps, bool audits)
{
	unsigned int count;
	const uint32_t *devices = ftrace_devices(f, &count);

	*n = (struct ftrace_notes){ .ftrace = f, .stamps = stamps,
				    .looks = stamps, .audits = audits };
	return notes_init(&n->notes, cpu, devices, count);
}

void ftrace_notes_free(struct ftrace_notes *n)
{
	notes_free(&n->notes);
	ftrace_names_free(&n->names);
}

/* Nearly all events of a drain were recorded before, so one list has all names.
 * */
void ftrace_notes_drain(struct ftrace_notes *n)
{
	ftrace_names_age(&n->names);
}

int ftrace_notes_begin(struct ftrace_notes *n)
{
	struct notes_stamp stamp;
	int err;

	ftrace_names_next(&n->names);
	if (!n->stamps)
		return 0;
	if (!ftrace_started(n->ftrace, &stamp))
		return -EAGAIN;
	n->stamps = false;
	err = notes_add_stamp(&n->notes, &stamp);
	return err ? err : 1;
}

/* Each CPU's idle task has pid 0, and is in no list. */
static void name_of(struct ftrace_notes *n, uint32_t pid,
		    char name[NOTES_NAME])
{
	if (pid) {
		ftrace_names_get(&n->names, ftrace_path(n->ftrace), pid, name);
		return;
	}
	memset(name, 0, NOTES_NAME);
	snprintf(name, NOTES_NAME, "swapper/%u", n->notes.cpu);
}

int ftrace_notes_add_name(struct ftrace_notes *n, struct tap_lane *l,
			  uint64_t time, uint32_t pid)
{
	char name[NOTES_NAME];

	name_of(n, pid, name);
	return notes_add_name(&n->notes, l, time, pid, l->device, name);
}

/* --- losses --------------------------------------------------------------- */

/* Losses of the kernel's counters that are not known otherwise. */
static uint64_t lost_uncounted(const struct ftrace_notes *n)
{
	uint64_t overrun = ftrace_overrun(n->ftrace, n->notes.cpu);

	return overrun > n->lost_ever ? overrun - n->lost_ever : 0;
}

static void add_lost(struct ftrace_notes *n, uint64_t events)
{
	n->lost += events;
	n->lost_ever += events;
}

/*
 * Counters may be ahead of what is read: if one stood in for a missing number,
 * it may have included some of this loss.
 */
void ftrace_notes_lost(struct ftrace_notes *n, uint64_t events)
{
	uint64_t left = n->uncounted ? lost_uncounted(n) : events;

	add_lost(n, events < left ? events : left);
}

void ftrace_notes_lost_some(struct ftrace_notes *n)
{
	uint64_t events = lost_uncounted(n);

	add_lost(n, events || n->uncounted ? events : 1);
	n->uncounted = true;
}

void ftrace_notes_hole(struct ftrace_notes *n, struct tap_lane *l)
{
	l->sequence += (uint32_t)n->lost;
	ftrace_count_lost(n->ftrace, (unsigned int)(l - n->notes.lanes),
			  n->lost);
	n->lost = 0;
}

/* --- what is missing without a hole --------------------------------------- */

static double since_start(const struct ftrace_notes *n, uint64_t time)
{
	struct notes_stamp stamp;

	if (!ftrace_started(n->ftrace, &stamp) || time < stamp.time)
		return 0;
	return (double)(time - stamp.time) / NS_PER_SECOND;
}

/* A message for people: why events are missing, and the interval. */
static int add_cause(struct ftrace_notes *n, struct tap_lane *l,
		     const struct ftrace_gap *g)
{
	uint8_t raw[BLK_HEADER_MAX];
	char text[TEXT];
	int len = snprintf(text, sizeof(text), "blktrace: %s between"
			   " %llu.%09llu and %llu.%09llu", g->cause,
			   (unsigned long long)(g->from / NS_PER_SECOND),
			   (unsigned long long)(g->from % NS_PER_SECOND),
			   (unsigned long long)(g->to / NS_PER_SECOND),
			   (unsigned long long)(g->to % NS_PER_SECOND));
	struct event ev = {
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.time = time_now(),
		.action = BLK_TC_ACT(BLK_TC_NOTIFY) | BLK_TN_MESSAGE,
		.pid = (uint32_t)getpid(),
		.device = l->device,
		.cpu = n->notes.cpu,
		.pdu_len = (uint16_t)len,
	};
	size_t head = record_encode(&ev, BLK_VERSION_7, raw);
	int err = tap_lane_add(l, raw, head);

	l->sums.records++;
	return err ? err : tap_lane_add(l, text, (size_t)len);
}

/*
 * Two messages, and no gap in the numbers, which would reach back to the lane's
 * last event, perhaps long before.
 */
static int add_gap(struct ftrace_notes *n, struct tap_lane *l,
		   const struct ftrace_gap *g)
{
	unsigned int device = (unsigned int)(l - n->notes.lanes);
	struct notes_drops d = { .device = l->device, .cpu = n->notes.cpu,
				 .since = g->from };
	uint8_t raw[NOTES_DROPS];
	int err;

	ftrace_count_lost(n->ftrace, device, g->events);
	d.dropped = ftrace_lost(n->ftrace, device);
	err = tap_lane_add(l, raw, notes_encode_drops(raw, BLK_VERSION_7, &d));
	l->sums.records++;
	err = err ? err : add_cause(n, l, g);
	return err ? err : 1;
}

/* --- the audit ------------------------------------------------------------ */

/* Counts them as lost by the lane of the last event. */
static int add_counted(struct ftrace_notes *n, struct tap_lane *l,
		       uint64_t events, uint64_t now, const char *cause)
{
	struct ftrace_gap g = { n->audited, now, events, "" };

	if (!events)
		return 0;
	snprintf(g.cause, sizeof(g.cause), "CPU %u: %s", n->notes.cpu, cause);
	reporter_write(ftrace_reporter(n->ftrace), "%s between %.3f and %.3f s:"
		       " %llu events lost", g.cause, since_start(n, g.from),
		       since_start(n, now), (unsigned long long)events);
	l->sequence += (uint32_t)events;
	return add_gap(n, l, &g);
}

/*
 * The number of events that others have read.  The kernel counts all reads,
 * from 0 after the buffer is cleared; this thread, our only reader, does not
 * read meanwhile.
 */
static uint64_t audit_read(struct ftrace_notes *n, struct ftrace_watch *w,
			   const struct ftrace_stats *s)
{
	int64_t more = (int64_t)(s->read - n->taken) + n->ahead;

	if (!n->audits || !s->has_read || !more)
		return 0;
	n->ahead = (int64_t)(n->taken - s->read);
	if (more > 0)
		return (uint64_t)more;
	n->lost_ever = 0;
	n->refused = 0;
	ftrace_watch_cleared(w, n->audited);
	return 0;
}

/* Without overwriting, the kernel drops new events and marks no page. */
static uint64_t audit_refused(struct ftrace_notes *n,
			      const struct ftrace_stats *s)
{
	uint64_t before = n->refused;

	n->refused = s->refused;
	if (s->refused <= before)
		return 0;
	n->lost_ever += s->refused - before;
	return s->refused - before;
}

/* Events overwritten at the end of a trace, with none after them. */
static uint64_t audit_end(struct ftrace_notes *n)
{
	uint64_t lost = ftrace_stopped(n->ftrace) ? n->lost : 0;

	n->lost -= lost;
	return lost;
}

static int audit(struct ftrace_notes *n, struct ftrace_watch *w,
		 struct tap_lane *l, uint64_t now)
{
	struct ftrace_stats s;
	int read, full, end;

	if (ftrace_stats_read(&s, ftrace_path(n->ftrace), n->notes.cpu))
		return 0;
	read = add_counted(n, l, audit_read(n, w, &s), now,
			   "another process read events (trace_pipe_raw)");
	full = add_counted(n, l, audit_refused(n, &s), now,
			   FULL);
	end = add_counted(n, l, audit_end(n), now, FULL);
	if (read < 0 || full < 0 || end < 0)
		return -ENOMEM;
	return read || full || end;
}

void ftrace_notes_taken(struct ftrace_notes *n, uint64_t events)
{
	struct ftrace_watch *w = ftrace_watch_of(n->ftrace);

	n->taken += events;
	if (w)
		ftrace_watch_count(w, events);
}

/* Of all devices, on the first CPU. */
static int add_gaps(struct ftrace_notes *n, struct ftrace_watch *w)
{
	struct ftrace_gap g;
	int added = 0;

	for (unsigned int i = 0; i < n->notes.count && added >= 0; i++)
		if (ftrace_watch_take(w, i, &g))
			added = add_gap(n, &n->notes.lanes[i], &g);
	return added;
}

/* Whether a second has passed since the start and the last audit. */
static bool is_due(struct ftrace_notes *n, uint64_t now)
{
	struct notes_stamp stamp;

	if (!n->audited && ftrace_started(n->ftrace, &stamp))
		n->audited = stamp.time;
	return n->audited && (ftrace_stopped(n->ftrace) ||
			      now - n->audited >= AUDIT_MS * NS_PER_MS);
}

int ftrace_notes_settle(struct ftrace_notes *n, struct tap_lane *last)
{
	struct ftrace_watch *w = ftrace_watch_of(n->ftrace);
	uint64_t now = time_now();
	int added = 0, audited;

	if (!is_due(n, now))
		return 0;
	audited = audit(n, w, last, now);
	n->audited = now;
	if (n->looks) {
		ftrace_watch_look(w, false);
		added = add_gaps(n, w);
	}
	return audited < 0 ? audited : added < 0 ? added : audited || added;
}
