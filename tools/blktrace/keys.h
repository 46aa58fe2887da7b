/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys or certificates of -h and -l, by the command line. */
#ifndef TOOLS_BLKTRACE_KEYS_H
#define TOOLS_BLKTRACE_KEYS_H

struct options;			/* tools/blktrace/options.h */
struct tls;			/* transport/tls.h */

/* 0 and *t, for tls_free(), NULL: none named; or -errno, reported on standard
 * error */
int keys_open(const struct options *o, struct tls **t);

/* the same, with the message in why, of TLS_WHY bytes */
int keys_try(const struct options *o, struct tls **t, char *why);

#endif
