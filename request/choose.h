/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which one an event is about, of several that it may be about.  Where an event
 * itself does not decide, neither the one chosen nor the next that it may have
 * been about is sure any longer.
 *
 * Where losses are known, what was open when events were lost comes last in
 * every rule.  Of many only some are looked at (the bounds' chain and looks),
 * from the end that the rule begins with.
 */
#ifndef REQUEST_CHOOSE_H
#define REQUEST_CHOOSE_H

#include <stdbool.h>
#include <stdint.h>

struct event;			/* record/record.h */
struct joiner;			/* request/items.h */
struct open_io;
struct queue;
struct request;

/*
 * The waiting io that an event of a bio is about, or NULL.  Its own process
 * goes on with what it queued last; another one (a throttle's, a zone's worker)
 * with what has waited longest.  Knows the one that was just queued.
 */
struct open_io *choose_waiting(struct joiner *j, struct queue *q,
			       const struct event *ev);

/*
 * The waiting zone append whose Q named the zone, and whose G (this event)
 * names the place; or NULL.
 */
struct open_io *choose_append(struct joiner *j, struct queue *q,
			      const struct event *ev);

/*
 * The waiting io whose range holds the event's bytes at sector: the latest of
 * the event's way, else the latest; or NULL.
 */
struct open_io *choose_holder(struct joiner *j, struct queue *q,
			      const struct event *ev, uint64_t sector);
/* The same of the event's own range, and it ends where the event does. */
struct open_io *choose_trimmed(struct joiner *j, struct queue *q,
			       const struct event *ev);

/*
 * The request not issued yet that a bio may be merged into, of the chain that
 * ends with last, under its ends or its starts: the latest of the event's
 * process, else the latest; or NULL.
 */
enum choose_edge { CHOOSE_BACK, CHOOSE_FRONT };
struct request *choose_mergeable(struct joiner *j, struct queue *q,
				 const struct event *ev, enum choose_edge edge);

/*
 * The request that M, I, D or R is about, of those that begin at its sector
 * and have one of the states (bits 1 << state), or NULL.  The right size
 * first; then the process's own, which goes on by itself; then for an insert
 * those not inserted, else those inserted; the oldest.
 */
struct request *choose_request(struct joiner *j, struct queue *q,
			       const struct event *ev, unsigned int states);

/*
 * The request that C completes, of those issued at its sector, or NULL.  The
 * right size first; then the one issued on this CPU, where most devices
 * complete; then the oldest.
 */
struct request *choose_issued(struct joiner *j, struct queue *q,
			      const struct event *ev);

/* The issued zone append that has been written where this C says, or NULL. */
struct request *choose_appended(struct joiner *j, struct queue *q,
				const struct event *ev);

/*
 * What a C of no bytes ends, or NULL: a sequence behind whose data a flush
 * was due; a request without bytes at the driver; or an empty flush.
 */
struct request *choose_empty(struct joiner *j, struct queue *q,
			     const struct event *ev);

#endif
