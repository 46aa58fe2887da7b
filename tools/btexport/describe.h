/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptions of tables and ready queries, printed instead of an export.
 */
#ifndef TOOLS_BTEXPORT_DESCRIBE_H
#define TOOLS_BTEXPORT_DESCRIBE_H

#include <stdbool.h>

#include "emit/ddl.h"

/* --- schema sql ----------------------------------------------------------- */

/*
 * The tables in SQL: --schema=sqlite, duckdb, clickhouse, replicated.
 */

struct buf;			/* base/buf.h */
struct row_shape;		/* emit/row.h */

/* how ClickHouse stores tables */
struct sql_storage {
	bool replicated;	/* by the servers' macros shard and replica */
	unsigned int ttl;	/* days after which ios and events go; 0: never */
};

/*
 * Prints how to load tables, their CREATE TABLE statements, and for SQLite the
 * index and views, for ClickHouse TABLE_all over all nodes of a cluster.
 * doc/sql/clickhouse-tables.sql is the text for ClickHouse of all tables.
 */
void schema_sql(struct buf *b, enum ddl_engine engine,
		const struct row_shape *shapes, unsigned int count,
		const struct sql_storage *how);

/* Prints the statements from each older schema to the next, and then what
 * stands beside the tables. */
void upgrade_sql(struct buf *b, enum ddl_engine engine,
		 const struct row_shape *shapes, unsigned int count);

/* --- describe ------------------------------------------------------------- */

struct export_options;		/* tools/btexport/options.h */

/* prints --schema, --upgrade, --queries or --query=list; false: failed, and reported */
bool describe(const struct export_options *o);

#endif
