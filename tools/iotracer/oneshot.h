/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracing while a command runs, or until a signal: nothing is left behind,
 * however it ends, as everything in the kernel is held by descriptors.
 */
#ifndef TOOLS_IOTRACER_ONESHOT_H
#define TOOLS_IOTRACER_ONESHOT_H

#include <signal.h>

struct options;			/* tools/iotracer/options.h */

/*
 * Ends with the command, to which the signal in *stop is passed on; without
 * one at the signal.  The exit status: the command's, or 0; 1 if tracing has
 * failed.
 */
int oneshot_run(const struct options *o, const volatile sig_atomic_t *stop);

#endif
