/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics over time as text: a table of intervals, written one by one, and a
 * histogram.
 */
#ifndef EMIT_SERIES_TEXT_H
#define EMIT_SERIES_TEXT_H

#include <stdint.h>

/* --- histogram text ------------------------------------------------------- */

/*
 * A histogram: a row per step with count, share, cumulative share and a bar.
 */

struct bins;			/* stat/scale.h */
struct buf;			/* base/buf.h */
struct look;			/* base/look.h */

/* the number of rows that fit, to be passed to bins_make() */
unsigned int histogram_text_rows(const struct look *l);

/* writes the headings and all rows */
void histogram_text(struct buf *out, const struct look *l,
		    const struct bins *b);

/* --- series text ---------------------------------------------------------- */

struct series_row;		/* stat/series.h */

struct series_text {
	/* in thousandths, as in base/histogram; the caller's */
	const uint32_t *percentiles;
	unsigned int percentile_count;

	/* private */
	unsigned int columns;	/* a bit for each but percentiles */
	unsigned int decimals;	/* of the time */
};

/*
 * A table for intervals of interval ns.  If the look's width is too small, it
 * leaves out less important columns, then the last percentiles.
 */
void series_text_init(struct series_text *t, const struct look *l,
		      uint64_t interval, const uint32_t *percentiles,
		      unsigned int count);

void series_text_heading(struct buf *out, const struct series_text *t);

/* writes "... N intervals without a completion"; nothing for 0 */
void series_text_left_out(struct buf *out, uint64_t rows);

/*
 * Writes series_text_left_out() for row->left_out, and the row.  ">=" precedes
 * a depth that is a lower bound; "-" is a percentile without I/Os above it.
 */
void series_text_row(struct buf *out, const struct series_text *t,
		     const struct series_row *row);

#endif
