/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A database of SQLite as an output: the functions of its struct output_ops.
 * All tables that are wanted are in one file, which the library writes.
 */
#ifndef TOOLS_BTEXPORT_DATABASE_H
#define TOOLS_BTEXPORT_DATABASE_H

#include "tools/btexport/output.h"

int database_begin(struct output *out);
int database_row(struct output *out, enum table_kind kind,
		 const struct cell *cells);
int database_quiet(struct output *out);
int database_end(struct output *out);
void database_free(struct output *out);

#endif
