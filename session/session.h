/*
 * One capture, from setting up the kernel's buffers to tearing them down.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <signal.h>

struct options;			/* session/options.h */

/*
 * Captures as *o says, until *stop is set (by a signal's handler), the time is
 * up, or nobody takes the records any more; then prints the totals.  Everything that was set up is
 * torn down, whatever happens.  Returns the exit status.
 */
int session_run(const struct options *o, const volatile sig_atomic_t *stop);

/* ends what a killed run has left (-k); the exit status */
int session_kill(const struct options *o);

#endif
