/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A histogram as text: a row a step, with its count, its share, the share up
 * to there, and a bar.
 */
#ifndef EMIT_HISTOGRAM_TEXT_H
#define EMIT_HISTOGRAM_TEXT_H

struct bins;			/* stat/steps.h */
struct buf;			/* base/buf.h */
struct look;			/* base/look.h */

/* how many rows fit: to be asked of bins_make() */
unsigned int histogram_text_rows(const struct look *l);

/* writes the heading of the columns and all rows */
void histogram_text(struct buf *out, const struct look *l,
		    const struct bins *b);

#endif
