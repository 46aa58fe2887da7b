/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A client's connection to a server (blktrace-net(5)): sends headers and data,
 * and awaits answers to opens and closes, with time-outs.  One thread at a time
 * may use a wire.
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
	const char *host;	/* the name to authenticate */
	struct tls *tls;	/* NULL: a plain connection */
	/* once set, stops connecting, and drops a server that takes nothing
	 * within seconds */
	const atomic_bool *stop;
};

struct wire;

/*
 * Connects to the first address that answers; *o must outlive the wire.  0 and
 * *w; or -errno, and why or ""; -EINTR: *stop was set.
 */
int wire_new(struct wire **w, const struct wire_options *o,
	     char why[CONN_WHY]);

void wire_free(struct wire *w);	/* w may be NULL */

/*
 * The following return 0 or -errno, after which the wire cannot be used:
 * -ETIMEDOUT: the server does not answer; -EPROTO: it is no server.  wire_why()
 * explains a failure that errno does not, else it is empty.
 */

/* a header, and len bytes of data, which it announces, unless NULL */
int wire_send(struct wire *w, struct net_header *h, const void *data,
	      size_t len);

/* a header that the server answers: an open or a close */
int wire_ask(struct wire *w, struct net_header *h);

/* len bytes of another protocol: all are sent, or have come, for which it waits
 * as many ms (less after *stop) */
int wire_write(struct wire *w, const void *bytes, size_t len);
int wire_read(struct wire *w, void *bytes, size_t len, unsigned int ms);

/* for a caller that waits by itself, without time-outs */
struct conn *wire_conn(const struct wire *w);

/* whether the server is still connected, while no answer is due */
int wire_probe(struct wire *w);

const char *wire_why(const struct wire *w);

#endif
