/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a run that was killed has left in the kernel.
 */
#ifndef TOOLS_BLKTRACE_KILL_H
#define TOOLS_BLKTRACE_KILL_H

struct options;			/* tools/blktrace/options.h */

/*
 * Ends the traces of all devices (-k), by whichever way they were begun.  The
 * exit status: 1, with a line on stderr, if one of them had none.
 */
int kill_leftovers(const struct options *o);

#endif
