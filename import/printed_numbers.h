/* SPDX-License-Identifier: GPL-2.0-only */
/* Sequence numbers of printed events, by device and CPU. */
#ifndef IMPORT_PRINTED_NUMBERS_H
#define IMPORT_PRINTED_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "blktrace.h"

struct event;			/* record/record.h */

/* the numbers of a device and CPU */
struct numbered {
	uint32_t device;
	uint32_t next;		/* number that is expected */
	uint32_t other;		/* a lane of the CPU: its place plus 1, or 0 */
};

/* All zeros is none. */
struct printed_numbers {
	struct numbered *list;
	size_t count, size;
	struct hash by_device;	/* and CPU */
	uint32_t of_cpu[BLK_CPU_MAX];	/* the last of each, plus 1, or 0 */
	uint64_t events, holes;	/* with numbers, so far */
};

/* The device that recorded a remap: its line has the device that it leads to,
 * and the number of the traced one.  Call it before the next. */
uint32_t printed_numbers_device(const struct printed_numbers *n,
				const struct event *ev, uint32_t number);

/* takes the next number in; how many are missing before it */
uint32_t printed_numbers_missing(struct printed_numbers *n,
				 const struct event *ev, uint32_t number);

void printed_numbers_free(struct printed_numbers *n);

#endif
