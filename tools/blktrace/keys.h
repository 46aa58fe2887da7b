/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys or certificates of -h and -l, and who may send to -l, by the command
 * line. */
#ifndef TOOLS_BLKTRACE_KEYS_H
#define TOOLS_BLKTRACE_KEYS_H

#include "transport/tls.h"

struct opener;			/* base/opener.h */
struct options;			/* tools/blktrace/options.h */
struct server_access;		/* server/server.h */

/* 0 and *t, for tls_free(), NULL: none named; or -errno, reported on standard
 * error */
int keys_open(const struct options *o, struct tls **t);

/* the same with a collector's networks, of files that `by` opens (NULL: we do):
 * 0 and *a, for server_access_free(); or -errno and why */
int keys_access(const struct options *o, const struct opener *by,
		struct server_access *a, char why[TLS_WHY]);

#endif
