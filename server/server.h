/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The collecting end of the network mode: receives traces of other machines
 * and stores them in files.  One thread, which waits for all of them at once;
 * no client can delay the others.
 *
 * The protocol is in doc/blktrace-net.5.
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/senders.h"

struct server_reporter;		/* server/report.h */
struct tls;			/* transport/tls.h */

struct server_options {
	const char *directory;	/* runs get directories of their own in it */
	bool tell_root;		/* report that it stays root, if it does */
	const char *bind;	/* address to listen on; NULL: all */
	const char *port;
	const char *user;	/* to become once it listens; NULL: nobody else */
	const struct server_net *allow;	/* networks that may send; none: all */
	unsigned int allow_count;
	unsigned int max_clients;	/* runs at a time; 0: no limit */
	uint64_t max_bytes;	/* stored in all; 0: no limit */
	uint64_t max_files;	/* made in all; 0: no limit */
	struct sender_limits each;	/* the same for each sender */
	unsigned int idle;	/* s in which a run has to send something after
				 * it was opened; 0: no limit */
	/* how clients prove who they are, or they are dropped; it outlives the
	 * server.  NULL: not at all, connections are plain */
	const struct tls *tls;
	bool verbose;
	/* called once it listens, and when it is to end; NULL: nobody asks.
	 * All but what is open then may have been given up. */
	void (*state)(void *ctx, bool serving);
	void *ctx;
	const struct server_reporter *reporter;	/* not NULL */
	/* set by the handler of SIGINT, SIGTERM, SIGHUP and SIGALRM */
	const atomic_bool *stop;
};

/*
 * Serves until *stop, then ends all runs as if they had been closed.  Returns
 * the exit status: 0; or 1 if it could not begin, or not print all totals.
 */
int server_run(const struct server_options *o);

#endif
