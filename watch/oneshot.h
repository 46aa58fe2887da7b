/*
 * Tracing while a command runs, or until a signal: nothing is left behind,
 * however it ends, as everything in the kernel is held by descriptors.
 */
#ifndef WATCH_ONESHOT_H
#define WATCH_ONESHOT_H

#include <signal.h>

struct options;			/* watch/options.h */

/* the exit status: the command's, or 0; 1 if tracing has failed */
int oneshot_run(const struct options *o, const volatile sig_atomic_t *stop);

#endif
