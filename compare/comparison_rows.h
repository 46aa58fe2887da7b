/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison's rows for programs: csv and json. */
#ifndef COMPARE_COMPARISON_ROWS_H
#define COMPARE_COMPARISON_ROWS_H

#include <stdbool.h>
#include <stdint.h>

struct buf;			/* base/buf.h */
struct compare_result;		/* compare/compare.h */
struct compare_row;
struct compare_table;
struct comparison_options;	/* compare/comparison_options.h */

enum { COMPARISON_NAME_MAX = 16 };

/* "mean", "IO/s", "p50", "p99.9" */
void comparison_row_name(const struct compare_row *row,
			 char name[COMPARISON_NAME_MAX]);

/* "slower", "not significant", "no verdict"... */
const char *comparison_verdict(const struct compare_row *row);

void comparison_rows_csv(const struct comparison_options *o,
			 const struct compare_result *r, struct buf *b,
			 bool heading);
void comparison_rows_json(const struct comparison_options *o,
			  const struct compare_result *r, struct buf *b);

#endif
