/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison's table and words, for people. */
#ifndef EMIT_COMPARISON_TEXT_H
#define EMIT_COMPARISON_TEXT_H

struct buf;			/* base/buf.h */
struct compare_result;		/* analysis/compare.h */
struct comparison_options;	/* emit/comparison_options.h */

/* 80 columns at most, unless names are long */
void comparison_text(const struct comparison_options *o,
		     const struct compare_result *r, struct buf *b);

#endif
