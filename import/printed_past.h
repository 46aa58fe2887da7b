/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What earlier lines say about an event that its own line does not: whether its
 * device has requests, sizes of splits and packet commands, and which part of a
 * split I/O has completed.
 *
 * When a part completes, blkparse prints everything from the start of the first
 * I/O split there up to the end of the part.  The part begins where a request
 * with this end was issued; on devices without requests, where the last part of
 * the I/O with this end does.
 */
#ifndef IMPORT_PRINTED_PAST_H
#define IMPORT_PRINTED_PAST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct printed;			/* import/printed_event.h */

enum { PAST_PIDS = 16 };

struct past_device {
	uint32_t packet_bytes[2];	/* of the last command, by direction */
	struct past_queued {
		uint32_t pid;
		uint64_t sector, end;
	} queued[PAST_PIDS];	/* the last I/O, by the pid's last bits */
	bool has_requests, has_splits;
};

/* All zeros is nothing. */
struct printed_past {
	struct past_device *devices;
	uint32_t count;
	struct hash by_number;
	/* by device and sector */
	struct hash parts;	/* sectors of a part, by its start */
	struct hash begun;	/* of a request, else of an I/O, by its end */
	struct hash since;	/* back to where blkparse prints it from */
};

/* Completes what printed_make() has made, in the order of lines.  With less
 * memory it knows less. */
void printed_past_add(struct printed_past *past, struct printed *p);

/* whether requests of a device were issued or inserted, so far */
bool printed_past_requests(const struct printed_past *past, uint32_t device);

void printed_past_free(struct printed_past *past);

#endif
