/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the command line names for -h or -l to know the other end by.
 */
#ifndef TOOLS_BLKTRACE_KEYS_H
#define TOOLS_BLKTRACE_KEYS_H

struct options;			/* tools/blktrace/options.h */
struct tls;			/* transport/tls.h */

/*
 * 0 and *t, for tls_free(), NULL if nothing is named; or -errno, with a line on
 * standard error.
 */
int keys_open(const struct options *o, struct tls **t);

/* the same without the line, which goes to why, of TLS_WHY bytes */
int keys_try(const struct options *o, struct tls **t, char *why);

#endif
