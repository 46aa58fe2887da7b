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

struct buf;			/* base/buf.h */
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
