/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests at the driver, with I/Os or without. */
#ifndef REQUEST_DRIVER_H
#define REQUEST_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "request/items.h"

/* FN: the kernel's own flush request, for all I/Os that wait for a flush */
static inline bool driver_is_flush(const struct event *ev)
{
	return (ev->action & (BLK_TC_ACT(BLK_TC_FLUSH) |
			      BLK_TC_ACT(BLK_TC_WRITE))) ==
		       BLK_TC_ACT(BLK_TC_FLUSH) && !ev->bytes;
}

/* a request is issued; it is requeued, issued or not */
void driver_issue(struct joiner *j, struct queue *q, struct request *rq,
		  const struct event *ev);
void driver_requeue(struct joiner *j, struct queue *q, struct request *rq,
		    uint64_t time);

/* Sets rq's preflush to the flush request completed last, by its id and end,
 * unless that ended before rq's G. */
void driver_preflushed(const struct joiner *j, struct request *rq,
		       uint64_t flush, uint64_t done);

/* a request without I/Os, with a record of that kind, in the list */
struct request *driver_bare(struct joiner *j, struct queue *q,
			    const struct event *ev, enum io_kind kind,
			    enum request_list list);
/* completes it */
void driver_bare_complete(struct joiner *j, struct queue *q,
			  struct request *rq, const struct event *ev);

#endif
