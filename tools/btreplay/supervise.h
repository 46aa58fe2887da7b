/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that can always be ended.
 *
 * While a device does not answer, the kernel keeps a process that has I/Os with
 * it, even if it is killed.  So a child does the work, and the parent, which
 * has no I/O, can always end.
 */
#ifndef TOOLS_BTREPLAY_SUPERVISE_H
#define TOOLS_BTREPLAY_SUPERVISE_H

/*
 * Runs work(ctx) in a child and returns its status.  SIGINT, SIGTERM and
 * SIGHUP are passed on to the child.  If it has not ended 0.8 s after the
 * first of them, it is killed and left to the kernel: then, and if it has
 * crashed, that is reported on stderr and failed is returned.  These signals
 * stay blocked in the parent.
 */
int supervise_run(int (*work)(void *ctx), void *ctx, int failed);

#endif
