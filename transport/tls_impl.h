/* SPDX-License-Identifier: GPL-2.0-only */
/* The members of struct tls, for conn_tls.c only. */
#ifndef TRANSPORT_TLS_IMPL_H
#define TRANSPORT_TLS_IMPL_H

#include <gnutls/gnutls.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "transport/psk.h"
#include "transport/tls.h"

struct tls {
	atomic_uint owners;
	bool server;
	struct psk_list keys;	/* a server's */
	gnutls_priority_t priority;
	gnutls_certificate_credentials_t certificate;	/* or NULL */
	gnutls_psk_client_credentials_t psk_client;	/* or NULL */
	gnutls_psk_server_credentials_t psk_server;	/* or NULL */
};

/* a session's pointer, for callbacks */
struct tls_peer {
	struct tls *tls;
	bool unknown;		/* it has named a key that we do not have */
};

#endif
