/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os as a Perfetto trace, a timeline for its UI and other readers.
 *
 * Each device is a group of counters (requests at the driver, bytes read and
 * written per second) and lanes.  An I/O is a slice on the lowest lane that is
 * free when it starts, with a slice for each phase inside.  Arrows lead from an
 * I/O to the I/Os made of it, on this device or one below.  An I/O without an
 * end in the trace shows the phases that it reached.
 *
 * I/Os come in any order, usually of completion, and are written one by one:
 * readers do not need packets in order of time.
 *
 * Memory is bounded by 14 MiB and 64 bytes for each I/O in flight.  An I/O that
 * more than 32,766 younger ones overtake has no arrows, is not in the depth,
 * and may need an additional lane.  Processes beyond 16,384 names have none.
 */
#ifndef EMIT_PERFETTO_H
#define EMIT_PERFETTO_H

#include <stdint.h>

#include "base/heap.h"

/* --- gauges --------------------------------------------------------------- */

/*
 * Counters of devices over time: requests at the driver, and bytes read and
 * written per second, in steps of 10 ms.
 *
 * I/Os come in order of their start; their later changes wait in a heap.  A
 * change earlier than those already counted counts as the latest.
 */

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
	uint64_t at;		/* ns when value, or its step, started */
	uint64_t value;		/* requests, or bytes in the step */
	uint64_t shown;		/* the last value written, at first 0 */
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

/* adds a device to c, which starts as all zeros; 0 or -ENOMEM */
int gauges_add_device(struct gauges *c, uint64_t first_track);

/* an I/O of a device, by its number from 0; 0 or -ENOMEM */
int gauges_add(struct gauges *c, uint32_t device, const struct io *io);

/* writes the changes before a time */
void gauges_run(struct gauges *c, struct buf *b, uint64_t until);

/* writes all that are left */
void gauges_end(struct gauges *c, struct buf *b);

void gauges_free(struct gauges *c);

/* --- perfetto ------------------------------------------------------------- */

struct named_io;		/* emit/named_io.h */
struct perfetto;

enum { PERFETTO_NAMES = 16384 };	/* of processes, flags */

/* 0 and *p, or -ENOMEM; *b stays the caller's, and stores write errors */
int perfetto_open(struct perfetto **p, struct buf *b);

/* adds an I/O, or leaves one out: each id comes once; 0 or -ENOMEM */
int perfetto_add(struct perfetto *p, const struct named_io *named);
int perfetto_leave_out(struct perfetto *p, uint64_t id);

/* writes what still waits; 0 or -ENOMEM */
int perfetto_end(struct perfetto *p);

/* NULL is fine */
void perfetto_free(struct perfetto *p);

#endif
