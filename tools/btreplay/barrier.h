/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where all submitting threads wait for each other, so that an iteration
 * begins for all of them at one moment.
 */
#ifndef TOOLS_BTREPLAY_BARRIER_H
#define TOOLS_BTREPLAY_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct barrier {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	unsigned int arrived;	/* in all, a thread once for each iteration */
	unsigned int opened;	/* iterations begun */
	uint64_t origin;	/* ns, when the last of them began */
	uint64_t latest;	/* ns, the last I/O that was sent */
};

void barrier_init(struct barrier *g);
void barrier_free(struct barrier *g);

/*
 * Called by each thread that arrives at the barrier, with the time of its last
 * I/O (0: none yet).
 */
void barrier_arrive(struct barrier *g, uint64_t last);

/* waits for the opening of iteration n, from 1; false: *halt was set */
bool barrier_wait_open(struct barrier *g, unsigned int n, uint64_t *origin,
		       const atomic_bool *halt);

/* waits until so many have arrived in all, or for 50 ms: whether they have */
bool barrier_wait_arrived(struct barrier *g, unsigned int arrived);

/* opens the next iteration, which begins at origin */
void barrier_open(struct barrier *g, uint64_t origin);

/* an I/O was sent at this time by another thread */
void barrier_add(struct barrier *g, uint64_t last);

/* ns from the beginning of the last iteration to its last I/O */
uint64_t barrier_length(struct barrier *g);

#endif
