/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Others' changes to a running capture; see ftrace_watch.h.
 *
 * A wrong setting shows in its file.  One that was wrong only between two
 * looks, and a cleared buffer, show by inotify.  The ring buffer's counters,
 * which capture/from/ftrace_notes compares, show a cleared buffer, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/text.h"
#include "base/time.h"
#include "blktrace.h"
#include "capture/disk_counters.h"
#include "capture/from/ftrace_settings.h"
#include "capture/from/ftrace_watch.h"
#include "capture/reporter.h"

enum {
	IOS_KNOWN = 16,		/* I/Os that show the events per I/O */
	EVENTS_PER_IO = 6,	/* before that: Q G P D C and some spare */
	LINE = 512,
	STATS_TEXT = 1024,	/* bytes, above those of a CPU's stats */
};

/* a file of tracefs */
struct watched {
	const char *name;
	const char *value;	/* required; NULL: any */
	bool notify;		/* writing it may lose events */
	const char *words;	/* the cause */
	const char *advice;	/* NULL: we repair it */
};

enum { TRACING, TRACER, CLOCK, TRACE, FILES };

static const struct watched files[FILES] = {
	[TRACING] = { "tracing_on", "1", true,
		      "tracing was switched off (tracing_on)", NULL },
	[TRACER] = { "current_tracer", "blk", false,
		     "another tracer was made current (current_tracer)",
		     "end what uses it, and start this capture again" },
	[CLOCK] = { "trace_clock", "mono", false,
		    "the clock was changed (trace_clock)",
		    "times are wrong: start this capture again" },
	[TRACE] = { "trace", NULL, true, "the buffer was cleared (trace)",
		    "" },
};

struct disk {
	uint64_t ios;		/* completed by the last look */
	uint64_t expected;	/* events since then, by its I/Os */
	bool off, written;	/* its trace, at this look */
	bool lossy;		/* events are missing */
	struct ftrace_gap gap;	/* not taken yet; events: 0: none */
	int wd;
};

struct ftrace_watch {
	struct ftrace_watch_plan plan;
	struct settings set;
	pthread_mutex_t lock;	/* of all but taken */
	int notify;		/* inotify's descriptor, or -1 */
	int wds[FILES];
	bool bad[FILES], written[FILES];	/* at this look */
	struct disk *disks;
	atomic_ullong taken;	/* events read */
	bool cleared;		/* by the ring buffer's counters */
	uint64_t cleared_at;	/* ns: the look that last reported it */
	uint64_t looked;	/* ns */
	uint64_t kept;		/* events read or waiting, at that time */
	uint64_t recorded;	/* events, as the kernel counted them */
	uint64_t good_kept, good_ios;	/* while nothing was lost */
	char lasting[LINE];	/* causes at the previous look; "": none */
	uint64_t since, lost;	/* ns: their start; events */
	bool over;
};

/* --- what the kernel has counted ------------------------------------------ */

static void take_stat(struct ftrace_stats *s, const char *line)
{
	unsigned long long n;

	if (sscanf(line, "entries: %llu", &n) == 1)
		s->entries = n;
	else if (sscanf(line, "overrun: %llu", &n) == 1)
		s->overrun = n;
	else if (sscanf(line, "commit overrun: %llu", &n) == 1 ||
		 sscanf(line, "dropped events: %llu", &n) == 1)
		s->refused += n;
	else if (sscanf(line, "read events: %llu", &n) == 1)
		s->read = n, s->has_read = true;
}

int ftrace_stats_read(struct ftrace_stats *s, const char *tracefs, uint32_t cpu)
{
	char path[SETTING_PATH], text[STATS_TEXT], *save = NULL;
	ssize_t got;
	int fd;

	*s = (struct ftrace_stats){ 0 };
	snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/stats", tracefs, cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got < 0)
		return -EIO;
	text[got] = '\0';
	for (char *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		take_stat(s, line);
	return 0;
}

/* A device's completed I/Os; 0 if not counted. */
static uint64_t ios_of(const struct ftrace_watch *w, unsigned int i)
{
	struct disk_counters c;

	disk_counters_read(&c, w->plan.sysfs, w->plan.devices[i]);
	return c.ios + c.flushes;
}

/* The sums of all CPUs' buffers; CPU numbers may have gaps. */
static struct ftrace_stats all_stats(const struct ftrace_watch *w)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct ftrace_stats sum = { .has_read = true }, s;

	for (long cpu = 0; cpu < cpus; cpu++) {
		if (ftrace_stats_read(&s, w->plan.tracefs, (uint32_t)cpu))
			continue;
		sum.entries += s.entries;
		sum.read += s.read;
		sum.overrun += s.overrun;
		sum.refused += s.refused;
		sum.has_read &= s.has_read;
	}
	return sum;
}

/* How far a count has come from *last, which becomes it. */
static uint64_t advance(uint64_t *last, uint64_t now)
{
	uint64_t more = now > *last ? now - *last : 0;

	*last = now;
	return more;
}

/*
 * The events that the ring buffer has had since the last look, as the kernel
 * counts them.  It begins at 0 when the buffer is cleared: then our count has
 * to do, in which the pages that readers work on just now are missing.
 */
static uint64_t count_kept(struct ftrace_watch *w)
{
	struct ftrace_stats s = all_stats(w);
	uint64_t all = s.entries + s.read + s.overrun + s.refused;
	bool restarted = all < w->recorded || w->written[TRACE];
	uint64_t recorded = advance(&w->recorded, all);
	uint64_t kept = advance(&w->kept, atomic_load(&w->taken) + s.entries);

	return restarted || !s.has_read ? kept : recorded;
}

/* The I/Os of all devices since the last look, and their events. */
static uint64_t count_ios(struct ftrace_watch *w)
{
	uint64_t per_io = EVENTS_PER_IO, sum = 0;

	if (w->good_ios >= IOS_KNOWN)
		per_io = (w->good_kept + w->good_ios / 2) / w->good_ios;
	for (unsigned int i = 0; i < w->plan.count; i++) {
		struct disk *d = &w->disks[i];
		uint64_t ios = ios_of(w, i);
		uint64_t more = ios > d->ios ? ios - d->ios : 0;

		d->ios = ios;
		d->expected = more * per_io;
		sum += more;
	}
	return sum;
}

/* --- what has been done --------------------------------------------------- */

static void read_notify(struct ftrace_watch *w)
{
	char bytes[4096] __attribute__((aligned(8)));
	ssize_t got;

	while (w->notify >= 0 &&
	       (got = read(w->notify, bytes, sizeof(bytes))) > 0)
		for (char *at = bytes; at < bytes + got;) {
			const struct inotify_event *ev = (void *)at;

			for (int i = 0; i < FILES; i++)
				w->written[i] |= w->wds[i] == ev->wd;
			for (unsigned int i = 0; i < w->plan.count; i++)
				w->disks[i].written |= w->disks[i].wd == ev->wd;
			at += sizeof(*ev) + ev->len;
		}
}

static void enable_path(const struct ftrace_watch *w, unsigned int i,
			char path[SETTING_PATH])
{
	uint32_t device = w->plan.devices[i];

	snprintf(path, SETTING_PATH, "%s/dev/block/%u:%u/trace/enable",
		 w->plan.sysfs, BLK_MAJOR(device), BLK_MINOR(device));
}

/* False for a device that is gone. */
static bool is_off(const struct ftrace_watch *w, unsigned int i)
{
	char path[SETTING_PATH], text[SETTING_TEXT];

	enable_path(w, i, path);
	return !text_read(path, text, sizeof(text)) && strcmp(text, "0") == 0;
}

static bool is_wrong(struct ftrace_watch *w, const struct watched *f)
{
	char text[SETTING_TEXT];

	return f->value && !settings_get(&w->set, f->name, text) &&
	       strcmp(text, f->value) != 0;
}

/* Whether anything has changed since the last look. */
static bool find(struct ftrace_watch *w)
{
	bool any = false;

	read_notify(w);
	w->written[TRACE] |= w->cleared;
	w->cleared = false;
	for (int i = 0; i < FILES; i++) {
		w->bad[i] = is_wrong(w, &files[i]);
		any |= w->bad[i] || w->written[i];
	}
	for (unsigned int i = 0; i < w->plan.count; i++) {
		w->disks[i].off = is_off(w, i);
		any |= w->disks[i].off || w->disks[i].written;
	}
	return any;
}

/* --- what is missing ------------------------------------------------------ */

/* Marks all devices, or one, as losing events. */
static void mark_lossy(struct ftrace_watch *w)
{
	bool all = false;

	for (int i = 0; i < FILES; i++)
		all |= w->bad[i] || w->written[i];
	for (unsigned int i = 0; i < w->plan.count; i++) {
		struct disk *d = &w->disks[i];

		d->lossy = all || d->off || d->written;
	}
}

/* Expected events that were not kept are missing from the lossy devices, by
 * their shares. */
static uint64_t missing_of(const struct ftrace_watch *w, const struct disk *d,
			   uint64_t kept)
{
	uint64_t all = 0, lossy = 0;
	double missing;

	for (unsigned int i = 0; i < w->plan.count; i++) {
		all += w->disks[i].expected;
		lossy += w->disks[i].lossy ? w->disks[i].expected : 0;
	}
	if (all <= kept || !lossy)
		return 1;
	missing = (double)(all - kept) * (double)d->expected / (double)lossy;
	return missing < 1 ? 1 : (uint64_t)missing;
}

/* Extends a gap that has not been taken, or starts one. */
static void extend_gap(struct ftrace_gap *g, uint64_t from, uint64_t to,
		       uint64_t events, const char *cause)
{
	if (!g->events)
		g->from = from;
	g->to = to;
	g->events += events;
	snprintf(g->cause, sizeof(g->cause), "%.*s", FTRACE_CAUSE - 1, cause);
}

/* The sum over the devices. */
static uint64_t note_gaps(struct ftrace_watch *w, uint64_t now, uint64_t kept,
			  const char *cause)
{
	uint64_t sum = 0;

	mark_lossy(w);
	for (unsigned int i = 0; i < w->plan.count; i++) {
		struct disk *d = &w->disks[i];
		uint64_t events = missing_of(w, d, kept);

		if (!d->lossy)
			continue;
		extend_gap(&d->gap, w->looked, now, events, cause);
		sum += events;
	}
	return sum;
}

/* --- in words ------------------------------------------------------------- */

static void add_words(char line[LINE], const char *words)
{
	size_t len = strlen(line);

	snprintf(line + len, LINE - len, "%s%s", len ? ", and " : "", words);
}

static void add_disk(const struct ftrace_watch *w, unsigned int i,
		     char line[LINE])
{
	uint32_t device = w->plan.devices[i];
	char words[FTRACE_CAUSE], name[32];

	snprintf(name, sizeof(name), "%u,%u", BLK_MAJOR(device),
		 BLK_MINOR(device));
	snprintf(words, sizeof(words), "the trace of %.32s was disabled%s",
		 w->plan.names ? w->plan.names[i] : name,
		 w->disks[i].off ? "" : " for a time");
	add_words(line, words);
}

static void name_causes(const struct ftrace_watch *w, char line[LINE])
{
	*line = '\0';
	for (int i = 0; i < FILES; i++)
		if (w->bad[i] || w->written[i])
			add_words(line, files[i].words);
	for (unsigned int i = 0; i < w->plan.count; i++)
		if (w->disks[i].off || w->disks[i].written)
			add_disk(w, i, line);
}

static double seconds(const struct ftrace_watch *w, uint64_t time)
{
	return time > w->plan.start ?
	       (double)(time - w->plan.start) / NS_PER_SECOND : 0;
}

/* --- repairs -------------------------------------------------------------- */

/* Old kernels change context-info along with tracing_on. */
static int repair_tracing(struct ftrace_watch *w)
{
	int err = settings_set(&w->set, "tracing_on", "1");

	return err ? err : settings_set(&w->set, "options/context-info", "0");
}

/* Sets our settings again; the first failure. */
static int repair(struct ftrace_watch *w)
{
	int err = w->bad[TRACING] ? repair_tracing(w) : 0;

	for (unsigned int i = 0; i < w->plan.count; i++) {
		int failed = w->disks[i].off ?
			     w->plan.enable(w->plan.ctx, i) : 0;

		err = err ? err : failed;
	}
	return err;
}

/* What was done, for a line. */
static void repair_words(struct ftrace_watch *w, bool last, char text[LINE])
{
	bool off = w->bad[TRACING];
	int err;

	*text = '\0';
	for (unsigned int i = 0; i < w->plan.count; i++)
		off |= w->disks[i].off;
	if (off && !last) {
		err = repair(w);
		snprintf(text, LINE, err ? "; cannot switch it on again: %s" :
			 "; switched on again", strerror(-err));
	}
	for (int i = 0; i < FILES; i++)
		if (w->bad[i] && files[i].advice) {
			size_t len = strlen(text);

			snprintf(text + len, LINE - len, "; %s",
				 files[i].advice);
		}
}

/* --- a look --------------------------------------------------------------- */

/* Reports the end of a cause that lasted for several looks. */
static void report_end(struct ftrace_watch *w, uint64_t now)
{
	if (*w->lasting && w->lost)
		reporter_write(w->plan.reporter, "%s until %.3f s: about %llu"
			       " more events lost", w->lasting,
			       seconds(w, now), (unsigned long long)w->lost);
	*w->lasting = '\0';
	w->lost = 0;
}

/* Reports a cause at its first look, and at its end. */
static void settle(struct ftrace_watch *w, uint64_t now, uint64_t kept,
		   bool last)
{
	char causes[LINE], after[LINE];
	uint64_t lost;

	name_causes(w, causes);
	lost = note_gaps(w, now, kept, causes);
	repair_words(w, last, after);
	if (w->written[TRACE])
		w->cleared_at = now;
	if (strcmp(causes, w->lasting) == 0) {
		w->lost += lost;
		return;
	}
	report_end(w, w->looked);
	reporter_write(w->plan.reporter, "%s between %.3f and %.3f s:"
		       " about %llu events lost%s", causes,
		       seconds(w, w->looked), seconds(w, now),
		       (unsigned long long)lost, after);
	snprintf(w->lasting, sizeof(w->lasting), "%s", causes);
}

/* Forgets our own repairs. */
static void forget(struct ftrace_watch *w)
{
	read_notify(w);
	memset(w->written, 0, sizeof(w->written));
	for (unsigned int i = 0; i < w->plan.count; i++)
		w->disks[i].written = false;
}

static void look(struct ftrace_watch *w, uint64_t now, bool last)
{
	uint64_t ios = count_ios(w);
	bool found = find(w);
	uint64_t kept = count_kept(w);

	if (found) {
		settle(w, now, kept, last);
		forget(w);
	} else {
		report_end(w, w->looked);
		w->good_ios += ios;
		w->good_kept += kept;
	}
	if (last)
		report_end(w, now);
	w->looked = now;
}

void ftrace_watch_look(struct ftrace_watch *w, bool last)
{
	uint64_t now = time_now();

	pthread_mutex_lock(&w->lock);
	if (!w->over)
		look(w, now, last);
	w->over |= last;
	pthread_mutex_unlock(&w->lock);
}

bool ftrace_watch_take(struct ftrace_watch *w, unsigned int device,
		       struct ftrace_gap *gap)
{
	struct disk *d = &w->disks[device];

	pthread_mutex_lock(&w->lock);
	*gap = d->gap;
	d->gap.events = 0;
	pthread_mutex_unlock(&w->lock);
	return gap->events;
}

void ftrace_watch_count(struct ftrace_watch *w, uint64_t n)
{
	atomic_fetch_add(&w->taken, n);
}

void ftrace_watch_cleared(struct ftrace_watch *w, uint64_t since)
{
	pthread_mutex_lock(&w->lock);
	w->cleared |= w->cleared_at < since;
	pthread_mutex_unlock(&w->lock);
}

/* --- life ----------------------------------------------------------------- */

/* Without inotify, changes shorter than a second are not found. */
static void notify_open(struct ftrace_watch *w)
{
	char path[SETTING_PATH];

	w->notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	for (int i = 0; i < FILES; i++)
		w->wds[i] = files[i].notify ?
			inotify_add_watch(w->notify,
					  settings_path(&w->set, files[i].name,
							path),
					  IN_MODIFY) : -1;
	for (unsigned int i = 0; i < w->plan.count; i++) {
		enable_path(w, i, path);
		w->disks[i].wd = inotify_add_watch(w->notify, path, IN_MODIFY);
	}
}

int ftrace_watch_new(struct ftrace_watch **out,
		     const struct ftrace_watch_plan *p)
{
	struct ftrace_watch *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->plan = *p;
	w->set.root = p->tracefs;
	w->looked = p->start;
	w->notify = -1;
	pthread_mutex_init(&w->lock, NULL);
	w->disks = calloc(p->count + 1, sizeof(*w->disks));
	if (!w->disks) {
		ftrace_watch_free(w);
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < p->count; i++)
		w->disks[i].ios = ios_of(w, i);
	notify_open(w);
	*out = w;
	return 0;
}

void ftrace_watch_free(struct ftrace_watch *w)
{
	if (!w)
		return;
	if (w->notify >= 0)
		close(w->notify);
	pthread_mutex_destroy(&w->lock);
	free(w->disks);
	free(w);
}
