/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one end has to know others by, and to be known by: shared keys, or a
 * certificate and who signs those of others.  All connections of a program use
 * it, in any thread.
 *
 * TLS 1.3, by GnuTLS; where that is not built in (make GNUTLS=no), tls_none.c
 * stands here.  Connections are conn_tls.h's.
 */
#ifndef TRANSPORT_TLS_H
#define TRANSPORT_TLS_H

#include <stdbool.h>

struct tls;

enum { TLS_WHY = 256 };

struct tls_options {
	bool server;
	const char *psk;	/* file of keys (psk.h), or NULL */
	const char *identity;	/* of these the client's own; NULL: the first */
	/* PEM files, all or none: a certificate with what is between it and
	 * its authority, its key, and authorities that others' come from */
	const char *cert, *key, *ca;
};

/* whether it is built in */
bool tls_built(void);

/*
 * Reads the files.  0, for tls_free(); or -errno and why.  A server may have
 * keys and a certificate, a client has one of them.
 */
int tls_new(struct tls **t, const struct tls_options *o, char why[TLS_WHY]);

/* how many identities a server has keys of */
unsigned int tls_keys(const struct tls *t);

/* NULL is fine */
void tls_free(struct tls *t);

#endif
