/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One capture, from setting up the kernel's buffers to tearing them down.
 */
#ifndef TOOLS_BLKTRACE_RUN_H
#define TOOLS_BLKTRACE_RUN_H

#include <stdatomic.h>

struct options;			/* tools/blktrace/options.h */

/*
 * Captures as *o says, until *stop is set (by a signal's handler), the time is
 * up, or the records have no reader any more; then prints the totals.
 * Everything that was set up is torn down, whatever happens.  Returns the exit
 * status.
 */
int run_capture(const struct options *o, const atomic_bool *stop);

#endif
