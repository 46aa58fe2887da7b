/* SPDX-License-Identifier: GPL-2.0-only */
/* Connections by TLS, built without GnuTLS: never called, as tls_none.c makes
 * no struct tls. */
#include <stddef.h>

#include "transport/conn_tls.h"

struct conn *conn_tls_new(struct tls *t, int fd, const char *host)
{
	(void)t;
	(void)fd;
	(void)host;
	return NULL;
}
