/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A connection without encryption, which knows nobody.
 */
#ifndef TRANSPORT_CONN_PLAIN_H
#define TRANSPORT_CONN_PLAIN_H

struct conn;			/* transport/conn.h */

/* takes the socket over; NULL: out of memory, then it is the caller's still */
struct conn *conn_plain_new(int fd);

#endif
