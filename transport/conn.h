/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A connection: bytes to and from another machine, plain (conn_plain) or
 * encrypted (conn_tls).
 *
 * Nothing here blocks: after -EAGAIN, call again once poll(2) has reported
 * .wants.  No bytes stay in a buffer that poll does not see.  One thread at a
 * time may use a connection.
 */
#ifndef TRANSPORT_CONN_H
#define TRANSPORT_CONN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* --- conn ----------------------------------------------------------------- */

struct conn;
struct iovec;

enum {
	CONN_WHY = 192,
	CONN_HANDSHAKE_MS = 10 * 1000,
	/* the least room for a read */
	CONN_READ_MIN = 16 * 1024,
};

struct conn_ops {
	/* before anything else; 0: the peer is authenticated, or need not be;
	 * -EAGAIN; or -errno, after which nothing is sent */
	int (*handshake)(struct conn *c);
	/* bytes read, with room for CONN_READ_MIN or for all that can come; 0:
	 * the peer sends no more; -EAGAIN; or -errno */
	ssize_t (*read)(struct conn *c, void *bytes, size_t len);
	/* bytes taken; -EAGAIN: none, and the same must be written again; or
	 * -errno */
	ssize_t (*write)(struct conn *c, const struct iovec *iov, int count);
	/* while no bytes are due: 0: connected, as far as can be seen without
	 * waiting; or -errno */
	int (*probe)(struct conn *c);
	/* ends writing, and sends all that was written */
	void (*end)(struct conn *c);
	/* closes the socket, too */
	void (*free)(struct conn *c);
};

struct conn {
	const struct conn_ops *ops;
	int fd;
	short wants;		/* POLLIN or POLLOUT, after -EAGAIN */
	int64_t deadline;	/* of the handshake, as time_now_ms() */
	const char *identity;	/* a client's, authenticated, or NULL */
	char why[CONN_WHY];	/* of a failure; empty: errno explains it */
};

/* --- conn plain ----------------------------------------------------------- */

/* a connection without encryption and authentication, which takes the socket
 * over; NULL: no memory, and the caller keeps the socket */
struct conn *conn_plain_new(int fd);

#endif
