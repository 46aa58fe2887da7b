/* SPDX-License-Identifier: GPL-2.0-only */
/* The submitting threads' barrier, so that all start an iteration at once. */
#ifndef TOOLS_BTREPLAY_BARRIER_H
#define TOOLS_BTREPLAY_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct barrier {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	unsigned int arrived;	/* threads, each once per iteration */
	unsigned int opened;	/* iterations started */
	uint64_t origin;	/* ns, start of the last iteration */
	uint64_t latest;	/* ns, the last I/O sent */
};

void barrier_init(struct barrier *g);
void barrier_free(struct barrier *g);

/* the calling thread has arrived; last: time of its last I/O, 0: none */
void barrier_arrive(struct barrier *g, uint64_t last);

/* waits for the opening of iteration n, from 1; false: *halt was set */
bool barrier_wait_open(struct barrier *g, unsigned int n, uint64_t *origin,
		       const atomic_bool *halt);

/* waits up to 50 ms until that many have arrived; whether they have */
bool barrier_wait_arrived(struct barrier *g, unsigned int arrived);

/* opens the next iteration, which starts at origin */
void barrier_open(struct barrier *g, uint64_t origin);

/* another thread has sent an I/O at this time */
void barrier_add(struct barrier *g, uint64_t last);

/* ns from the start of the last iteration to its last I/O */
uint64_t barrier_length(struct barrier *g);

#endif
