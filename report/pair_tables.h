/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of a page of two runs, and what stands below them, as HTML. */
#ifndef REPORT_PAIR_TABLES_H
#define REPORT_PAIR_TABLES_H

struct buf;			/* base/buf.h */
struct report_pair;		/* report/pair.h */

/*
 * By operation, process, device, cgroup if any has one: of each three rows, A,
 * B, and what B is more or less; the slowest of each side.
 */
void pair_tables_write(const struct report_pair *pair, struct buf *b);

/* how much was read of each side, kept, and could not be joined */
void pair_tables_write_about(const struct report_pair *pair, struct buf *b);

#endif
