/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the driver is given: requests with ios, and those that stand for
 * themselves: flush requests and passthrough commands.
 */
#ifndef REQUEST_DRIVER_H
#define REQUEST_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "request/items.h"

/* FN: a flush request of the kernel's own, for all that wait for a flush */
static inline bool driver_is_flush(const struct event *ev)
{
	return (ev->action & (BLK_TC_ACT(BLK_TC_FLUSH) |
			      BLK_TC_ACT(BLK_TC_WRITE))) ==
		       BLK_TC_ACT(BLK_TC_FLUSH) && !ev->bytes;
}

/* the request goes to the driver; it comes back from there, or never got to */
void driver_issue(struct joiner *j, struct queue *q, struct request *rq,
		  const struct event *ev);
void driver_requeue(struct joiner *j, struct queue *q, struct request *rq,
		    uint64_t time);

/* The flush request done last, its id and when: did rq's data wait for it? */
void driver_preflushed(const struct joiner *j, struct request *rq,
		       uint64_t flush, uint64_t done);

/* a request that carries nothing, with a record of that kind, in the list */
struct request *driver_bare(struct joiner *j, struct queue *q,
			    const struct event *ev, enum io_kind kind,
			    enum request_list list);
/* its C has come */
void driver_bare_complete(struct joiner *j, struct queue *q,
			  struct request *rq, const struct event *ev);

#endif
