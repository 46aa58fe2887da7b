/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of a Parquet file that emit/parquet.h wrote, in order; the file may have
 * been damaged or made to mislead since.
 *
 * Memory: a page of each column, some 20 MiB for the table ios.
 */
#ifndef EMIT_PARQUET_READER_H
#define EMIT_PARQUET_READER_H

#include <stdint.h>

struct cell;			/* emit/row.h */
struct row_shape;		/* emit/row.h */
struct parquet_reader;

/*
 * fd, a regular file, stays the caller's and must outlive *r.  0 and *r;
 * -EBADMSG: damaged, or another program's; or -errno.
 */
int parquet_reader_open(struct parquet_reader **r, int fd);

/* its table and columns, without units and words */
const struct row_shape *parquet_reader_shape(const struct parquet_reader *r);

/* the number of rows, by its footer */
uint64_t parquet_reader_rows(const struct parquet_reader *r);

/* the schema that its tables had; 0: unknown */
unsigned int parquet_reader_schema(const struct parquet_reader *r);

/*
 * 1: cells, one for each column, has the next row, with texts until the next
 * call; 0: no more; or as parquet_reader_open().
 */
int parquet_reader_next(struct parquet_reader *r, struct cell *cells);

/* NULL is fine */
void parquet_reader_close(struct parquet_reader *r);

#endif
