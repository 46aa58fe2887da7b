/* SPDX-License-Identifier: GPL-2.0-only */
/* The I/Os in a request, and the range of sectors that they make. */
#ifndef REQUEST_RIDERS_H
#define REQUEST_RIDERS_H

#include <stdint.h>

struct event;			/* record/record.h */
struct joiner;			/* request/items.h */
struct open_io;
struct queue;
struct request;

/* A request for an I/O that no longer waits, with the event's range. */
struct request *riders_start(struct joiner *j, struct queue *q,
			     const struct event *ev, struct open_io *io);

/* A request made together with its I/O, and not known by its sectors. */
struct request *riders_bare(struct joiner *j, struct queue *q,
			    const struct event *ev, struct open_io *io);

/* A request of which only this event was seen: carries the I/Os that wait in
 * its range, or else a new one. */
struct request *riders_ghost(struct joiner *j, struct queue *q,
			     const struct event *ev);

/* Adds the I/O at the back or the front. */
void riders_add_back(struct joiner *j, struct queue *q, struct request *rq,
		     struct open_io *io);
void riders_add_front(struct joiner *j, struct queue *q, struct request *rq,
		      struct open_io *io);

/* Moves all of next to the back of rq at that time, and ends next. */
void riders_join(struct joiner *j, struct queue *q, struct request *rq,
		 struct request *next, uint64_t time);

/*
 * Adjusts rq to the event's size, which differs from that of the merges seen.
 * If the event is larger, what waits in its range is added; if it is smaller,
 * what is outside waits again.
 */
void riders_resize(struct joiner *j, struct queue *q, struct request *rq,
		   const struct event *ev);

/* Makes it known by its range; or no longer, and takes it from its plug. */
void riders_enter(struct joiner *j, struct queue *q, struct request *rq);
void riders_hide(struct joiner *j, struct queue *q, struct request *rq);
/* Ends merging, on its way to the driver. */
void riders_close(struct joiner *j, struct queue *q, struct request *rq);
/*
 * remove it from the index of starts, and enter it at the start of its next C
 */
void riders_leave_start(struct joiner *j, struct request *rq);
void riders_enter_start(struct joiner *j, struct queue *q, struct request *rq);

/* The request of an I/O; takes time by the number of I/Os before it. */
struct request *riders_request(struct joiner *j, const struct open_io *io);

#endif
