/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads for I/Os that the kernel does only by blocking calls: flushes,
 * discards, zeroes.  So the rest of a replay does not wait for them.
 */
#ifndef TOOLS_BTREPLAY_CALLS_H
#define TOOLS_BTREPLAY_CALLS_H

#include <stdatomic.h>
#include <stdint.h>

#include "tools/btreplay/kind.h"

struct calls;

/* a member of the I/O's struct */
struct call {
	enum kind kind;		/* one that kind_is_call() */
	uint64_t sector;
	uint32_t bytes;
	struct call *next;	/* calls.c's */
};

/* called by one of the threads, without a lock, after a call: 0 or -errno;
 * -ECANCELED: not made, as the replay ends */
typedef void calls_done(struct call *c, int result);

/* starts the threads, for the device of fd; 0 and *p, or -errno */
int calls_start(struct calls **p, int fd, calls_done *done,
		const atomic_bool *halt);

/* queues a call for the threads */
void calls_put(struct calls *p, struct call *c);

/* waits for all calls, ends the threads and frees p, which may be NULL */
void calls_stop(struct calls *p);

#endif
