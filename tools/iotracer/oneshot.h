/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracing while a command runs, or until a signal.  Leaves nothing in the
 * kernel, however it ends, as descriptors hold all.
 */
#ifndef TOOLS_IOTRACER_ONESHOT_H
#define TOOLS_IOTRACER_ONESHOT_H

#include <signal.h>

struct options;			/* tools/iotracer/options.h */

/* ends with the command, which gets the signal in *stop, or without one at the
 * signal; the exit status: the command's, or 0; 1: tracing has failed */
int oneshot_run(const struct options *o, const volatile sig_atomic_t *stop);

#endif
