/*
 * What a run that was killed has left in the kernel.
 */
#ifndef SESSION_LEFTOVER_H
#define SESSION_LEFTOVER_H

struct options;			/* session/options.h */

/*
 * Ends the traces of all devices (-k), by whichever way they were begun.  The
 * exit status: 1, said on stderr, if one of them had none.
 */
int leftover_end(const struct options *o);

#endif
