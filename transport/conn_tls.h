/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A connection by TLS.  Its handshake ends well only if the other end has
 * proven who it is: by a key that both have, or by a certificate of one of our
 * authorities.  A client's name is then the connection's identity.
 */
#ifndef TRANSPORT_CONN_TLS_H
#define TRANSPORT_CONN_TLS_H

struct conn;			/* transport/conn.h */
struct tls;			/* transport/tls.h */

/*
 * Takes the socket over.  A client's to host, the name or address that must be
 * in the server's certificate; a server's to NULL.  *t and host must outlive
 * it.  NULL: out of memory, then the socket is the caller's still.
 */
struct conn *conn_tls_new(const struct tls *t, int fd, const char *host);

#endif
