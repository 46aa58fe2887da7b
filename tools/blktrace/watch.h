/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The watcher of a flight recorder: a thread that joins the events of a ring
 * and asks the triggers.  It never holds up the capture: overtaken by it, it
 * goes on with what is there.
 */
#ifndef TOOLS_BLKTRACE_WATCH_H
#define TOOLS_BLKTRACE_WATCH_H

#include <stddef.h>
#include <stdint.h>

struct cgroup_names;		/* capture/cgroup_names.h */
struct chunks;			/* capture/to/chunks.h */
struct io;			/* request/io.h */
struct trigger;			/* stat/trigger.h */
struct watch;

/* what has become true */
struct watch_event {
	const char *trigger;	/* its text, or "SIGUSR1" */
	const char *value;	/* "q2c 52.3ms", or "" */
	uint64_t time;		/* ns, when that was */
	const struct io *io;	/* or NULL */
	const char *device, *process;	/* of io; or NULL: not known */
	uint64_t blind;		/* ns that could not be watched, so far */
};

struct watch_options {
	struct chunks *chunks;
	struct trigger *const *triggers;
	size_t count;
	int signals;		/* a signalfd: each is SIGUSR1 */
	struct cgroup_names *cgroups;	/* what they are called, or NULL */
	uint64_t begin;		/* ns, when tracing begins */
	/* in the watcher's thread */
	void (*fired)(void *ctx, const struct watch_event *e);
	/* all before that time has been seen; ten times a second, at least */
	void (*seen)(void *ctx, uint64_t time);
	void *ctx;
};

/* all of the ring's lanes are there; 0 and *w, or -errno */
int watch_start(struct watch **w, const struct watch_options *o);

/* All lanes have been closed: sees the rest and ends.  NULL is fine. */
void watch_end(struct watch *w);

#endif
