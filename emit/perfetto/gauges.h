/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gauges of devices over time: how many requests are at the driver, and how
 * many bytes a second were read and written, in steps of 10 ms.
 *
 * Ios come in the order in which they began; what they change, later, waits in
 * a heap for its time.  Of an io that began before what has been counted, what
 * is past counts as if it were now.
 */
#ifndef EMIT_PERFETTO_GAUGES_H
#define EMIT_PERFETTO_GAUGES_H

#include <stdint.h>

#include "base/heap.h"

struct buf;			/* base/buf.h */
struct io;			/* request/io.h */

enum { GAUGES_STEP = 10000000 };	/* ns */

enum gauge {
	GAUGE_DEPTH,
	GAUGE_READ,
	GAUGE_WRITTEN,
	GAUGES
};

struct gauge_state {
	uint64_t track;
	uint64_t at;		/* since when it has value: ns */
	uint64_t value;		/* requests; of the others bytes in the step */
	uint64_t shown;		/* what was written last; before that it is 0 */
};

struct gauges_device {
	struct gauge_state of[GAUGES];
};

struct gauges {
	struct heap changes;
	struct gauges_device *devices;
	uint32_t count;
	size_t size;
	uint64_t now;
};

/* all zeros: of no device */

/* one more device, whose tracks are from that number on: 0, or -ENOMEM */
int gauges_add_device(struct gauges *c, uint64_t first_track);

/* an io of a device, by its number from 0; the same */
int gauges_add(struct gauges *c, uint32_t device, const struct io *io);

/* what has changed before a time is written */
void gauges_run(struct gauges *c, struct buf *b, uint64_t until);

/* all that is left */
void gauges_end(struct gauges *c, struct buf *b);

void gauges_free(struct gauges *c);

#endif
