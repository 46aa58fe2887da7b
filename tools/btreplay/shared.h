/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all replay files of a device share: the order of its I/Os, and the
 * threads that make calls.
 */
#ifndef TOOLS_BTREPLAY_SHARED_H
#define TOOLS_BTREPLAY_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct calls;			/* tools/btreplay/calls.h */
struct job;			/* tools/btreplay/job.h */
struct order;			/* tools/btreplay/order.h */
struct replay_options;		/* tools/btreplay/options.h */

struct shared {
	struct order *order;	/* NULL: no flush is sent */
	struct calls *calls;	/* NULL: no calls are made */
};

/*
 * For each of the job's devices, for I/Os in slots (tools/btreplay/channel.h).
 * NULL: it failed, as reported on stderr.
 */
struct shared *shared_new(const struct job *l, const struct replay_options *o,
			  const atomic_bool *halt);

/* begins an iteration of count devices */
void shared_begin(struct shared *s, unsigned int count);

/* whether all that has an order has come back */
bool shared_is_done(struct shared *s, unsigned int count);

/* when the last I/O was released that had been held, ns; 0: none was */
uint64_t shared_last(struct shared *s, unsigned int count);

/* waits for the calls, and ends their threads; s may be NULL */
void shared_stop(struct shared *s, unsigned int count);

void shared_free(struct shared *s, unsigned int count);

#endif
