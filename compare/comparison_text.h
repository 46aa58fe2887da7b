/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison's table and words, for people. */
#ifndef COMPARE_COMPARISON_TEXT_H
#define COMPARE_COMPARISON_TEXT_H

struct buf;			/* base/buf.h */
struct compare_result;		/* compare/compare.h */
struct compare_work;		/* compare/work.h */
struct comparison_options;	/* compare/comparison_options.h */

/* 80 columns at most, unless names are long */
void comparison_text(const struct comparison_options *o,
		     const struct compare_result *r, struct buf *b);

/* its lines about other work, if it is, and about what verdicts are about */
void comparison_text_work(const struct compare_work *w, struct buf *b);
void comparison_text_unit(const struct compare_result *r, struct buf *b);

#endif
