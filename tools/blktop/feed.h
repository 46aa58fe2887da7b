/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the traces named on the command line into samples: filters I/Os, and
 * lets time pass while a pipe is silent.
 */
#ifndef TOOLS_BLKTOP_FEED_H
#define TOOLS_BLKTOP_FEED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/traces.h"
#include "expr/filter.h"
#include "request/ios.h"
#include "tools/blktop/sampler.h"
#include "tools/blktop/tracer.h"

struct cgroup_names;		/* capture/cgroup_names.h */
struct past;			/* tools/blktop/past.h */
struct top_options;		/* tools/blktop/options.h */

/* more than the intervals that a sample is delayed by */
enum { FEED_LATE = 128 };

/* in flight at an interval's end */
struct feed_late {
	uint64_t number;	/* the interval's, plus 1; 0: none */
	struct late late;
};

struct feed {
	const struct top_options *o;
	struct tracer tracer;	/* of devices */
	struct traces in;
	struct filter filter;
	struct sampler *sampler;
	const volatile sig_atomic_t *stop;
	bool live;		/* an input is a pipe */
	bool over;		/* reading has ended */
	uint64_t patience;	/* ns until -EAGAIN, 0: no limit; set by the
				 * caller after feed_open() */

	struct past *past;	/* the last events, or NULL */

	struct cgroup_names *cgroups;	/* of this machine, or NULL */
	size_t named;		/* of these, passed to the reader */

	/* for feed.c only */
	struct ios_watcher watcher;
	bool any_q;		/* queue events are traced */
	struct feed_late *late;	/* by interval number modulo FEED_LATE */
	struct outstanding *left;	/* I/Os open at the trace's end, from
				 * interval reached on; or NULL */
	uint64_t reached;	/* the first interval without an entry, */
	uint64_t boundary;	/* and its end */
	uint64_t began;		/* when the first input was seen, time_now();
				 * 0: not yet */
	uint64_t blank;		/* intervals before the first event */
	const struct io *io;	/* read, not yet added; or NULL */
	bool waited;		/* for a pipe, since the clock was read */
	uint64_t events;	/* read before a pipe fell silent, */
	uint64_t heard;		/* and when it did, time_now() */
};

/* "recorded", "pipe" or "live" */
const char *feed_source(const struct feed *f);

/*
 * Opens all inputs of *o, or starts tracing its devices.  *o must outlive *f,
 * which must not move.  Samples get a table per key.  Setting *stop ends
 * reading.  for_people: see sampler_options.  Failure ends the program with a
 * message.
 */
void feed_open(struct feed *f, const struct top_options *o,
	       const enum group_key keys[], unsigned int key_count,
	       bool for_people, const volatile sig_atomic_t *stop);

/* Keeps the last events; call right after feed_open().  Without memory it ends
 * the program. */
void feed_keep_past(struct feed *f);

/*
 * 1: *sample is the next, to be freed by the caller; 0: end; -EAGAIN: a pipe is
 * silent, or patience is over, call again; -EIO: a read error, reported.
 * Without memory it ends the program.
 *
 * A pipe with a clock but no event is of an idle device: intervals start with
 * the clock, and the first event starts a new one.
 */
int feed_next(struct feed *f, struct sample **sample);

/* the devices late now, of a live input: silence counts as time */
void feed_late(const struct feed *f, struct late *late);

/* converts a sample's time to that of events */
uint64_t feed_event_time(const struct feed *f, uint64_t time);

/* filters I/Os read from now on; the caller keeps where */
void feed_set_where(struct feed *f, struct expr *where);

/* false: tracing failed */
bool feed_close(struct feed *f);

#endif
