/* SPDX-License-Identifier: GPL-2.0-only */
/* blktrace --check of either end of a network; see check_network.h. */
#include <stdio.h>

#include "capture/doctor.h"
#include "confine/calls.h"
#include "confine/places.h"
#include "confine/wanted.h"
#include "tools/blktrace/check_network.h"
#include "tools/blktrace/keys.h"
#include "tools/blktrace/options.h"
#include "transport/tls.h"

static void print_keys(const struct options *o, const struct tls *t)
{
	unsigned int n = tls_keys(t);

	if (o->psk && o->listen)
		printf("ok: TLS, by keys of %u identit%s in %s\n", n,
		       n == 1 ? "y" : "ies", o->psk);
	else if (o->psk)
		printf("ok: TLS, by a key in %s\n", o->psk);
	if (o->cert)
		printf("ok: TLS, by certificates that %s has signed\n", o->ca);
}

int check_keys(const struct options *o)
{
	char why[TLS_WHY];
	struct tls *t;

	if (!options_tls(o)) {
		if (o->listen)
			printf("but: no TLS: anybody who can connect may"
			       " send\n");
		return 0;
	}
	if (keys_try(o, &t, why)) {
		printf("no: %s\n", why);
		return 1;
	}
	print_keys(o, t);
	tls_free(t);
	return 0;
}

/* A collector works without either, with more rights than it needs. */
static void print_confinement(void)
{
	int version = places_version();

	if (version)
		printf("ok: a collector is confined to its directory"
		       " (Landlock, version %d)\n", version);
	else
		printf("but: no Landlock: a collector is not confined to its"
		       " directory\n");
	if (calls_can_restrict())
		printf("ok: a collector is confined to the system calls it"
		       " needs (seccomp)\n");
	else
		printf("but: no seccomp filters: a collector may make any"
		       " system call\n");
	if (!confine_is_wanted())
		printf("but: BLKTRACE_NO_SANDBOX, or a sanitizer, switches"
		       " both off\n");
}

int check_collector(const struct options *o)
{
	int status = check_keys(o);
	char text[DOCTOR_TEXT];

	print_confinement();
	if (doctor_output(text, o->directory, NULL)) {
		printf("no: %s\n", text);
		return 1;
	}
	printf("ok: output directory %s is writable\n",
	       o->directory ? o->directory : ".");
	return status;
}
