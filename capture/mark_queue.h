/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks on their way into the records of a capture, where the kernel does not
 * write them itself.
 *
 * Any thread adds one, which is stamped then.  The thread of the first CPU puts
 * it among that CPU's records: before the first event that is later, or when
 * nothing that was recorded before it can still come.
 */
#ifndef CAPTURE_MARK_QUEUE_H
#define CAPTURE_MARK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/tap.h"

struct mark_queue;

enum {
	MARK_BYTES = 127,	/* of a mark's text, at most */
	MARK_QUEUE_MAX = 256,	/* that wait at a time */
};

/* devices are BLK_DEVICE() numbers, by the run's; 0 or -errno */
int mark_queue_new(struct mark_queue **q, uint32_t cpu,
		   const uint32_t *devices, unsigned int count);

/*
 * A mark of a device, by its number, or with 0 of all: how many of the run's
 * that were; 0: none; -EAGAIN: too many wait.  len is 1 to MARK_BYTES.
 */
int mark_queue_add(struct mark_queue *q, uint32_t device, uint32_t pid,
		   const char *text, size_t len);

/* --- for the thread of the first CPU -------------------------------------- */

/* readable as long as there are some */
int mark_queue_fd(const struct mark_queue *q);

/* whether there are some: costs nothing */
bool mark_queue_waits(const struct mark_queue *q);

/*
 * Hands whole records of a device on to put(), with marks among them, as
 * records of that version, 7 or 8.  What put() returns, if not 0.
 */
int mark_queue_deliver(struct mark_queue *q, unsigned int version,
		       unsigned int device, const void *records, size_t len,
		       const struct tap_sums *sums, tap_deliver *put,
		       void *ctx);

/*
 * A pass over all that the kernel holds has ended: marks that were there at
 * the end of the one before have nothing in front of them any more.  all: no
 * other pass comes.  versions: of the devices' records, 0: not known.
 */
int mark_queue_settle(struct mark_queue *q, const unsigned int *versions,
		      bool all, tap_deliver *put, void *ctx);

/* q may be NULL */
void mark_queue_free(struct mark_queue *q);

#endif
