/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the names on the command line to samples: reads the traces, leaves out
 * what is not wanted, and keeps the time of a pipe that is silent.
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

/* above the number of intervals that a sample waits */
enum { FEED_LATE = 128 };

/* what was in flight at an interval's end */
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
	bool over;		/* nothing more is read */
	uint64_t patience;	/* ns until -EAGAIN; 0: any time.  The caller's,
				 * after feed_open() */

	struct past *past;	/* of the events; NULL: none are kept */

	struct cgroup_names *cgroups;	/* of this machine; NULL: not wanted */
	size_t named;		/* so many of them are the reader's */

	/* feed.c's */
	struct ios_watcher watcher;
	bool any_q;		/* queue events are traced */
	struct feed_late *late;	/* by intervals' numbers modulo FEED_LATE */
	struct outstanding *left;	/* the same, while ios come that are
				 * open at the trace's end; or NULL */
	uint64_t reached;	/* the first interval that has none yet, */
	uint64_t boundary;	/* and when it ends */
	uint64_t began;		/* when an input was first heard, by our clock;
				 * 0: nobody looked, or it was not */
	uint64_t blank;		/* intervals before the first event */
	const struct io *io;	/* read, and not added yet; or NULL */
	uint64_t events;	/* that had come when a pipe was silent, */
	uint64_t heard;		/* and since when, by our clock */
};

/* what that is: "recorded", "pipe", "live" */
const char *feed_source(const struct feed *f);

/*
 * Opens all inputs of *o, or has its devices traced; *o stays, and *f stays
 * where it is.  A table for each of the keys.  When *stop is set the end has come.  for_people: as
 * sampler_options has it.  Ends the program, with a message, if that cannot be
 * done.
 */
void feed_open(struct feed *f, const struct top_options *o,
	       const enum group_key keys[], unsigned int key_count,
	       bool for_people, const volatile sig_atomic_t *stop);

/* From now on the last events are kept: at once after feed_open().  Out of
 * memory ends the program. */
void feed_keep_past(struct feed *f);

/*
 * 1: *sample is the next, the caller's to free; 0: that was all; -EAGAIN: a
 * pipe is silent, or it takes long, call again; -EIO: what cannot be read has
 * been reported.  Out of memory ends the program.
 *
 * A pipe whose clock is told and nothing else is of an idle device: intervals
 * are counted from there, and the first event begins a new one.
 */
int feed_next(struct feed *f, struct sample **sample);

/* What is late now, of a live input: silence counts as time. */
void feed_late(const struct feed *f, struct late *late);

/* the time of an event where a sample's is time */
uint64_t feed_event_time(const struct feed *f, uint64_t time);

/* ios that come from now on have to be such; where stays the caller's */
void feed_set_where(struct feed *f, struct expr *where);

/* Whether tracing, if there was any, went well. */
bool feed_close(struct feed *f);

#endif
