/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flight recorder's watcher: a thread that joins the ring's events and checks
 * the triggers.  It never delays the capture: if overtaken, it continues with
 * the records left.
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

/* a trigger's match */
struct watch_event {
	const char *trigger;	/* its text, or "SIGUSR1" */
	const char *value;	/* "q2c 52.3ms", or "" */
	uint64_t time;		/* ns */
	const struct io *io;	/* or NULL */
	const char *device, *process;	/* of io; NULL: unknown */
	uint64_t blind;		/* ns not watched so far */
};

struct watch_options {
	struct chunks *chunks;
	struct trigger *const *triggers;
	size_t count;
	int signals;		/* a signalfd: each is SIGUSR1 */
	struct cgroup_names *cgroups;	/* or NULL */
	uint64_t begin;		/* ns, start of tracing */
	/* in the watcher's thread */
	void (*fired)(void *ctx, const struct watch_event *e);
	/* has seen all before that time; at least ten times a second */
	void (*seen)(void *ctx, uint64_t time);
	void *ctx;
};

/* once the ring has all its lanes; 0 and *w, or -errno */
int watch_start(struct watch **w, const struct watch_options *o);

/* after all lanes are closed: sees the rest and ends; w may be NULL */
void watch_end(struct watch *w);

#endif
