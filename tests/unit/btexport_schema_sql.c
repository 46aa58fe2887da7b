/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of tools/btexport/describe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "emit/row.h"
#include "tools/btexport/describe.h"

static const struct column host = { "host", COLUMN_TEXT, false, "", "" };
static const struct column depth = { "depth", COLUMN_INT32, true, "", "" };
static const struct column *const columns[] = { &host, &depth };

static void expect(enum ddl_engine engine, const char *want)
{
	const struct row_shape shapes[] = {
		{ "ios", columns, 2 }, { "latency", columns, 1 },
		{ "other", columns, 1 }
	};
	const struct sql_storage how = { .replicated = false };
	struct buf b;

	assert_int_equal(buf_init(&b, -1, 16384), 0);
	schema_sql(&b, engine, shapes, 3, &how);
	buf_append(&b, "", 1);
	assert_memory_equal(b.data, want, strlen(want));
	/* SQLite's views are behind; else this is all */
	if (engine != DDL_SQLITE)
		assert_string_equal(b.data, want);
	else
		assert_non_null(strstr(b.data, "CREATE VIEW requests AS "));
	buf_free(&b);
}

static void each_engine(void **state)
{
	(void)state;
	expect(DDL_SQLITE,
	       "-- What btexport -o FILE.sqlite makes.\n"
	       "CREATE TABLE ios (\n"
	       "    \"host\" TEXT NOT NULL,\n"
	       "    \"depth\" INTEGER\n"
	       ") STRICT;\n"
	       "CREATE TABLE latency (\n"
	       "    \"host\" TEXT NOT NULL\n"
	       ") STRICT;\n"
	       "CREATE TABLE other (\n"
	       "    \"host\" TEXT NOT NULL\n"
	       ") STRICT;\n"
	       "-- What a database of btexport has beside its tables.");
	expect(DDL_DUCKDB,
	       "-- btexport NAME... >ios.csv\n"
	       "-- COPY ios FROM 'ios.csv' (HEADER);\n"
	       "-- Parquet files need no tables: btexport --queries=duckdb\n"
	       "CREATE TABLE ios (\n"
	       "    host VARCHAR NOT NULL,\n"
	       "    depth INTEGER\n"
	       ");\n"
	       "CREATE TABLE latency (\n"
	       "    host VARCHAR NOT NULL\n"
	       ");\n"
	       "CREATE TABLE other (\n"
	       "    host VARCHAR NOT NULL\n"
	       ");\n");
	expect(DDL_CLICKHOUSE,
	       "-- On every node; 18.16 needs"
	       " --allow_experimental_low_cardinality_type=1\n"
	       "-- btexport --format=tsv NAME... |\n"
	       "--     clickhouse-client -q"
	       " 'INSERT INTO ios FORMAT TSVWithNames'\n"
	       "CREATE TABLE ios (\n"
	       "    host LowCardinality(String),\n"
	       "    depth Nullable(Int32)\n"
	       ") ENGINE = MergeTree\n"
	       "    PARTITION BY toYYYYMMDD(toDateTime(intDiv(ifNull("
	       "unix_ns, 0), 1000000000)))\n"
	       "    ORDER BY (host, dev, ifNull(unix_ns, 0));\n"
	       "CREATE TABLE latency (\n"
	       "    host LowCardinality(String)\n"
	       ") ENGINE = MergeTree\n"
	       "    PARTITION BY toYYYYMM(toDateTime(intDiv(ifNull("
	       "minute_unix_ns, 0), 1000000000)))\n"
	       "    ORDER BY (phase, host, ifNull(minute_unix_ns, 0), disk,"
	       " op);\n"
	       "CREATE TABLE other (\n"
	       "    host LowCardinality(String)\n"
	       ") ENGINE = MergeTree ORDER BY tuple();\n"
	       "-- On the node that answers queries (\"bt\" is the cluster's name in"
	       " remote_servers):\n"
	       "CREATE TABLE ios_all AS ios"
	       " ENGINE = Distributed(bt, currentDatabase(), ios);\n"
	       "CREATE TABLE latency_all AS latency"
	       " ENGINE = Distributed(bt, currentDatabase(), latency);\n"
	       "CREATE TABLE other_all AS other"
	       " ENGINE = Distributed(bt, currentDatabase(), other);\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_engine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
