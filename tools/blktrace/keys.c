/* SPDX-License-Identifier: GPL-2.0-only */
/* Keys and certificates of a run; see keys.h. */
#include <stddef.h>

#include "base/msg.h"
#include "tools/blktrace/keys.h"
#include "tools/blktrace/options.h"
#include "transport/tls.h"

int keys_try(const struct options *o, struct tls **t, char *why)
{
	const struct tls_options to = { o->listen, o->psk, o->identity,
					o->cert, o->key, o->ca };

	*t = NULL;
	return options_tls(o) ? tls_new(t, &to, why) : 0;
}

int keys_open(const struct options *o, struct tls **t)
{
	char why[TLS_WHY];
	int err = keys_try(o, t, why);

	if (err)
		msg_warn("%s", why);
	return err;
}
