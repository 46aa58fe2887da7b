/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of ios and requests, and what that means for those above.
 */
#ifndef REQUEST_LEAVE_H
#define REQUEST_LEAVE_H

#include <stdint.h>

#include "request/io.h"

struct joiner;			/* request/items.h */
struct open_io;
struct request;

/* a request's last C has come: its ios leave, each with its own time */
void leave_request(struct joiner *j, struct request *rq, uint64_t time);

/*
 * The bytes of an io are done, others of its request are not: its caller goes
 * on now, and so does the io above.  It leaves with its request; events that are
 * lost meanwhile are not its gap.
 */
void leave_reached(struct joiner *j, struct open_io *io,
		   const struct request *rq);

/* an io without request has completed */
void leave_completed(struct joiner *j, struct open_io *io, uint64_t time);

/*
 * No C of an io is waited for any longer, nor of what rides in a request with
 * it.  time: when it was given up, or the trace's end.
 */
void leave_closed(struct joiner *j, struct open_io *io, enum io_ended ended,
		  uint64_t time);
void leave_request_closed(struct joiner *j, struct request *rq,
			  enum io_ended ended, uint64_t time);

#endif
