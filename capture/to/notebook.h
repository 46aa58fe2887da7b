/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The notes that a trace needs which starts in the middle of a run: the last
 * name of each process, and the last time stamp.  All threads of a capture
 * share it, with a lock for each note, not for events.
 *
 * A name is kept with the device and CPU of its last note.  Idle processes, all
 * pid 0, have one name per CPU.
 */
#ifndef CAPTURE_TO_NOTEBOOK_H
#define CAPTURE_TO_NOTEBOOK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "blktrace.h"
#include "capture/notes.h"

/* processes of all devices kept; later ones are named only where they appear */
enum { NOTEBOOK_NAMES = 1 << 16 };

struct notebook_name {
	unsigned int device;	/* of the run's */
	uint32_t cpu;		/* of its last note */
	uint8_t len;		/* bytes of the record */
	uint8_t record[BLK_HEADER_MAX + NOTES_NAME];
};

struct notebook {
	pthread_mutex_t lock;	/* of all below */
	struct notebook_name *names;	/* in order of appearance */
	size_t count, size;
	struct hash by_pid;	/* and device: index in names */
	struct hash stamps;	/* by device: the last, owned */
};

void notebook_init(struct notebook *n);
void notebook_free(struct notebook *n);

/* takes a CPU's note of a device, native version 7 or 8; keeps only names and
 * stamps.  0 or -ENOMEM */
int notebook_take(struct notebook *n, unsigned int device, uint32_t cpu,
		  const uint8_t *record);

/* a file that starts in the middle of a run */
struct notebook_head {
	unsigned int device;	/* of the run's */
	uint32_t cpu;
	uint64_t border;	/* ns: the trace time where it starts */
	struct notes_stamp now;	/* used if no stamp has been taken */
};

/* that file's head as in file/segments.h: *len bytes, the caller's to free;
 * NULL: no memory */
uint8_t *notebook_write(struct notebook *n, const struct notebook_head *h,
			size_t *len);

#endif
