/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats that are a stream of rows of one table (emit/row.h) as outputs: the
 * functions of their struct output_ops, whose rows says which format it is.
 */
#ifndef TOOLS_BTEXPORT_ROWS_H
#define TOOLS_BTEXPORT_ROWS_H

#include "tools/btexport/output.h"

int rows_begin(struct output *out);
int rows_row(struct output *out, enum table_kind kind,
	     const struct cell *cells);
int rows_quiet(struct output *out);
int rows_end(struct output *out);
void rows_free(struct output *out);

#endif
