/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The summary behind the lines: blocks per process, per CPU and per device,
 * and when the trace was started.  Layout: doc/blkparse.1, section SUMMARY.
 */
#ifndef EMIT_SUMMARY_H
#define EMIT_SUMMARY_H

struct buf;			/* base/buf.h */
struct clock;			/* record/clock.h */
struct devices;			/* run/device.h */
struct names;			/* run/names.h */
struct stats;			/* stats.h */

/* whether letter is one that -S knows */
int summary_sort_known(char letter);

/*
 * The block of each process, in the order that letter (one of -S's) asks for;
 * *devices has the names of hosts.
 * Without memory for the sorting, in order of appearance.
 */
void summary_processes(struct buf *out, const struct stats *s,
		       const struct names *names,
		       const struct devices *devices, char letter);

/* the blocks of each device */
void summary_devices(struct buf *out, const struct stats *s,
		     const struct devices *devices);

/* "Trace started at ..." */
void summary_start(struct buf *out, const struct clock *c);

#endif
