/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows as a Parquet file: columns in row groups of 131,072 rows, each in pages
 * of 8,192, and a footer.
 *
 * A group is kept, encoded, until it is full.  If that takes more than 7 MiB
 * (texts that are all different, numbers of chance) the group ends with the
 * rows that it has, so that memory stays below 11 MiB, and 5 KiB for each
 * group, whatever the rows are and however many.
 */
#ifndef EMIT_PARQUET_H
#define EMIT_PARQUET_H

struct row_ops;			/* emit/row.h */

extern const struct row_ops parquet_ops;

#endif
