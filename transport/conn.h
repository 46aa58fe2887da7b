/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A connection: bytes to and from another machine, as they are (conn_plain) or
 * encrypted (conn_tls).
 *
 * Its socket does not block, and nothing here waits: -EAGAIN asks to be called
 * again once poll(2) has seen what .wants says.  No bytes are left behind in a
 * buffer that poll does not see.  One thread at a time may use a connection.
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
	/* before anything else: 0: the other end is who it must be, or anybody
	 * may be it; -EAGAIN; or -errno, after which nothing is sent */
	int (*handshake)(struct conn *c);
	/* how many bytes came, there being room for CONN_READ_MIN or for all
	 * that can come; 0: the other end sends no more; -EAGAIN; or -errno */
	ssize_t (*read)(struct conn *c, void *bytes, size_t len);
	/* how many bytes were taken; -EAGAIN: none of these, then the same must
	 * be written again; or -errno */
	ssize_t (*write)(struct conn *c, const struct iovec *iov, int count);
	/* while nothing is to be read: 0: still there, as far as can be seen
	 * without waiting; or -errno */
	int (*probe)(struct conn *c);
	/* nothing more will be written; what was is on its way */
	void (*end)(struct conn *c);
	/* closes the socket, too */
	void (*free)(struct conn *c);
};

struct conn {
	const struct conn_ops *ops;
	int fd;
	short wants;		/* POLLIN or POLLOUT: what -EAGAIN waits for */
	int64_t deadline;	/* of the handshake, as time_now_ms() */
	const char *identity;	/* a client's, proven; NULL: it has none */
	char why[CONN_WHY];	/* of a failure; empty: errno has all of it */
};

/* --- conn plain ----------------------------------------------------------- */

/*
 * A connection without encryption, which knows nobody.
 */

/* takes the socket over; NULL: out of memory, then it is the caller's still */
struct conn *conn_plain_new(int fd);

#endif
