/* SPDX-License-Identifier: GPL-2.0-only */
/* TLS, built without GnuTLS; see tls.h. */
#include <errno.h>
#include <stdio.h>

#include "transport/tls.h"

bool tls_built(void)
{
	return false;
}

int tls_new(struct tls **t, const struct tls_options *o, char why[TLS_WHY])
{
	(void)t;
	(void)o;
	snprintf(why, TLS_WHY, "built without TLS");
	return -ENOSYS;
}

/* Never called, as there is no struct tls. */

unsigned int tls_keys(const struct tls *t)
{
	(void)t;
	return 0;
}

struct tls *tls_share(struct tls *t)
{
	return t;
}

void tls_free(struct tls *t)
{
	(void)t;
}
