/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics by time as a table: a line for each interval, which can be
 * written as soon as the interval is over.
 */
#ifndef EMIT_SERIES_TEXT_H
#define EMIT_SERIES_TEXT_H

#include <stdint.h>

/* --- histogram text ------------------------------------------------------- */

/*
 * A histogram as text: a row a step, with its count, its share, the share up
 * to there, and a bar.
 */

struct bins;			/* stat/scale.h */
struct buf;			/* base/buf.h */
struct look;			/* base/look.h */

/* how many rows fit: to be asked of bins_make() */
unsigned int histogram_text_rows(const struct look *l);

/* writes the heading of the columns and all rows */
void histogram_text(struct buf *out, const struct look *l,
		    const struct bins *b);

/* --- series text ---------------------------------------------------------- */

struct series_row;		/* stat/series.h */

struct series_text {
	/* in thousandths, as base/histogram has them; the caller's */
	const uint32_t *percentiles;
	unsigned int percentile_count;

	/* series_text.c's */
	unsigned int columns;	/* a bit for each but percentiles */
	unsigned int decimals;	/* of the time */
};

/*
 * A table for intervals of so many ns, with these percentiles, which stay the
 * caller's.  Where the look's width has no room for all columns, the less
 * needed ones are left out, and then the last percentiles.
 */
void series_text_init(struct series_text *t, const struct look *l,
		      uint64_t interval, const uint32_t *percentiles,
		      unsigned int count);

/* writes the line with the names of the columns */
void series_text_heading(struct buf *out, const struct series_text *t);

/* writes "... N intervals without a completion", of none nothing */
void series_text_left_out(struct buf *out, uint64_t rows);

/*
 * Writes a row, behind those that were left out before it.
 * ">=" is before a depth that is not exact, and - is for percentiles above
 * which there is no io, and of none.
 */
void series_text_row(struct buf *out, const struct series_text *t,
		     const struct series_row *row);

#endif
