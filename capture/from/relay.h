/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tap on a CPU's relay files, debugfs' block/NAME/traceCPU; reading consumes.
 */
#ifndef CAPTURE_FROM_RELAY_H
#define CAPTURE_FROM_RELAY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct tap;			/* capture/tap.h */

/* shared by the readers of all CPUs */
struct relay_shared {
	/*
	 * Held for reading during each read(2), and for writing during
	 * BLKTRACESTOP: that closes the sub-buffers of all CPUs from one CPU,
	 * and wakes their readers too early, which then read bytes that were
	 * never written.  Readers first pass the entrance, which is shut while
	 * the writer waits, so that it is next however many CPUs read.
	 */
	pthread_rwlock_t gate;
	pthread_mutex_t entrance;
	/* bytes skipped, as they were no records: an interrupt that fills a
	 * sub-buffer causes them, too */
	_Atomic uint64_t foreign;
};

void relay_shared_init(struct relay_shared *s);
void relay_shared_free(struct relay_shared *s);

/* no reads between the two calls */
void relay_shared_shut(struct relay_shared *s);
void relay_shared_reopen(struct relay_shared *s);

struct relay_place {
	const char *debugfs;	/* its mount point */
	const char *const *names;	/* of the devices' directories */
	unsigned int count;
	struct relay_shared *shared;	/* NULL: only one reader */
};

/* opens the relay files of cpu, in its thread; 0 and *t; or -errno, and *which
 * is the device of the file that failed */
int relay_open(struct tap **t, const struct relay_place *where, uint32_t cpu,
	       unsigned int *which);

#endif
