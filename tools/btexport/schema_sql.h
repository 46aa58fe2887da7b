/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables as statements of SQL: --schema=sqlite, duckdb, clickhouse.
 */
#ifndef TOOLS_BTEXPORT_SCHEMA_SQL_H
#define TOOLS_BTEXPORT_SCHEMA_SQL_H

#include "emit/ddl.h"

struct buf;			/* base/buf.h */
struct row_shape;		/* emit/row.h */

/*
 * Prints how tables are loaded, what creates each of them, and what belongs
 * beside them: SQLite's index and views, for ClickHouse TABLE_all over all
 * nodes of a cluster.  doc/sql/clickhouse-tables.sql is ours for ClickHouse, of
 * the tables ios, latency, events, meta.
 */
void schema_sql(struct buf *b, enum ddl_engine engine,
		const struct row_shape *shapes, unsigned int count);

#endif
