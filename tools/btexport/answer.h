/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The answer to a query: as an aligned table for people, or as rows of any
 * format for programs.
 *
 * For people the end of a column's name says what it is, and is not shown:
 * p99_ns is headed "p99" and has "5.30ms", under_1ms_ppm "95.40%", mean_milli
 * "0.38"; bytes go by 1,024, "1.22M".  time_ns is a moment, as blkparse prints
 * it: "0.795442390".  What is not known is "-".  Programs get whole numbers.
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
 * Both take all rows from *a, which stays the caller's, and return 0, -ENOMEM,
 * or what sqlite_answer_next() has failed with.  What cannot be written is
 * seen in *b.
 */

/* -E2BIG: more columns than a table for people can have */
int answer_table(struct buf *b, struct sqlite_answer *a);

int answer_rows(struct buf *b, struct sqlite_answer *a,
		const struct row_ops *ops, const struct row_options *o);

/* --- question ------------------------------------------------------------- */

/*
 * A ready query as an output: what it is about goes into a database in memory,
 * and in the end the answer is written, as the options' query and answer say.
 */

extern const struct output_ops question_output;

#endif
