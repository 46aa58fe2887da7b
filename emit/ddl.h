/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CREATE TABLE statements in each engine's SQL.
 */
#ifndef EMIT_DDL_H
#define EMIT_DDL_H

struct buf;			/* base/buf.h */
struct row_shape;		/* emit/row.h */

enum ddl_engine {
	DDL_SQLITE,
	DDL_DUCKDB,
	DDL_CLICKHOUSE,
	DDL_ENGINES
};

/* "sqlite", "duckdb", "clickhouse" */
const char *ddl_engine_name(enum ddl_engine engine);

/*
 * Appends the statement, with ";" and newline.  Columns that may not be null
 * are declared so.  storage: ClickHouse's engine with its clauses, such as
 * "MergeTree ORDER BY host", or NULL; other engines ignore it.
 */
void ddl_table(struct buf *b, enum ddl_engine engine,
	       const struct row_shape *shape, const char *storage);

#endif
