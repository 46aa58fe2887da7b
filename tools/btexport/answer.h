/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The answer to a query: an aligned table for people, or rows of any format for
 * programs.
 *
 * For people, the suffix of a column's name gives its unit and is removed:
 * p99_ns becomes "p99" with "5.30ms", under_1ms_ppm has "95.40%", mean_milli
 * "0.38", bytes "1.22M" (by 1,024).  time_ns is as in blkparse, "0.795442390".
 * Null is "-".  Programs get integers.
 */
#ifndef TOOLS_BTEXPORT_ANSWER_H
#define TOOLS_BTEXPORT_ANSWER_H

#include "tools/btexport/output.h"

/* --- answer --------------------------------------------------------------- */

struct buf;			/* base/buf.h */
struct row_ops;			/* emit/row.h */
struct row_options;		/* emit/row.h */
struct sqlite_answer;		/* emit/sqlite.h */

/*
 * Both write all rows of *a, which stays the caller's, and return 0, -ENOMEM,
 * or the error of sqlite_answer_next().  *b stores write errors.
 */

/* -E2BIG: more than TABLE_COLUMNS columns */
int answer_table(struct buf *b, struct sqlite_answer *a);

int answer_rows(struct buf *b, struct sqlite_answer *a,
		const struct row_ops *ops, const struct row_options *o);

/* --- question ------------------------------------------------------------- */

/*
 * A ready query as an output: stores its tables in a database in memory, and at
 * the end writes the answer to the options' query in the format answer.
 */
extern const struct output_ops question_output;

#endif
