/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktrace --check, of what -h and -l need beside a device: a line per finding,
 * as check.h has them.  Both return 0, or 1 if there was a "no:".
 */
#ifndef TOOLS_BLKTRACE_CHECK_NETWORK_H
#define TOOLS_BLKTRACE_CHECK_NETWORK_H

struct options;			/* tools/blktrace/options.h */

/* how the other end is known; nothing for -h without it */
int check_keys(const struct options *o);

/* all that a collector needs, which is no device */
int check_collector(const struct options *o);

#endif
