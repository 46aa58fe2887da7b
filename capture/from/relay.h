/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Relay files: the kernel's way of handing over a CPU's records, in debugfs
 * under block/NAME/traceCPU.  Reading consumes.
 */
#ifndef CAPTURE_FROM_RELAY_H
#define CAPTURE_FROM_RELAY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct tap;			/* capture/tap.h */

/* what the readers of all CPUs have in common */
struct relay_shared {
	/*
	 * Held for reading during each read(2).  BLKTRACESTOP closes the
	 * sub-buffers of all CPUs from one of them, and wakes their readers in
	 * the middle of that: they are given bytes that were never written.
	 * So it is held for writing during BLKTRACESTOP.  Readers come by the
	 * entrance, which is shut while the writer waits: however many CPUs
	 * read, it is next.
	 */
	pthread_rwlock_t gate;
	pthread_mutex_t entrance;
	/* bytes that were no records and have been passed over: there are
	 * other such moments, when an interrupt fills a sub-buffer */
	_Atomic uint64_t foreign;
};

void relay_shared_init(struct relay_shared *s);
void relay_shared_free(struct relay_shared *s);

/* nobody reads from the one to the other */
void relay_shared_shut(struct relay_shared *s);
void relay_shared_reopen(struct relay_shared *s);

struct relay_place {
	const char *debugfs;	/* where it is mounted */
	const char *const *names;	/* of the devices' directories */
	unsigned int count;
	struct relay_shared *shared;	/* NULL: there is one reader only */
};

/*
 * The relay files of cpu, to be called in its thread.  0 and *t; or -errno,
 * and *which is the device whose file could not be opened.
 */
int relay_open(struct tap **t, const struct relay_place *where, uint32_t cpu,
	       unsigned int *which);

#endif
