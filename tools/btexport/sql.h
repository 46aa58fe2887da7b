/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of doc/sql as texts; make writes sql.c from them.
 */
#ifndef TOOLS_BTEXPORT_SQL_H
#define TOOLS_BTEXPORT_SQL_H

/* ready queries: comments, what they need, then for each a line "-- name:
 * NAME", a line "-- WHAT IT ANSWERS", and the statement */
extern const char sql_sqlite[], sql_duckdb[], sql_clickhouse[];

/* the names in sql_sqlite, in its order; NULL at the end */
extern const char *const sql_sqlite_names[];

/* the index and the views of a database, and each ready query as a view
 * ready_NAME: for sqlite_end() */
extern const char sql_sqlite_views[];

/* from tables of schema 1 to those of schema 2 */
extern const char sql_sqlite_1_to_2[], sql_duckdb_1_to_2[],
		  sql_clickhouse_1_to_2[];

/* views beside the tables of a cluster */
extern const char sql_clickhouse_views[];

#endif
