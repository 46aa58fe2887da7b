/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A connection by TLS.  Its handshake succeeds only if the peer has
 * authenticated itself by a shared key, or a certificate of one of our
 * authorities.  The connection's identity is the client's name.
 */
#ifndef TRANSPORT_CONN_TLS_H
#define TRANSPORT_CONN_TLS_H

struct conn;			/* transport/conn.h */
struct tls;			/* transport/tls.h */

/*
 * Takes the socket over.  host: the name or address that must be in the
 * server's certificate, NULL: we are the server; it must outlive the connection,
 * which shares *t.  NULL: no memory, and the caller keeps the socket.
 */
struct conn *conn_tls_new(struct tls *t, int fd, const char *host);

#endif
