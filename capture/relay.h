/*
 * Relay files: the kernel's way of handing over a CPU's records, in debugfs
 * under block/NAME/traceCPU.  Reading consumes.
 */
#ifndef CAPTURE_RELAY_H
#define CAPTURE_RELAY_H

#include <pthread.h>
#include <stdint.h>

struct tap;			/* capture/tap.h */

struct relay_place {
	const char *debugfs;	/* where it is mounted */
	const char *const *names;	/* of the devices' directories */
	unsigned int count;
	/*
	 * Held for reading during each read(2), NULL: nobody stops the trace.
	 * BLKTRACESTOP closes sub-buffers of other CPUs than its own, wakes
	 * their readers in the middle of that, and who reads then is given
	 * what nobody has written: whoever stops holds it for writing.
	 */
	pthread_rwlock_t *gate;
};

/*
 * The relay files of cpu, to be called in its thread.  0 and *t; or -errno,
 * and *which is the device whose file could not be opened.
 */
int relay_open(struct tap **t, const struct relay_place *where, uint32_t cpu,
	       unsigned int *which);

#endif
