/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of doc/sql as texts: make writes sql.c of them, so that what
 * people read there is what the program uses.
 */
#ifndef TOOLS_BTEXPORT_SQL_H
#define TOOLS_BTEXPORT_SQL_H

/* ready queries: comments, what must be there before, then of each a line
 * "-- name: NAME", a line "-- WHAT IT ANSWERS", and the statement */
extern const char sql_sqlite[], sql_duckdb[], sql_clickhouse[];

/* the names of the first, in its order; NULL at the end */
extern const char *const sql_sqlite_names[];

/* the index and the views of a database, and each ready query as a view
 * ready_NAME: for sqlite_end() */
extern const char sql_sqlite_views[];

#endif
