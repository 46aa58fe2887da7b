/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ios as a trace of Perfetto's: a timeline that its UI (or any other program
 * that reads such traces) shows.
 *
 * A group for each device has counters (requests at the driver, bytes read and
 * written a second) and lanes: each io is a slice on the lowest that is free
 * when it begins, with a slice inside for each of its phases.  Arrows lead from
 * an io to those that were made of it, on this device or one below.  What has
 * no end in the trace shows what phases it went through.
 *
 * Ios come in any order, usually that of their ends; each has its packets
 * together, so that the file is in no order of time, which readers do not need.
 *
 * Memory is bounded by 14 MiB and what ios need that are under way at a time,
 * 64 bytes each.  An io that more than 32,766 younger ones overtake has lost
 * its place: its lane may be one more than would have been needed, it has no
 * arrows, and it is not in the depth.  Names of processes beyond 16,384 are
 * left out.
 */
#ifndef EMIT_PERFETTO_H
#define EMIT_PERFETTO_H

#include <stdint.h>

#include "base/heap.h"

/* --- gauges --------------------------------------------------------------- */

/*
 * Gauges of devices over time: how many requests are at the driver, and how
 * many bytes a second were read and written, in steps of 10 ms.
 *
 * Ios come in the order in which they began; what they change, later, waits in
 * a heap for its time.  Of an io that began before what has been counted, what
 * is past counts as if it were now.
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

/* --- perfetto ------------------------------------------------------------- */

struct named_io;		/* emit/named_io.h */
struct perfetto;

enum { PERFETTO_NAMES = 16384 };	/* of processes, flags */

/* 0 and *p, or -ENOMEM; *b stays the caller's, and keeps errors of writing */
int perfetto_open(struct perfetto **p, struct buf *b);

/* one more, or one that is not to be shown: each id comes once; 0 or -ENOMEM */
int perfetto_add(struct perfetto *p, const struct named_io *named);
int perfetto_leave_out(struct perfetto *p, uint64_t id);

/* no more will come: what still waits is written; the same */
int perfetto_end(struct perfetto *p);

/* frees p, whether ended or not; NULL is fine */
void perfetto_free(struct perfetto *p);

#endif
