/* SPDX-License-Identifier: GPL-2.0-only */
/* Ends I/Os and requests, with the effect on I/Os above. */
#ifndef REQUEST_LEAVE_H
#define REQUEST_LEAVE_H

#include <stdint.h>

#include "request/io.h"

struct joiner;			/* request/items.h */
struct open_io;
struct request;

/* after a request's last C: its I/Os end, each at its own time */
void leave_request(struct joiner *j, struct request *rq, uint64_t time);

/*
 * The bytes of an I/O are done, but not its request: its caller and the I/O
 * above continue.  Its record comes with its request; later losses do not count
 * as its gap.
 */
void leave_reached(struct joiner *j, struct open_io *io,
		   const struct request *rq);

/* an I/O without a request has completed */
void leave_completed(struct joiner *j, struct open_io *io, uint64_t time);

/* Stops waiting for the C of an I/O, and of others in its request.  time: when
 * it was dropped, or the trace's end. */
void leave_closed(struct joiner *j, struct open_io *io, enum io_ended ended,
		  uint64_t time);
void leave_request_closed(struct joiner *j, struct request *rq,
			  enum io_ended ended, uint64_t time);

#endif
