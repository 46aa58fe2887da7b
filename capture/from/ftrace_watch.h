/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Others' changes to a running capture by ftrace: tracing switched off, a
 * device's trace disabled, the buffer cleared, another tracer set.  The kernel
 * does not count unrecorded events, so a look once a second finds the cause,
 * and estimates the loss by the I/Os completed since the previous look.
 *
 * Any thread may look.
 */
#ifndef CAPTURE_FROM_FTRACE_WATCH_H
#define CAPTURE_FROM_FTRACE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct capture_reporter;	/* capture/reporter.h */
struct ftrace_watch;

enum { FTRACE_CAUSE = 96 };	/* bytes of a cause, with its NUL */

struct ftrace_watch_plan {	/* the caller keeps all it points to */
	const char *tracefs, *sysfs;
	const uint32_t *devices;	/* BLK_DEVICE() numbers */
	const char *const *names;	/* theirs, for reports; or NULL */
	unsigned int count;
	const struct capture_reporter *reporter;	/* or NULL */
	uint64_t start;		/* ns: start of tracing */
	/* switches a device's trace on again; 0 or -errno */
	int (*enable)(void *ctx, unsigned int device);
	void *ctx;
};

/* a CPU's ring buffer in events, since it was last cleared */
struct ftrace_stats {
	uint64_t entries;	/* waiting to be read */
	uint64_t overrun;	/* overwritten unread */
	uint64_t refused;	/* without room */
	uint64_t read;		/* by any process */
	bool has_read;		/* the kernel counts read events */
};

/* 0 or -errno with all zero */
int ftrace_stats_read(struct ftrace_stats *s, const char *tracefs,
		      uint32_t cpu);

/* a device's missing events */
struct ftrace_gap {
	uint64_t from, to;	/* ns: missing between these two looks */
	uint64_t events;	/* estimated, at least 1 */
	char cause[FTRACE_CAUSE];
};

/* right after tracing starts; 0 and *w, or -errno */
int ftrace_watch_new(struct ftrace_watch **w,
		     const struct ftrace_watch_plan *p);
void ftrace_watch_free(struct ftrace_watch *w);	/* w may be NULL */

/* n more events have been read from the ring buffer, of any device */
void ftrace_watch_count(struct ftrace_watch *w, uint64_t n);

/* the ring buffer's counters show that it was cleared after `since` (ns): the
 * next look reports it, unless a look has since then */
void ftrace_watch_cleared(struct ftrace_watch *w, uint64_t since);

/* looks for changes, reports and repairs them; call once a second.  last: does
 * not repair, and later looks do nothing */
void ftrace_watch_look(struct ftrace_watch *w, bool last);

/* takes what looks have found about a device; false: nothing new */
bool ftrace_watch_take(struct ftrace_watch *w, unsigned int device,
		       struct ftrace_gap *gap);

#endif
