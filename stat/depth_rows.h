/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Depth in consecutive windows of equal length, a row for each.
 *
 * A row is complete when all requests that started before its end were added.
 * It waits for them until a number of later rows are over.  Requests added
 * after that count in the remaining rows.
 */
#ifndef STAT_DEPTH_ROWS_H
#define STAT_DEPTH_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/depth.h"

enum { DEPTH_ROWS = 64 };

/* adds to *d the requests in flight at d->to; 0 or -ENOMEM */
struct depth_open {
	int (*add)(void *ctx, struct depth *d);	/* or NULL */
	void *ctx;
};

struct depth_rows {
	uint64_t from, length;
	unsigned int wait;
	struct depth_open open;	/* set by the caller; must know all requests
				 * that started before depth_rows_next()'s
				 * now */
	uint64_t doubt;		/* rows that end later are not exact */
	uint64_t first;		/* number of the oldest row */
	unsigned int count;
	struct depth rows[DEPTH_ROWS];	/* by number modulo DEPTH_ROWS */
};

/* length: ns, not 0; wait: later rows to wait for, below DEPTH_ROWS; 0: none */
void depth_rows_init(struct depth_rows *r, uint64_t from, uint64_t length,
		     unsigned int wait);

/*
 * Returns 1 and the next row, if it is over at now and either complete (all
 * requests that started before settled were added) or has waited long enough,
 * which makes it inexact; 0 if there is none yet; or -ENOMEM.
 *
 * joiner_oldest() gives settled if all records read were added; else take the
 * earlier of it and the start of those records.
 */
int depth_rows_next(struct depth_rows *r, uint64_t settled, uint64_t now,
		    struct depth_row *row);

/* the same for the remaining rows when the trace ends at end */
int depth_rows_last(struct depth_rows *r, uint64_t end, struct depth_row *row);

/*
 * Adds a request.  0, -ENOMEM, or -EINVAL: it ends after the last row that
 * fits.  Call only after depth_rows_next() returned 0 for a now not below to.
 */
int depth_rows_add(struct depth_rows *r, uint64_t from, uint64_t to);

/* Another one may be in flight since from: rows that end later are inexact. */
void depth_rows_doubt(struct depth_rows *r, uint64_t from);

/* What was added between from and to may be wrong: rows there are inexact. */
void depth_rows_doubt_span(struct depth_rows *r, uint64_t from, uint64_t to);

void depth_rows_free(struct depth_rows *r);

#endif
