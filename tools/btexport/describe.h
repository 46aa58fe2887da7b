/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is printed in place of an export: tables described, ready queries.
 */
#ifndef TOOLS_BTEXPORT_DESCRIBE_H
#define TOOLS_BTEXPORT_DESCRIBE_H

#include <stdbool.h>

#include "emit/ddl.h"

/* --- schema sql ----------------------------------------------------------- */

/*
 * The tables as statements of SQL: --schema=sqlite, duckdb, clickhouse.
 */

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

/* --- describe ------------------------------------------------------------- */

struct export_options;		/* tools/btexport/options.h */

/* --schema, --queries and --query=list: prints what they ask for.  Whether that
 * went well; else it has been reported. */
bool describe(const struct export_options *o);

#endif
