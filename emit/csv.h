/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows as CSV (RFC 4180, but lines end with LF) and as TSV, in the form that
 * ClickHouse and PostgreSQL read.
 *
 * CSV quotes only texts that contain a comma, a quote, CR or LF; null is empty.
 * TSV writes null as \N and escapes separators in texts: \t, \n, \r, \0 and \\.
 * With the option header, a row of column names comes first.
 */
#ifndef EMIT_CSV_H
#define EMIT_CSV_H

#include "emit/row.h"

extern const struct row_ops csv_ops, tsv_ops;

#endif
