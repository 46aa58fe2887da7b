/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ios that ride in a request, and its range of sectors, which they make.
 */
#ifndef REQUEST_RIDERS_H
#define REQUEST_RIDERS_H

#include <stdint.h>

struct event;			/* record/record.h */
struct joiner;			/* request/items.h */
struct open_io;
struct queue;
struct request;

/* A request for one io that waits no longer; the event gives its range. */
struct request *riders_start(struct joiner *j, struct queue *q,
			     const struct event *ev, struct open_io *io);

/* A request that stands for its io, which it is made with, and is not found by
 * its sectors. */
struct request *riders_bare(struct joiner *j, struct queue *q,
			    const struct event *ev, struct open_io *io);

/*
 * A request of which only this event was seen: what waits in its range rides
 * in it, or else an io that begins here.
 */
struct request *riders_ghost(struct joiner *j, struct queue *q,
			     const struct event *ev);

/* The io joins, at the back or at the front. */
void riders_add_back(struct joiner *j, struct queue *q, struct request *rq,
		     struct open_io *io);
void riders_add_front(struct joiner *j, struct queue *q, struct request *rq,
		      struct open_io *io);

/* All of next joins rq, at its back, at that time; it is no request any more. */
void riders_join(struct joiner *j, struct queue *q, struct request *rq,
		 struct request *next, uint64_t time);

/*
 * The event has another size than the merges that were seen: the event is
 * right.  If it is bigger, what waits in its range joins; if it is smaller,
 * what is outside of it waits again.
 */
void riders_resize(struct joiner *j, struct queue *q, struct request *rq,
		   const struct event *ev);

/* it can be found by its range; it cannot, and no plug holds it */
void riders_enter(struct joiner *j, struct queue *q, struct request *rq);
void riders_hide(struct joiner *j, struct queue *q, struct request *rq);
/* it is on its way to the driver: merging is over */
void riders_close(struct joiner *j, struct queue *q, struct request *rq);
/* its next C begins elsewhere: no more where it did; but here */
void riders_leave_start(struct joiner *j, struct request *rq);
void riders_enter_start(struct joiner *j, struct queue *q, struct request *rq);

/* the request that an io rides in; takes as long as there are ios before it */
struct request *riders_request(struct joiner *j, const struct open_io *io);

#endif
