/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows as comma-separated values, by RFC 4180 with a line feed behind each
 * row, and as values with tabs between, as ClickHouse and PostgreSQL take
 * them.
 *
 * csv: quotes are only around texts with a comma, a quote, CR or LF in them;
 * null is nothing at all.  tsv: null is \N, and in texts stands \t, \n, \r, \0
 * and \\ for what would part values or rows.  Both have a row of names first,
 * if the options' header asks for it.
 */
#ifndef EMIT_CSV_H
#define EMIT_CSV_H

#include "emit/row.h"

extern const struct row_ops csv_ops, tsv_ops;

#endif
