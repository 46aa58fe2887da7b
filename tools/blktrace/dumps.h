/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flight recorder's dumps: a thread writes each to a directory, or packed
 * file, named as in file/segments.h, with a cause.json.
 *
 * A trigger inside a dump's window joins it.  Triggers too soon after the last
 * dump's, or while two dumps wait, are only counted.
 */
#ifndef TOOLS_BLKTRACE_DUMPS_H
#define TOOLS_BLKTRACE_DUMPS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/notes.h"

struct capture_reporter;	/* capture/reporter.h */
struct run_cards;		/* capture/run_cards.h */
struct dumps;
struct sink;			/* capture/sink.h */
struct watch_event;		/* tools/blktrace/watch.h */

struct dumps_options {
	struct sink *ring;	/* of capture/to/sink_ring */
	const char *directory;	/* NULL: here; made if missing */
	int level;		/* of gzip; 0: plain */
	bool pack;		/* each to a packed file */
	uint64_t before, after;	/* ns around a trigger */
	uint64_t every;		/* ns between the triggers of two dumps */
	unsigned int most;	/* dumps in total; 0: any number */
	unsigned int keep;	/* of this run's dumps; 0: all */
	struct notes_stamp (*now)(void);	/* the records' clock */
	const struct run_cards *cards;	/* for each dump, or NULL */
	/* events dropped so far; called from any thread */
	uint64_t (*dropped)(void *ctx);
	void *ctx;
	const struct capture_reporter *reporter;
};

/* 0 and *d, or -errno, reported */
int dumps_start(struct dumps **d, const struct dumps_options *o);

/* a trigger has matched; in one thread at a time, as all below */
void dumps_fire(struct dumps *d, const struct watch_event *e);

/* all earlier matches have been fired; time: ns */
void dumps_seen(struct dumps *d, uint64_t time);

/*
 * After all records: finishes dumps within ms, and frees d.  0, or the first
 * -errno of a dump not written.  -ETIMEDOUT: the disk does not answer; d and
 * its ring must stay, as a thread still uses them.
 */
int dumps_end(struct dumps *d, int ms);

#endif
