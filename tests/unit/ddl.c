/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of emit/ddl. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "emit/ddl.h"
#include "emit/row.h"

static const struct column columns[] = {
	{ "host", COLUMN_TEXT, false, "", "" },
	{ "disk", COLUMN_TEXT, true, "", "" },
	{ "pid", COLUMN_INT32, false, "", "" },
	{ "depth", COLUMN_INT32, true, "", "" },
	{ "id", COLUMN_INT64, false, "", "" },
	{ "total_ns", COLUMN_INT64, true, "ns", "" },
};

static void expect(enum ddl_engine engine, const char *order, const char *want)
{
	static const struct column *const all[] = { &columns[0], &columns[1],
		&columns[2], &columns[3], &columns[4], &columns[5] };
	struct row_shape shape = { "ios", all, 6 };
	struct buf b;

	assert_int_equal(buf_init(&b, -1, 4096), 0);
	ddl_table(&b, engine, &shape, order);
	buf_append(&b, "", 1);
	assert_string_equal(b.data, want);
	buf_free(&b);
}

static void each_type(void **state)
{
	(void)state;
	expect(DDL_SQLITE, NULL, "CREATE TABLE ios (\n"
		"    \"host\" TEXT NOT NULL,\n"
		"    \"disk\" TEXT,\n"
		"    \"pid\" INTEGER NOT NULL,\n"
		"    \"depth\" INTEGER,\n"
		"    \"id\" INTEGER NOT NULL,\n"
		"    \"total_ns\" INTEGER\n"
		") STRICT;\n");
	expect(DDL_DUCKDB, NULL, "CREATE TABLE ios (\n"
		"    host VARCHAR NOT NULL,\n"
		"    disk VARCHAR,\n"
		"    pid INTEGER NOT NULL,\n"
		"    depth INTEGER,\n"
		"    id BIGINT NOT NULL,\n"
		"    total_ns BIGINT\n"
		");\n");
	expect(DDL_CLICKHOUSE, "MergeTree ORDER BY (host, id)", "CREATE TABLE ios (\n"
		"    host LowCardinality(String),\n"
		"    disk Nullable(String),\n"
		"    pid Int32,\n"
		"    depth Nullable(Int32),\n"
		"    id Int64,\n"
		"    total_ns Nullable(Int64)\n"
		") ENGINE = MergeTree ORDER BY (host, id);\n");
}

static void without_order(void **state)
{
	static const struct column *const host[] = { &columns[0] };
	struct row_shape shape = { "names", host, 1 };
	struct buf b;

	(void)state;
	assert_int_equal(buf_init(&b, -1, 4096), 0);
	ddl_table(&b, DDL_CLICKHOUSE, &shape, NULL);
	buf_append(&b, "", 1);
	assert_string_equal(b.data, "CREATE TABLE names (\n"
		"    host LowCardinality(String)\n"
		") ENGINE = MergeTree ORDER BY tuple();\n");
	buf_free(&b);
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(ddl_engine_name(DDL_SQLITE), "sqlite");
	assert_string_equal(ddl_engine_name(DDL_DUCKDB), "duckdb");
	assert_string_equal(ddl_engine_name(DDL_CLICKHOUSE), "clickhouse");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type),
		cmocka_unit_test(without_order),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
