/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptions instead of an export; see describe.h. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "cli/outfile.h"
#include "emit/ddl.h"
#include "emit/row.h"
#include "tools/btexport/describe.h"
#include "tools/btexport/options.h"
#include "tools/btexport/queries.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/schema.h"
#include "tools/btexport/sql.h"

/* --- schema sql ----------------------------------------------------------- */

/* text before or after all tables */
typedef void print_tables(struct buf *b, const struct row_shape *shapes,
			  unsigned int count);

static const char loading[DDL_ENGINES][512] = {
	[DDL_SQLITE] = "-- What btexport -o FILE.sqlite makes.\n",
	[DDL_DUCKDB] =
		"-- btexport NAME... >ios.csv\n"
		"-- COPY ios FROM 'ios.csv' (HEADER);\n"
		"-- Parquet files need no tables: btexport --queries=duckdb\n",
	[DDL_CLICKHOUSE] =
		"-- On every node; 18.16 needs"
		" --allow_experimental_low_cardinality_type=1\n"
		"-- btexport --format=tsv NAME... |\n"
		"--     clickhouse-client -q"
		" 'INSERT INTO ios FORMAT TSVWithNames'\n"
};

/* How ClickHouse stores a table: sorted by the columns most used in queries, and in
 * partitions that can be dropped when they are old. */
struct storage {
	const char *table, *key;
	const char *time;	/* of a row, NULL: all are one partition */
	const char *span;	/* of a partition */
	bool detail;		/* what --ttl removes */
};

static const struct storage storages[] = {
	{ "ios", "host, dev, ifNull(unix_ns, 0)", "unix_ns", "toYYYYMMDD",
	  true },
	{ "events", "host, dev, ifNull(unix_ns, 0)", "unix_ns", "toYYYYMMDD",
	  true },
	{ "latency", "phase, host, ifNull(minute_unix_ns, 0), disk, op",
	  "minute_unix_ns", "toYYYYMM", false },
	{ "meta", "host, key", NULL, NULL, false },
	{ "segments", "host, trace, segment", "from_unix_ns", "toYYYYMMDD",
	  false },
	{ "commits", "host, dev, ifNull(unix_ns, 0)", "unix_ns", "toYYYYMMDD",
	  true },
	{ "capacity", "host, trace, disk, depth", NULL, NULL, false },
	{ "cache", "policy, cache_bytes", NULL, NULL, false },
};

enum {
	STORAGES = sizeof(storages) / sizeof(*storages),
	STORAGE = 1024,
	/* blocks that a replicated table knows again: hours of a large fleet */
	BLOCKS = 100000
};

/* Rows of an unknown time stay: they are of the year 2100. */
static void print_ttl(struct buf *b, const char *time, unsigned int days)
{
	buf_printf(b, "\n    TTL toDateTime(intDiv(ifNull(%s,"
		   " 4102444800000000000), 1000000000))"
		   " + INTERVAL %u DAY", time, days);
}

/* The text for ddl_table(); NULL: a table of which nothing is known. */
static const char *storage_of(struct buf *b, const char *table,
			      const struct sql_storage *how)
{
	const struct storage *s = storages;
	bool passes;

	while (s < storages + STORAGES && strcmp(s->table, table))
		s++;
	if (s == storages + STORAGES)
		return NULL;
	passes = s->detail && how->ttl;
	b->len = 0;
	if (how->replicated)
		buf_printf(b, "ReplicatedMergeTree("
			   "'/clickhouse/tables/{shard}/%s', '{replica}')",
			   table);
	else
		buf_printf(b, "MergeTree");
	if (s->time)
		buf_printf(b, "\n    PARTITION BY %s(toDateTime(intDiv("
			   "ifNull(%s, 0), 1000000000)))", s->span, s->time);
	buf_printf(b, "\n    ORDER BY (%s)", s->key);
	if (passes)
		print_ttl(b, s->time, how->ttl);
	if (how->replicated)
		buf_printf(b, "\n    SETTINGS"
			   " replicated_deduplication_window = %d", BLOCKS);
	if (passes)
		buf_printf(b, "%s ttl_only_drop_parts = 1",
			   how->replicated ? "," : "\n    SETTINGS");
	buf_append(b, "", 1);
	return b->data;
}

static void print_views(struct buf *b, const struct row_shape *shapes,
			unsigned int count)
{
	(void)shapes;
	(void)count;
	buf_append(b, sql_sqlite_views, strlen(sql_sqlite_views));
}

static void print_nothing(struct buf *b, const struct row_shape *shapes,
			  unsigned int count)
{
	(void)b;
	(void)shapes;
	(void)count;
}

/* The views need tables and columns that may not be selected. */
static bool is_whole(const struct row_shape *shapes, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (shapes[i].count < tables_get((enum table_kind)i)->count)
			return false;
	return count == TABLES;
}

static void print_cluster(struct buf *b, const struct row_shape *shapes,
			  unsigned int count)
{
	unsigned int i;

	buf_printf(b, "-- On the node that answers queries (\"bt\" is the"
		   " cluster's name in remote_servers):\n");
	for (i = 0; i < count; i++)
		buf_printf(b, "CREATE TABLE %s_all AS %s"
			   " ENGINE = Distributed(bt, currentDatabase(), %s);\n",
			   shapes[i].table, shapes[i].table, shapes[i].table);
	if (!is_whole(shapes, count))
		return;
	buf_printf(b, "CREATE TABLE latency_10m_all AS latency_10m"
		   " ENGINE = Distributed(bt, currentDatabase(), latency_10m);\n");
	buf_append(b, sql_clickhouse_views, strlen(sql_clickhouse_views));
}

/* Histograms that the server adds up.  They are filled beside latency, not from it:
 * of two insertions one may fail, and each table drops a block that it has. */
static const char rollup_table[] =
	"-- latency in steps of ten minutes, without classes, added up by the"
	" server: insert\n"
	"-- into latency_10m_in whatever you insert into latency\n"
	"CREATE TABLE latency_10m (\n"
	"    host LowCardinality(String),\n"
	"    disk LowCardinality(String),\n"
	"    op LowCardinality(String),\n"
	"    phase LowCardinality(String),\n"
	"    low_ns Int64,\n"
	"    high_ns Int64,\n"
	"    count Int64,\n"
	"    trace LowCardinality(String),\n"
	"    dev LowCardinality(String),\n"
	"    from_unix_ns Int64,\n"
	"    sum_ns Int64,\n"
	"    sum_bytes Int64\n"
	") ENGINE = ";

static const char rollup_order[] =
	"(count, sum_ns, sum_bytes))\n"
	"    PARTITION BY toYYYYMM(toDateTime(intDiv(from_unix_ns,"
	" 1000000000)))\n"
	"    ORDER BY (phase, host, from_unix_ns, disk, op, trace, dev, low_ns)";

static const char rollup_view[] =
	"CREATE TABLE latency_10m_in AS latency ENGINE = Null;\n"
	"CREATE MATERIALIZED VIEW latency_10m_sum TO latency_10m AS\n"
	"SELECT host, disk, op, phase, low_ns, high_ns, count, trace, dev,\n"
	"    intDiv(ifNull(minute_unix_ns, 0), 600000000000) * 600000000000\n"
	"        AS from_unix_ns, sum_ns, sum_bytes\n"
	"FROM latency_10m_in;\n";

static void print_rollup(struct buf *b, bool replicated)
{
	buf_printf(b, "%s%s%s", rollup_table, replicated ?
		   "ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/"
		   "latency_10m', '{replica}', " : "SummingMergeTree(",
		   rollup_order);
	if (replicated)
		buf_printf(b, "\n    SETTINGS"
			   " replicated_deduplication_window = %d", BLOCKS);
	buf_printf(b, ";\n%s", rollup_view);
}

/* beside the tables of the same shapes on each node */
static void print_beside(struct buf *b, enum ddl_engine engine,
			 const struct row_shape *shapes, unsigned int count,
			 bool replicated)
{
	if (engine == DDL_CLICKHOUSE && is_whole(shapes, count))
		print_rollup(b, replicated);
}

static print_tables *const rest[DDL_ENGINES] = {
	[DDL_SQLITE] = print_views,
	[DDL_DUCKDB] = print_nothing,
	[DDL_CLICKHOUSE] = print_cluster,
};

void schema_sql(struct buf *b, enum ddl_engine engine,
		const struct row_shape *shapes, unsigned int count,
		const struct sql_storage *how)
{
	struct buf storage;
	unsigned int i;

	if (buf_init(&storage, -1, STORAGE)) {
		b->error = ENOMEM;
		return;
	}
	buf_append(b, loading[engine], strlen(loading[engine]));
	for (i = 0; i < count; i++)
		ddl_table(b, engine, &shapes[i],
			  storage_of(&storage, shapes[i].table, how));
	print_beside(b, engine, shapes, count, how->replicated);
	rest[engine](b, shapes, count);
	buf_free(&storage);
}

/* tables that neither schema 1 nor the steps from it have */
static void print_new(struct buf *b, enum ddl_engine engine,
		      const struct row_shape *shapes)
{
	const struct sql_storage how = { .replicated = false };
	struct buf storage;

	if (buf_init(&storage, -1, STORAGE)) {
		b->error = ENOMEM;
		return;
	}
	for (int kind = TABLE_SEGMENTS + 1; kind < TABLES; kind++)
		ddl_table(b, engine, &shapes[kind],
			  storage_of(&storage, shapes[kind].table, &how));
	buf_free(&storage);
}

void upgrade_sql(struct buf *b, enum ddl_engine engine,
		 const struct row_shape *shapes, unsigned int count)
{
	static const char *const steps[DDL_ENGINES] = {
		[DDL_SQLITE] = sql_sqlite_1_to_2,
		[DDL_DUCKDB] = sql_duckdb_1_to_2,
		[DDL_CLICKHOUSE] = sql_clickhouse_1_to_2,
	};

	buf_append(b, steps[engine], strlen(steps[engine]));
	if (count == TABLES)
		print_new(b, engine, shapes);
	print_beside(b, engine, shapes, count, false);
	if (engine == DDL_CLICKHOUSE)
		buf_printf(b, "INSERT INTO latency_10m_in"
			   " SELECT * FROM latency;\n");
	rest[engine](b, shapes, count);
}

/* --- describe ------------------------------------------------------------- */

enum { BUFFER = 65536 };

/* the engine of a name that the option's row has checked */
static enum ddl_engine engine_named(const char *name)
{
	enum ddl_engine e = DDL_SQLITE;

	while (e + 1 < DDL_ENGINES && strcmp(ddl_engine_name(e), name))
		e++;
	return e;
}

static void print_text(struct buf *b, const struct row_table *const *tables,
		       unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		if (i)
			buf_append(b, "\n", 1);
		schema_text(b, tables[i]);
	}
}

static void print_upgrade(struct buf *b, const struct export_options *o)
{
	struct row_shape shapes[TABLES];

	for (int kind = 0; kind < TABLES; kind++)
		shapes[kind] = o->out.fields[kind].shape;
	upgrade_sql(b, engine_named(o->upgrade), shapes, TABLES);
}

static void print_schema(struct buf *b, const struct export_options *o)
{
	const struct row_table *tables[TABLES];
	const struct sql_storage how = {
		.replicated = !strcmp(o->schema, "replicated"), .ttl = o->ttl
	};
	struct row_shape shapes[TABLES];
	unsigned int count = 0;

	for (int kind = 0; kind < TABLES; kind++) {
		if (o->tables && !export_has(o, (enum table_kind)kind))
			continue;
		tables[count] = tables_get((enum table_kind)kind);
		shapes[count++] = o->out.fields[kind].shape;
	}
	if (!strcmp(o->schema, "json"))
		schema_json(b, tables, count);
	else if (!strcmp(o->schema, "text"))
		print_text(b, tables, count);
	else if (how.replicated)
		schema_sql(b, DDL_CLICKHOUSE, shapes, count, &how);
	else
		schema_sql(b, engine_named(o->schema), shapes, count, &how);
}

bool describe(const struct export_options *o)
{
	struct outfile out;
	const char *text;

	outfile_open(&out, NULL, BUFFER);
	if (o->schema)
		print_schema(&out.buf, o);
	if (o->upgrade)
		print_upgrade(&out.buf, o);
	if (o->queries) {
		text = queries_text(engine_named(o->queries));
		buf_append(&out.buf, text, strlen(text));
	}
	if (o->query)
		queries_list(&out.buf);
	outfile_flush(&out, "");
	return outfile_close(&out);
}
