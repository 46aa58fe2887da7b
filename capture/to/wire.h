/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One connection to a server, as a client has it: headers and data go out,
 * opens and closes are answered.  It waits for the server, but not for ever.
 *
 * One thread at a time may use a wire.  The conversation is described in
 * doc/blktrace-net.5.
 */
#ifndef CAPTURE_TO_WIRE_H
#define CAPTURE_TO_WIRE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "transport/conn.h"

struct addrinfo;
struct net_header;		/* net.h */
struct tls;			/* transport/tls.h */

struct wire_options {
	const struct addrinfo *list;	/* the server's addresses */
	const char *host;	/* what it must be called */
	const struct tls *tls;	/* NULL: a plain connection */
	/* once it is set, connecting ends and a server that takes nothing is
	 * given up within seconds */
	const atomic_bool *stop;
};

struct wire;

/*
 * Connects to the first address that answers.  0 and *w; or -errno, with
 * -EINTR when *stop was set.  Empty, or why.  *o must outlive the wire.
 */
int wire_new(struct wire **w, const struct wire_options *o,
	     char why[CONN_WHY]);

/* NULL is fine */
void wire_free(struct wire *w);

/*
 * All that follow: 0; or -errno, then the wire is of no use any more:
 * -ETIMEDOUT: the server does not answer; -EPROTO: it is no server.  After a
 * failure that errno does not explain wire_why() does, else it is empty.
 */

/* a header, and len bytes of data unless that is NULL, which it announces */
int wire_send(struct wire *w, struct net_header *h, const void *data,
	      size_t len);

/* a header that is answered: an open or a close */
int wire_ask(struct wire *w, struct net_header *h);

/* whether the server is still there, while no answer is awaited */
int wire_probe(struct wire *w);

const char *wire_why(const struct wire *w);

#endif
