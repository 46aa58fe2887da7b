/*
 * Telling on standard output how far the reading has come, and how fast it was
 * (-v).
 */
#ifndef TOOLS_BTT_PROGRESS_H
#define TOOLS_BTT_PROGRESS_H

#include <stdint.h>
#include <time.h>

struct buf;			/* base/buf.h */
struct event;			/* trace/record.h */

struct progress {
	struct buf *out;	/* NULL: nothing is told */
	uint64_t size;		/* bytes that there are; 0: who knows */
	uint64_t seen;		/* bytes of the events so far */
	uint64_t events;	/* all that have come */
	double begun;		/* seconds, by a clock of the machine's own */
	time_t told;		/* the second in which it was told last */
};

/* path is what is read, if it is one file, else NULL */
void progress_begin(struct progress *p, struct buf *out, const char *path);

/* slow path of progress_event() */
void progress_tell(struct progress *p, const struct event *ev, uint64_t count);

/* one more event has come; count are those that were of interest so far */
static inline void progress_event(struct progress *p, const struct event *ev,
				  uint64_t count)
{
	if (p->out)
		progress_tell(p, ev, count);
}

void progress_end(struct progress *p, uint64_t count);

#endif
