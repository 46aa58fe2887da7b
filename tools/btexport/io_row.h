/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of the table ios, of the selected columns.
 *
 * Cells are reused, so that unchanged values are not written again.  A number
 * beyond its column's type is null, or if the column may not be null (from
 * damaged traces only), the type's maximum.
 */
#ifndef TOOLS_BTEXPORT_IO_ROW_H
#define TOOLS_BTEXPORT_IO_ROW_H

#include <stdbool.h>
#include <stdint.h>

struct cell;			/* emit/row.h */
struct io;			/* request/io.h */
struct io_row;
struct naming;			/* tools/btexport/naming.h */
struct reader;			/* run/reader.h */

extern const struct row_table ios_table;	/* tools/btexport/row_table.h */

/*
 * columns: numbers of columns of ios_table, in order, each at most once.
 * r and n stay the caller's.  0 and *row, or -ENOMEM.
 */
int io_row_new(struct io_row **row, const struct reader *r, struct naming *n,
	       const unsigned int *columns, unsigned int count);

/* the time of day of time 0, if known, in place of the reader's */
void io_row_set_start(struct io_row *row, bool known, int64_t start);

/* the column segment of all rows from now on; 0 at first */
void io_row_segment(struct io_row *row, int32_t segment);

/* a cell for each column, until the next call, or as long as *io */
const struct cell *io_row_make(struct io_row *row, const struct io *io);

/* NULL is fine */
void io_row_free(struct io_row *row);

#endif
