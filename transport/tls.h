/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The keys of one end: shared keys, or a certificate and the authorities of
 * others'.  All connections (conn_tls.h) of a program use it, in any thread.
 *
 * TLS 1.3, by GnuTLS; built without (make GNUTLS=no), tls_none.c replaces it.
 */
#ifndef TRANSPORT_TLS_H
#define TRANSPORT_TLS_H

#include <stdbool.h>

struct opener;			/* base/opener.h */
struct tls;

enum { TLS_WHY = 256 };

struct tls_options {
	bool server;
	const char *psk;	/* file of keys (psk.h), or NULL */
	const char *identity;	/* of the client's key; NULL: the first */
	/* PEM files, all or none: a certificate with those between it and its
	 * authority, its key, and the authorities of others' certificates */
	const char *cert, *key, *ca;
	const char *crl;	/* PEM file of revoked certificates, or NULL */
	const struct opener *by;	/* opens these files; NULL: we do */
};

/* whether it was built with GnuTLS */
bool tls_built(void);

/* reads the files, and guards all memory of the process from then on
 * (secret_guard()); a server may have keys and a certificate, a client has one
 * of them.  0, for tls_free(); or -errno and why */
int tls_new(struct tls **t, const struct tls_options *o, char why[TLS_WHY]);

/* the number of a server's keys */
unsigned int tls_keys(const struct tls *t);

/* another owner, who calls tls_free(), too */
struct tls *tls_share(struct tls *t);

/* the last owner's frees it; t may be NULL */
void tls_free(struct tls *t);

#endif
