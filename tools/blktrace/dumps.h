/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The dumps of a flight recorder: which triggers make one, and a thread that
 * writes them, each a directory as file/segments.h has it with a cause.json in
 * it.
 *
 * A trigger inside a dump's window joins it.  Until some time has passed after
 * the trigger of the last dump, and while two wait to be written, triggers are
 * only counted.
 */
#ifndef TOOLS_BLKTRACE_DUMPS_H
#define TOOLS_BLKTRACE_DUMPS_H

#include <stdint.h>

#include "capture/notes.h"

struct capture_reporter;	/* capture/reporter.h */
struct run_cards;		/* capture/run_cards.h */
struct dumps;
struct sink;			/* capture/sink.h */
struct watch_event;		/* tools/blktrace/watch.h */

struct dumps_options {
	struct sink *ring;	/* of capture/to/sink_ring */
	const char *directory;	/* NULL: where we are; made if missing */
	int level;		/* of gzip; 0: plain */
	uint64_t before, after;	/* ns around a trigger */
	uint64_t every;		/* ns between the triggers of two dumps */
	unsigned int most;	/* dumps in all; 0: any number */
	unsigned int keep;	/* of this run's are left; 0: all */
	struct notes_stamp (*now)(void);	/* the clock of the records */
	const struct run_cards *cards;	/* written into each dump; or NULL */
	/* events that were dropped so far, of any thread */
	uint64_t (*dropped)(void *ctx);
	void *ctx;
	const struct capture_reporter *reporter;
};

/* 0 and *d, or -errno, reported */
int dumps_start(struct dumps **d, const struct dumps_options *o);

/* a trigger is true; in one thread at a time, as all below */
void dumps_fire(struct dumps *d, const struct watch_event *e);

/* what became true before that time, ns, has been fired */
void dumps_seen(struct dumps *d, uint64_t time);

/*
 * All records are in the ring.  Dumps are finished, for so many ms at most; 0,
 * or the first -errno of all that could not be written.  -ETIMEDOUT: the disk
 * does not answer; d and its ring must stay, as a thread still uses them.
 */
int dumps_end(struct dumps *d, int ms);

#endif
