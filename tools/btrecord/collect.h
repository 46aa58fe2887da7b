/*
 * What is taken from one input: the queued I/Os of each CPU of its devices,
 * each into a replay file of its own.
 */
#ifndef TOOLS_BTRECORD_TAKE_H
#define TOOLS_BTRECORD_TAKE_H

#include <stdbool.h>
#include <stdint.h>

struct event;			/* trace/record.h */
struct record_options;		/* tools/btrecord/options.h */
struct take;

/* sums over all inputs, added to by take_finish() */
struct take_sums {
	uint64_t discards;	/* and other commands that move no data */
	uint64_t flushes;	/* I/Os of 0 bytes */
	uint64_t early;		/* I/Os earlier than the first of their file */
};

/*
 * For an input that the replay files are named after; NULL: after the devices
 * in it.  NULL: no memory.
 */
struct take *take_new(const struct record_options *o, const char *name);

/*
 * Begins the file of a CPU, which is there even if no I/O comes.  0; or -errno,
 * told on stderr, as for the other functions.
 */
int take_expect(struct take *t, uint32_t cpu);

/* looks at an event, whose lane is set; takes it if it is a queued I/O */
int take_event(struct take *t, const struct event *ev);

/* a note: it only counts */
void take_note(struct take *t, const struct event *note);

/* finishes all files, tells about them if asked to, and adds to *sums */
int take_finish(struct take *t, struct take_sums *sums);

void take_free(struct take *t);

#endif
