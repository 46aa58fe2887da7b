/* SPDX-License-Identifier: GPL-2.0-only */
/* Keys, certificates and networks of a run; see keys.h. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "server/server.h"
#include "tools/blktrace/keys.h"
#include "tools/blktrace/options.h"
#include "transport/psk.h"
#include "transport/tls.h"

/* --- keys ----------------------------------------------------------------- */

static int try(const struct options *o, const struct opener *by,
	       struct tls **t, char why[TLS_WHY])
{
	const struct tls_options to = { o->listen, o->psk, o->identity,
					o->cert, o->key, o->ca, o->crl, by };

	*t = NULL;
	return options_tls(o) ? tls_new(t, &to, why) : 0;
}

int keys_open(const struct options *o, struct tls **t)
{
	char why[TLS_WHY];
	int err = try(o, NULL, t, why);

	if (err)
		msg_warn("%s", why);
	return err;
}

/* --- networks ------------------------------------------------------------- */

static int add_network(struct server_access *a, const struct server_net *net)
{
	struct server_net *allow = realloc(a->allow, (a->allow_count + 1) *
							     sizeof(*allow));

	if (!allow)
		return -ENOMEM;
	allow[a->allow_count++] = *net;
	a->allow = allow;
	return 0;
}

/* Adds the networks of a text: one a line, and remarks after #. */
static int add_networks(struct server_access *a, char *text, const char *path,
			char why[TLS_WHY])
{
	char *line;

	for (unsigned int number = 1; (line = strsep(&text, "\n")); number++) {
		struct server_net net;
		char *word = line + strspn(line, " \t\r");

		word[strcspn(word, " \t\r#")] = '\0';
		if (!*word)
			continue;
		if (server_net_parse(&net, word)) {
			snprintf(why, TLS_WHY, "%.100s: line %u: %.60s is no"
				 " address or network", path, number, word);
			return -EINVAL;
		}
		if (add_network(a, &net))
			return -ENOMEM;
	}
	if (a->allow_count)
		return 0;
	snprintf(why, TLS_WHY, "%.100s: no network in it", path);
	return -EINVAL;
}

static int read_networks(const struct options *o, const struct opener *by,
			 struct server_access *a, char why[TLS_WHY])
{
	size_t len;
	char *text;
	int err;

	for (unsigned int i = 0; i < o->allow_count; i++)
		if (add_network(a, &o->allow[i]))
			return -ENOMEM;
	if (!o->allow_file)
		return 0;
	text = public_read(by, o->allow_file, &len, why);
	if (!text)
		return -EACCES;
	err = add_networks(a, text, o->allow_file, why);
	secret_free(text, len);
	return err;
}

int keys_access(const struct options *o, const struct opener *by,
		struct server_access *a, char why[TLS_WHY])
{
	int err;

	*a = (struct server_access){ 0 };
	snprintf(why, TLS_WHY, "out of memory");
	err = try(o, by, &a->tls, why);
	if (!err)
		err = read_networks(o, by, a, why);
	if (err)
		server_access_free(a);
	return err;
}
