/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many requests are under way, in windows of equal length that follow each
 * other: a row for each.
 *
 * A row is complete when all that began before its end have been reported.  It
 * waits for that while a number of rows behind it become over, and no longer;
 * what is reported then counts in the rows that are still there.
 */
#ifndef STAT_DEPTH_ROWS_H
#define STAT_DEPTH_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/depth.h"

enum { DEPTH_ROWS = 64 };

/* adds to a window what is under way and not over, up to d->to; 0 or -ENOMEM */
struct depth_open {
	int (*add)(void *ctx, struct depth *d);	/* or NULL */
	void *ctx;
};

struct depth_rows {
	uint64_t from, length;
	unsigned int wait;
	struct depth_open open;	/* the caller's; it must know all that began
				 * before depth_rows_next()'s now */
	uint64_t doubt;		/* rows that end later are not exact */
	uint64_t first;		/* number of the oldest row that is there */
	unsigned int count;
	struct depth rows[DEPTH_ROWS];	/* at their numbers, modulo this */
};

/* the first begins at from; length in ns, not 0; wait below DEPTH_ROWS, and 0
 * for rows at the moment when they are over */
void depth_rows_init(struct depth_rows *r, uint64_t from, uint64_t length,
		     unsigned int wait);

/*
 * 1: *row is the next one, in order, that is over at now, and complete, as all
 * that began before settled were added; or has waited enough and is not exact.
 * 0: there is none.  -ENOMEM.
 *
 * What joiner_oldest() returns is settled only when no record is at hand that
 * was not added yet: else its begin is, if that is earlier.
 */
int depth_rows_next(struct depth_rows *r, uint64_t settled, uint64_t now,
		    struct depth_row *row);

/* the same for all that are left when everything is over at end */
int depth_rows_last(struct depth_rows *r, uint64_t end, struct depth_row *row);

/*
 * One was under way from one moment up to another.  0, -ENOMEM, or -EINVAL: it
 * ends after the rows which there is room for; depth_rows_next() must have
 * returned 0 for a time that is not earlier.
 */
int depth_rows_add(struct depth_rows *r, uint64_t from, uint64_t to);

/* Another one may have been under way from a moment on: no row that ends after
 * it, and has not been handed out, is exact. */
void depth_rows_doubt(struct depth_rows *r, uint64_t from);

/* What was added from one moment up to another may not be so: no row between
 * these that has not been handed out is exact. */
void depth_rows_doubt_span(struct depth_rows *r, uint64_t from, uint64_t to);

void depth_rows_free(struct depth_rows *r);

#endif
