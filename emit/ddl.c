/* SPDX-License-Identifier: GPL-2.0-only */
/* CREATE TABLE for several engines; see ddl.h. */
#include "base/buf.h"
#include "emit/ddl.h"
#include "emit/row.h"

struct dialect {
	const char *name;
	const char *quote;	/* around a column's name, or "" */
	/* after a column's name, if it may be null and if not */
	const char *types[COLUMN_TYPES][2];
	const char *end;	/* after the list of columns */
};

enum { NEVER_NULL, MAY_BE_NULL };

/*
 * SQLite has one size of integers.  Texts that are never null (host, device,
 * operation) have few values, so ClickHouse's LowCardinality takes a tenth of
 * the disk.  Its release 18.16 does not allow null there.
 */
static const struct dialect dialects[DDL_ENGINES] = {
	[DDL_SQLITE] = { "sqlite", "\"", {
		[COLUMN_TEXT] = { "TEXT NOT NULL", "TEXT" },
		[COLUMN_INT32] = { "INTEGER NOT NULL", "INTEGER" },
		[COLUMN_INT64] = { "INTEGER NOT NULL", "INTEGER" },
	}, ") STRICT" },
	[DDL_DUCKDB] = { "duckdb", "", {
		[COLUMN_TEXT] = { "VARCHAR NOT NULL", "VARCHAR" },
		[COLUMN_INT32] = { "INTEGER NOT NULL", "INTEGER" },
		[COLUMN_INT64] = { "BIGINT NOT NULL", "BIGINT" },
	}, ")" },
	[DDL_CLICKHOUSE] = { "clickhouse", "", {
		[COLUMN_TEXT] = { "LowCardinality(String)",
				  "Nullable(String)" },
		[COLUMN_INT32] = { "Int32", "Nullable(Int32)" },
		[COLUMN_INT64] = { "Int64", "Nullable(Int64)" },
	}, ") ENGINE = " },
};

const char *ddl_engine_name(enum ddl_engine engine)
{
	return dialects[engine].name;
}

void ddl_table(struct buf *b, enum ddl_engine engine,
	       const struct row_shape *shape, const char *storage)
{
	const struct dialect *d = &dialects[engine];
	unsigned int i;

	buf_printf(b, "CREATE TABLE %s (", shape->table);
	for (i = 0; i < shape->count; i++) {
		const struct column *c = shape->columns[i];

		buf_printf(b, "%s\n    %s%s%s %s", i ? "," : "", d->quote,
			   c->name, d->quote, d->types[c->type][
			   c->may_be_null ? MAY_BE_NULL : NEVER_NULL]);
	}
	buf_printf(b, "\n%s", d->end);
	if (engine == DDL_CLICKHOUSE)
		buf_printf(b, "%s", storage ? storage :
			   "MergeTree ORDER BY tuple()");
	buf_printf(b, ";\n");
}
