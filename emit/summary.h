/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blkparse's summary: blocks per process, per CPU and per device, and when the
 * trace started.  Layout: doc/blkparse.1, section SUMMARY.
 */
#ifndef EMIT_SUMMARY_H
#define EMIT_SUMMARY_H

struct buf;			/* base/buf.h */
struct clock;			/* record/clock.h */
struct devices;			/* run/device.h */
struct names;			/* run/names.h */
struct stats;			/* stats.h */

/* whether -S accepts letter */
int summary_sort_known(char letter);

/*
 * The block of each process, in the order of letter (-S), or without memory in
 * order of appearance; *devices has the names of hosts.
 */
void summary_processes(struct buf *out, const struct stats *s,
		       const struct names *names,
		       const struct devices *devices, char letter);

/* the blocks of all devices */
void summary_devices(struct buf *out, const struct stats *s,
		     const struct devices *devices);

/* "Trace started at ..." */
void summary_start(struct buf *out, const struct clock *c);

#endif
