/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables as statements of SQL: CREATE TABLE as each engine has it.
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
 * Appends the statement that creates the table, with ; and newline.  Where a
 * cell may not be null the table refuses it.  order: the columns by which
 * ClickHouse sorts, such as "host, time_ns"; NULL: none.  Others ignore it.
 */
void ddl_table(struct buf *b, enum ddl_engine engine,
	       const struct row_shape *shape, const char *order);

#endif
