/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os for which the kernel has only calls that return when they are done:
 * flushes, discards, zeroes.  A few threads make them, so that nothing else of
 * a replay waits for one.
 */
#ifndef TOOLS_BTREPLAY_CALLS_H
#define TOOLS_BTREPLAY_CALLS_H

#include <stdatomic.h>
#include <stdint.h>

#include "tools/btreplay/kind.h"

struct calls;

/* a part of the I/O's own struct */
struct call {
	enum kind kind;		/* one that kind_is_call() */
	uint64_t sector;
	uint32_t bytes;
	struct call *next;	/* calls.c's */
};

/*
 * Is told that a call has returned: 0 or -errno; -ECANCELED: it was not made,
 * as the replay ends.  By one of the threads, without a lock.
 */
typedef void calls_done(struct call *c, int result);

/* starts the threads, for the device of fd; 0 and *p, or -errno */
int calls_start(struct calls **p, int fd, calls_done *done,
		const atomic_bool *halt);

/* has one of the threads make a call, as soon as one is free */
void calls_put(struct calls *p, struct call *c);

/* waits for all calls, ends the threads and frees p; NULL is fine */
void calls_stop(struct calls *p);

#endif
