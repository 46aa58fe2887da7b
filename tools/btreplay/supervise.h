/*
 * A process that can always be ended.
 *
 * The kernel does not let a process go whose I/Os are with a device that does
 * not answer, not even if it is killed.  So the work is done by a child, and
 * whoever has started us waits for the parent, which has no I/O.
 */
#ifndef TOOLS_BTREPLAY_SUPERVISE_H
#define TOOLS_BTREPLAY_SUPERVISE_H

/*
 * Runs work(ctx) in a child and returns its status.  SIGINT, SIGTERM and
 * SIGHUP are passed on to the child.  If it has not ended 0.8 s after the
 * first of them, it is killed and left to the kernel: then, and if it has
 * crashed, that is told on stderr and failed is returned.  These signals stay
 * blocked in the parent.
 */
int supervise_run(int (*work)(void *ctx), void *ctx, int failed);

#endif
