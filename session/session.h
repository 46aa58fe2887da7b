/*
 * One capture, from setting up the kernel's buffers to tearing them down.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

struct options;			/* session/options.h */

/*
 * Captures as *o says, until a signal, the time set, or until nobody takes the
 * records any more; then prints the totals.  Everything that was set up is
 * torn down, whatever happens.  Returns the exit status.
 */
int session_run(const struct options *o);

/* ends what a killed run has left (-k); the exit status */
int session_kill(const struct options *o);

#endif
