/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows as a Parquet file: row groups of 131,072 rows, in pages of 8,192, and a
 * footer.
 *
 * A group is kept, encoded, until it is full, or takes more than 7 MiB (texts
 * that all differ, random numbers).  Memory stays below 11 MiB and 5 KiB for
 * each group.
 */
#ifndef EMIT_PARQUET_H
#define EMIT_PARQUET_H

struct row_ops;			/* emit/row.h */

extern const struct row_ops parquet_ops;

#endif
