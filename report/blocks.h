/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report as columns: all its rows, or what stands for them; and as much of it
 * as there is room for.
 */
#ifndef REPORT_BLOCKS_H
#define REPORT_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report;			/* report/report.h */
struct report_columns;		/* report/columns.h */

/* how a page is made of a report; the script has to know these */
struct report_blocks {
	struct report_columns *columns;	/* packed */
	bool exact;		/* rows are there, all of them */
	uint32_t bins;		/* else: of width r->width */
	uint32_t first, buckets;	/* of the spans that came; none: 0, 1 */
	uint32_t cells, rows;	/* of offsets; rows at most */
	uint64_t width;		/* of a cell, ns */
	uint32_t open;		/* rows of what is open at most, unless exact */
	unsigned int rung;	/* blocks.c's */
};

/*
 * Makes the most detailed that has at most so many bytes as text, or else the
 * least detailed: r loses what is left out.  0 or -ENOMEM.
 */
int report_blocks_make(struct report_blocks *b, struct report *r,
		       size_t budget);

/* The same of what was made already: something less.  0 or -ENOMEM. */
int report_blocks_less(struct report_blocks *b, struct report *r,
		       size_t budget);

/* whether there is nothing less */
bool report_blocks_least(const struct report_blocks *b);

void report_blocks_free(struct report_blocks *b);

#endif
