/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An SQLite database as an output: the functions of its struct output_ops.  All
 * selected tables are in one file, which the library writes, or in memory.
 */
#ifndef TOOLS_BTEXPORT_DATABASE_H
#define TOOLS_BTEXPORT_DATABASE_H

#include "tools/btexport/output.h"

struct sqlite;			/* emit/sqlite.h */

/* begin of an output: makes a database in memory in out->own */
int database_begin_in_memory(struct output *out);
struct sqlite *database_of(const struct output *out);

/* reports err, unless it is -ENOMEM, and returns it */
int database_fail(const struct output *out, int err);

int database_begin(struct output *out);
int database_row(struct output *out, enum table_kind kind,
		 const struct cell *cells);
int database_quiet(struct output *out);
int database_end(struct output *out);
void database_free(struct output *out);

#endif
