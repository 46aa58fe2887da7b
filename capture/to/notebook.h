/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The notes of a run that a trace which begins in the middle of it needs: the
 * last name of each process, and the last time stamp.  All threads of a
 * capture write into one; a lock is taken for each note, not for events.
 *
 * A name is kept where it was noted last: by the device and CPU of that.  The
 * idle processes, all of pid 0, have one on each CPU.
 */
#ifndef CAPTURE_TO_NOTEBOOK_H
#define CAPTURE_TO_NOTEBOOK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "blktrace.h"
#include "capture/notes.h"

/* processes of all devices that are kept; later ones are named where they
 * appear, and not again */
enum { NOTEBOOK_NAMES = 1 << 16 };

struct notebook_name {
	unsigned int device;	/* of the run's */
	uint32_t cpu;		/* whose records had it last */
	uint8_t len;		/* bytes of the record */
	uint8_t record[BLK_HEADER_MAX + NOTES_NAME];
};

struct notebook {
	pthread_mutex_t lock;	/* of all below */
	struct notebook_name *names;	/* in the order of appearance */
	size_t count, size;
	struct hash by_pid;	/* and device: index in names */
	struct hash stamps;	/* by device: the last, owned */
};

void notebook_init(struct notebook *n);
void notebook_free(struct notebook *n);

/*
 * Takes a note of this machine's, version 7 or 8, which a CPU has recorded of a
 * device; only names and stamps are kept.  0 or -ENOMEM.
 */
int notebook_take(struct notebook *n, unsigned int device, uint32_t cpu,
		  const uint8_t *record);

/* what a file that begins in the middle of a run is of */
struct notebook_head {
	unsigned int device;	/* of the run's */
	uint32_t cpu;
	uint64_t border;	/* ns: the trace time where it begins */
	struct notes_stamp now;	/* serves if no stamp has been taken */
};

/*
 * The head of that file as file/segments.h has it: *len bytes, the caller's to
 * free.  NULL: no memory.
 */
uint8_t *notebook_write(struct notebook *n, const struct notebook_head *h,
			size_t *len);

#endif
