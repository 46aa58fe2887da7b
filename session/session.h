/*
 * One capture, from setting up the kernel's buffers to tearing them down.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <stdatomic.h>

struct options;			/* session/options.h */

/*
 * Captures as *o says, until *stop is set (by a signal's handler), the time is
 * up, or nobody takes the records any more; then prints the totals.  Everything
 * that was set up is torn down, whatever happens.  Returns the exit status.
 */
int session_run(const struct options *o, const atomic_bool *stop);

#endif
