/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Delivers blocks to a server by the acknowledged protocol of blktrace-net(5):
 * each once, in order, whatever happens to the connection or the server.  What is
 * not acknowledged yet waits in capture/to/backlog.
 *
 *	courier_new
 *	courier_lane		for each lane
 *	courier_start		connects; a thread delivers from now on
 *	courier_send		by any thread
 *	courier_settle		all that was sent is stored
 *	courier_close		the totals of each lane
 *	courier_end		the server has ended the run
 *	courier_free		at any time
 */
#ifndef CAPTURE_TO_COURIER_H
#define CAPTURE_TO_COURIER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net.h"

struct addrinfo;
struct capture_reporter;	/* capture/reporter.h */
struct courier;
struct tls;			/* transport/tls.h */

struct courier_options {
	const struct addrinfo *list;	/* the server's addresses */
	const char *host;	/* the name to authenticate */
	const char *name;	/* of the server in messages */
	struct tls *tls;	/* NULL: plain connections */
	const char *spool;	/* the backlog's directory */
	uint64_t spool_size;	/* bytes, COURIER_SPOOL_MIN or more */
	bool pack;		/* packs what it sends, if the server takes it
				 * so; needs libzstd */
	const struct capture_reporter *reporter;
};

/* so that the spool has room for what comes while the oldest is dropped */
enum { COURIER_SPOOL_MIN = 8 << 20 };

/* what *o points to must outlive it; 0 and *c, or -errno, reported */
int courier_new(struct courier **c, const struct courier_options *o);

/* adds a lane, of *h name, cpu and max_cpus; its number, or -ENOMEM */
int courier_lane(struct courier *c, const struct net_header *h);

/* 0 or -errno, reported; *stop ends the attempt */
int courier_start(struct courier *c, const atomic_bool *stop);

/* a block of whole records, or with records 0 of something else, which does not
 * count; at most COURIER_SPOOL_MIN / 8 bytes */
void courier_send(struct courier *c, uint32_t lane, const void *bytes,
		  size_t len, uint64_t records);

/* Waits until nothing is left to deliver, for ever if the server does not come
 * back; *stop gives up.  0; or -EINTR, reported. */
int courier_settle(struct courier *c, const atomic_bool *stop);

/* what did not reach the server, after courier_settle() */
struct courier_lost {
	uint64_t records, bytes;	/* of a lane, or of all */
	uint64_t forgotten;	/* bytes that it had acknowledged; of all */
};

struct courier_lost courier_lost(struct courier *c);
struct courier_lost courier_lane_lost(struct courier *c, uint32_t lane);

/* what was recorded in the lane, and its device's drops; after its last block */
void courier_close(struct courier *c, uint32_t lane, uint64_t records,
		   uint64_t bytes, uint32_t drops);

/* as courier_settle() */
int courier_end(struct courier *c, const atomic_bool *stop);

void courier_free(struct courier *c);	/* c may be NULL */

#endif
