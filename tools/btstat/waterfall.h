/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --why: what one I/O waited for, and what was in flight meanwhile.
 */
#ifndef TOOLS_BTSTAT_WATERFALL_H
#define TOOLS_BTSTAT_WATERFALL_H

#include <signal.h>

struct buf;			/* base/buf.h */
struct look;			/* base/look.h */
struct stat_options;		/* tools/btstat/options.h */
struct traces;			/* cli/traces.h */

/* Reads until the I/O of o->why has ended, and appends to b what it waited for.
 * 0, or -ENOENT: there is none, or it was not read because of a signal.  Ends
 * the program if it cannot be read further, or without memory. */
int waterfall_show(struct traces *in, const struct stat_options *o,
		   const struct look *look, struct buf *b,
		   const volatile sig_atomic_t *stop);

#endif
