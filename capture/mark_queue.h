/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks on their way into a capture's records, where the kernel does not write
 * them itself.
 *
 * Any thread adds one, stamped with the time of the call.  The first CPU's
 * thread inserts it into that CPU's records before the first later event, or
 * once no earlier record can follow.
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
	MARK_QUEUE_MAX = 256,	/* waiting at once */
};

/* devices are the run's BLK_DEVICE() numbers; 0 or -errno */
int mark_queue_new(struct mark_queue **q, uint32_t cpu,
		   const uint32_t *devices, unsigned int count);

/*
 * Adds a mark to a device by its number, or (0) to all.  len is 1 to
 * MARK_BYTES.  Returns the number of devices; -EAGAIN: too many wait.
 */
int mark_queue_add(struct mark_queue *q, uint32_t device, uint32_t pid,
		   const char *text, size_t len);

/* --- for the thread of the first CPU -------------------------------------- */

/* readable while marks wait */
int mark_queue_fd(const struct mark_queue *q);

/* whether marks wait, without a lock */
bool mark_queue_waits(const struct mark_queue *q);

/* passes a device's whole records on to put(), with marks inserted, as records
 * of that version, 7 or 8; returns put()'s first result that is not 0 */
int mark_queue_deliver(struct mark_queue *q, unsigned int version,
		       unsigned int device, const void *records, size_t len,
		       const struct tap_sums *sums, tap_deliver *put,
		       void *ctx);

/*
 * After a pass over all that the kernel holds: puts the marks that were waiting
 * at the end of the previous pass, but for those later than `until` (ns).  all:
 * this is the last pass.  versions: of the devices' records, 0: unknown.
 */
int mark_queue_settle(struct mark_queue *q, const unsigned int *versions,
		      uint64_t until, bool all, tap_deliver *put, void *ctx);

/* q may be NULL */
void mark_queue_free(struct mark_queue *q);

#endif
