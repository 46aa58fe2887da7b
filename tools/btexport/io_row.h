/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of the table ios, made of ios: only of the columns that are wanted.
 *
 * The cells are ours and stay from row to row, so that what does not change is
 * not written again.  A number beyond its column's type is null; where that may
 * not be, which no disk and no kernel has, it is the largest of the type.
 */
#ifndef TOOLS_BTEXPORT_IO_ROW_H
#define TOOLS_BTEXPORT_IO_ROW_H

struct cell;			/* emit/row.h */
struct io;			/* request/io.h */
struct io_row;
struct naming;			/* tools/btexport/naming.h */
struct reader;			/* run/reader.h */

extern const struct row_table ios_table;	/* tools/btexport/row_table.h */

/*
 * For so many columns of ios_table, by their numbers, in this order, each at
 * most once.  r and n stay the caller's.  0 and *row, or -ENOMEM.
 */
int io_row_new(struct io_row **row, const struct reader *r, struct naming *n,
	       const unsigned int *columns, unsigned int count);

/* a cell for each column: good until the next call, as long as *io is */
const struct cell *io_row_make(struct io_row *row, const struct io *io);

/* frees row; NULL is fine */
void io_row_free(struct io_row *row);

#endif
