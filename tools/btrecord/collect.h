/* SPDX-License-Identifier: GPL-2.0-only */
/* Collects one input's queued I/Os into a replay file for each device and CPU.
 * */
#ifndef TOOLS_BTRECORD_COLLECT_H
#define TOOLS_BTRECORD_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

struct event;			/* record/record.h */
struct record_options;		/* tools/btrecord/options.h */
struct collect;

/* sums over all inputs, added to by collect_finish() */
struct collect_sums {
	/* taken for writes, as by 1.3.0; of exact files, left out */
	uint64_t discards;	/* and other commands that move no data */
	uint64_t flushes;	/* I/Os of 0 bytes */
	uint64_t early;		/* I/Os earlier than the first of their file */
};

/* name: of the replay files; NULL: each has its device's.  NULL: no memory */
struct collect *collect_new(const struct record_options *o, const char *name);

/* starts the file of a CPU, written even without I/Os; like the others, returns
 * 0, or -errno, reported on stderr */
int collect_expect(struct collect *t, uint32_t cpu);

/* adds an event, with its lane set, if it is a queued I/O */
int collect_event(struct collect *t, const struct event *ev);

/* counts a note */
void collect_note(struct collect *t, const struct event *note);

/* completes all files, prints their sums with -v, and adds to *sums */
int collect_finish(struct collect *t, struct collect_sums *sums);

void collect_free(struct collect *t);

#endif
