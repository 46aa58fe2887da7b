/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report as columns of numbers, in blocks that are zlib streams, as text in
 * base64 (doc/report.md): all its rows or counts of them, as many as there is
 * room for.
 */
#ifndef REPORT_BLOCKS_H
#define REPORT_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report;			/* report/report.h */
struct report_columns;		/* report/columns.h */

/* how a page shows a report; the script needs these */
struct report_blocks {
	struct report_columns *columns;	/* packed */
	bool exact;		/* it has all rows */
	uint32_t bins;		/* else: of width r->width */
	uint32_t first, buckets;	/* of the spans; none: 0, 1 */
	uint32_t cells, rows;	/* of offsets; rows at most */
	uint64_t width;		/* of a cell, ns */
	uint32_t open;		/* rows of open ios at most, unless exact */
	unsigned int rung;	/* blocks.c's */
};

/*
 * Makes the most detailed one of at most budget bytes as text, else the least
 * detailed; r loses the data left out.  0 or -ENOMEM.
 */
int report_blocks_make(struct report_blocks *b, struct report *r,
		       size_t budget);

/* makes it anew with less detail; 0 or -ENOMEM */
int report_blocks_less(struct report_blocks *b, struct report *r,
		       size_t budget);

/* whether there is no less detail */
bool report_blocks_least(const struct report_blocks *b);

void report_blocks_free(struct report_blocks *b);

#endif
