/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows as ClickHouse's RowBinary, for the tables of emit/ddl.h: integers are
 * little-endian, a text is its length as a varint and its bytes, and a value
 * that may be null follows a byte that is 1 if it is.  There is nothing else, so
 * files of a table can be joined.
 */
#ifndef EMIT_ROWBINARY_H
#define EMIT_ROWBINARY_H

struct row_ops;			/* emit/row.h */

extern const struct row_ops rowbinary_ops;

#endif
