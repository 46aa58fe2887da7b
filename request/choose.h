/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chooses which of several I/Os or requests an event is about.  If the event
 * does not decide that, neither the chosen one nor the next best is sure any
 * longer.
 *
 * After known losses, those that were open then rank last in every rule.  At
 * most the bounds' chain and looks are examined, from the end that the rule
 * starts with.
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
 * The waiting I/O for an event of a bio, or NULL.  Its own process continues
 * with the latest that it queued; another one (a throttle's or zone's worker)
 * with the oldest.  Includes the one just queued.
 */
struct open_io *choose_waiting(struct joiner *j, struct queue *q,
			       const struct event *ev);

/* The waiting append whose Q had the zone of this G's place; or NULL. */
struct open_io *choose_append(struct joiner *j, struct queue *q,
			      const struct event *ev);

/* The waiting I/O whose range holds the event's bytes at sector: the latest of
 * the event's way, else the latest; or NULL. */
struct open_io *choose_holder(struct joiner *j, struct queue *q,
			      const struct event *ev, uint64_t sector);
/* The same for the event's own range, with the same end. */
struct open_io *choose_trimmed(struct joiner *j, struct queue *q,
			       const struct event *ev);

/*
 * The request, not issued yet, into which a bio may be merged: in the chain
 * that ends with last, indexed by its end or start, the latest of the event's
 * process, else the latest; or NULL.
 */
enum choose_edge { CHOOSE_BACK, CHOOSE_FRONT };
struct request *choose_mergeable(struct joiner *j, struct queue *q,
				 const struct event *ev, enum choose_edge edge);

/*
 * The request for M, I, D or R, of those that start at its sector in one of the
 * states (bits 1 << state), or NULL.  Prefers the right size; then the
 * process's own; then for an insert those not inserted, else those inserted;
 * then the oldest.
 */
struct request *choose_request(struct joiner *j, struct queue *q,
			       const struct event *ev, unsigned int states);

/*
 * The request for C, of those issued at its sector, or NULL.  Prefers the right
 * size; then the one issued on this CPU, where most devices complete; then the
 * oldest.
 */
struct request *choose_issued(struct joiner *j, struct queue *q,
			      const struct event *ev);

/* The issued zone append that was written where this C says, or NULL. */
struct request *choose_appended(struct joiner *j, struct queue *q,
				const struct event *ev);

/* The request for a C without bytes, or NULL: one whose data await a flush, one
 * without bytes at the driver, or an empty flush. */
struct request *choose_empty(struct joiner *j, struct queue *q,
			     const struct event *ev);

#endif
