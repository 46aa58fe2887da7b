/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of emit/sqlite, which all skip where it is built without. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "emit/row.h"
#include "emit/sqlite.h"
#include "scratch.h"

enum { COLUMNS = 4 };

static const struct column columns[COLUMNS] = {
	{ "host", COLUMN_TEXT, false, "", "" },
	{ "process", COLUMN_TEXT, true, "", "" },
	{ "pid", COLUMN_INT32, true, "", "" },
	{ "total_ns", COLUMN_INT64, true, "ns", "" },
};

static const struct column *const all[COLUMNS] = {
	&columns[0], &columns[1], &columns[2], &columns[3]
};

static const struct row_shape ios = { "ios", all, COLUMNS };
static const struct row_shape hosts = { "hosts", all, 1 };

static struct sqlite *begin(const char *path)
{
	struct sqlite *s;
	int err = sqlite_open(&s, path, 7);

	if (err == -ENOSYS)
		skip();
	assert_int_equal(err, 0);
	return s;
}

static struct cell text(const char *bytes, size_t len)
{
	return (struct cell){ .text = bytes, .len = (uint32_t)len };
}

static struct cell word(const char *bytes)
{
	return text(bytes, strlen(bytes));
}

static struct cell number(int64_t n)
{
	return (struct cell){ .number = n };
}

static const struct cell null = { .null = true };

static struct sqlite_answer *ask(struct sqlite *s, const char *sql)
{
	struct sqlite_answer *a;

	assert_int_equal(sqlite_ask(s, sql, strlen(sql), &a), 0);
	return a;
}

static void expect_row(struct sqlite_answer *a, const struct cell *want)
{
	const struct row_shape *shape = sqlite_answer_shape(a);
	struct cell got[ROW_COLUMNS];
	unsigned int i;

	assert_int_equal(sqlite_answer_next(a, got), 1);
	for (i = 0; i < shape->count; i++) {
		assert_int_equal(got[i].null, want[i].null);
		if (got[i].null)
			continue;
		if (shape->columns[i]->type != COLUMN_TEXT) {
			assert_int_equal(got[i].number, want[i].number);
			continue;
		}
		assert_int_equal(got[i].len, want[i].len);
		assert_memory_equal(got[i].text, want[i].text, want[i].len);
	}
}

static void expect_end(struct sqlite_answer *a)
{
	struct cell cells[ROW_COLUMNS];

	assert_int_equal(sqlite_answer_next(a, cells), 0);
	sqlite_answer_free(a);
}

/* one number, as answer to a question */
static void expect_number(struct sqlite *s, const char *sql, int64_t n)
{
	struct sqlite_answer *a = ask(s, sql);
	struct cell want = number(n);

	expect_row(a, &want);
	expect_end(a);
}

/* --- what comes in comes out ---------------------------------------------- */

/* quotes, statements, what ends lines, and a byte 0 in the middle */
static const char hostile[] = "a\0b'); DROP TABLE ios;--\"\n\t\\\xef\xbf\xbd";

static void rows_come_back(void **state)
{
	const struct cell rows[][COLUMNS] = {
		{ word("alpha"), word("fio"), number(INT32_MIN),
		  number(INT64_MIN) },
		{ word("alpha"), null, null, null },
		{ text(hostile, sizeof(hostile) - 1), word(""),
		  number(INT32_MAX), number(INT64_MAX) },
		{ word(""), text("", 0), number(0), number(0) },
	};
	struct sqlite *s = begin(NULL);
	struct sqlite_answer *a;
	unsigned int i;

	(void)state;
	assert_int_equal(sqlite_table(s, &ios), 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(sqlite_row(s, 0, rows[i]), 0);
	assert_int_equal(sqlite_end(s, NULL), 0);
	a = ask(s, "SELECT * FROM ios ORDER BY rowid");
	assert_int_equal(sqlite_answer_shape(a)->count, COLUMNS);
	assert_string_equal(sqlite_answer_shape(a)->columns[3]->name,
			    "total_ns");
	for (i = 0; i < 4; i++)
		expect_row(a, rows[i]);
	expect_end(a);
	sqlite_free(s);
}

static void several_tables_at_once(void **state)
{
	const struct cell row[] = { word("a"), null, number(1), number(2) };
	struct sqlite *s = begin(NULL);
	int i;

	(void)state;
	assert_int_equal(sqlite_table(s, &ios), 0);
	assert_int_equal(sqlite_table(s, &hosts), 1);
	for (i = 0; i < 100; i++) {
		assert_int_equal(sqlite_row(s, 0, row), 0);
		if (i % 4 == 0)
			assert_int_equal(sqlite_row(s, 1, row), 0);
	}
	assert_int_equal(sqlite_end(s, NULL), 0);
	expect_number(s, "SELECT count(*) FROM ios", 100);
	expect_number(s, "SELECT count(*) FROM hosts", 25);
	sqlite_free(s);
}

/* text that comes by way of a view, a WITH and a window is still text */
static void types_of_answers(void **state)
{
	const struct cell row[] = { word("a"), word("b"), number(1),
				    number(7) };
	static const char sql[] =
		"WITH o AS (SELECT host, process, total_ns,"
		" row_number() OVER (PARTITION BY host ORDER BY total_ns) k"
		" FROM v) SELECT process, host, max(total_ns) most, k"
		" FROM o GROUP BY 1, 2";
	struct sqlite *s = begin(NULL);
	const struct row_shape *shape;
	struct sqlite_answer *a;

	(void)state;
	assert_int_equal(sqlite_table(s, &ios), 0);
	assert_int_equal(sqlite_row(s, 0, row), 0);
	assert_int_equal(sqlite_end(s, "CREATE VIEW v AS SELECT * FROM ios"),
			 0);
	a = ask(s, sql);
	shape = sqlite_answer_shape(a);
	assert_int_equal(shape->columns[0]->type, COLUMN_TEXT);
	assert_int_equal(shape->columns[1]->type, COLUMN_TEXT);
	assert_int_equal(shape->columns[2]->type, COLUMN_INT64);
	assert_string_equal(shape->columns[2]->name, "most");
	expect_row(a, (const struct cell[]){ word("b"), word("a"), number(7),
					     number(1) });
	expect_end(a);
	sqlite_free(s);
}

/* --- the file ------------------------------------------------------------- */

static uint32_t be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | p[2] << 8 | p[3];
}

static void file_is_marked(void **state)
{
	const struct cell row[] = { word("a"), null, null, null };
	struct sqlite *s = begin("t.sqlite");
	unsigned char head[100];
	FILE *f;

	(void)state;
	assert_int_equal(sqlite_table(s, &ios), 0);
	assert_int_equal(sqlite_row(s, 0, row), 0);
	assert_int_equal(sqlite_end(s, NULL), 0);
	sqlite_free(s);
	f = fopen("t.sqlite", "r");
	assert_non_null(f);
	assert_int_equal(fread(head, 1, sizeof(head), f), sizeof(head));
	fclose(f);
	assert_memory_equal(head, "SQLite format 3", 16);
	assert_int_equal(head[16] << 8 | head[17], 16384);
	assert_int_equal(be32(head + 60), 7);
	assert_int_equal(be32(head + 68), SQLITE_APPLICATION);
	/* and nothing lies beside it */
	assert_int_equal(access("t.sqlite-journal", F_OK), -1);
	assert_int_equal(access("t.sqlite-wal", F_OK), -1);
}

static void script_takes_what_is_there(void **state)
{
	static const char script[] =
		"-- a comment\n"
		"CREATE INDEX one ON ios(host, total_ns);\n"
		"CREATE INDEX none ON ios(host, sector);\n"
		"CREATE INDEX nowhere ON events(host);\n"
		"CREATE VIEW good AS SELECT host FROM ios;\n"
		"CREATE VIEW bad AS SELECT sector FROM ios;\n"
		"CREATE VIEW worse AS SELECT * FROM bad;\n"
		"CREATE VIEW last AS SELECT count(*) n FROM good;\n"
		"-- and one more\n";
	struct sqlite *s = begin("t.sqlite");

	(void)state;
	assert_int_equal(sqlite_table(s, &ios), 0);
	assert_int_equal(sqlite_end(s, script), 0);
	expect_number(s, "SELECT count(*) FROM sqlite_master"
			 " WHERE name IN ('ios', 'one', 'good', 'last')", 4);
	expect_number(s, "SELECT count(*) FROM sqlite_master", 4);
	sqlite_free(s);
}

static void old_file_is_refused(void **state)
{
	struct sqlite *s = begin("t.sqlite");
	FILE *f;

	(void)state;
	sqlite_free(s);
	f = fopen("text", "w");
	assert_non_null(f);
	fprintf(f, "%02000d", 1);
	fclose(f);
	assert_int_equal(sqlite_open(&s, "text", 1), -EIO);
	assert_string_equal(sqlite_error(s), "file is not a database");
	sqlite_free(s);
	assert_int_equal(sqlite_open(&s, "no/such", 1), -EIO);
	assert_string_equal(sqlite_error(s), strerror(ENOENT));
	sqlite_free(s);
}

/* --- what goes wrong ------------------------------------------------------ */

static void null_is_refused(void **state)
{
	const struct cell row[] = { null, null, null, null };
	const struct cell fine[] = { word("a"), null, null, null };
	struct sqlite *s = begin(NULL);

	(void)state;
	assert_int_equal(sqlite_table(s, &ios), 0);
	assert_int_equal(sqlite_row(s, 0, row), -EIO);
	assert_string_equal(sqlite_error(s),
			    "NOT NULL constraint failed: ios.host");
	assert_int_equal(sqlite_row(s, 0, fine), 0);
	sqlite_free(s);
}

/* a row as long as a page, so that few of them are enough */
static int write_until_it_fails(struct sqlite *s)
{
	char *long_text = calloc(1, 16384);
	struct cell row[] = { word("a"), null, null, null };
	int i, err = 0;

	assert_non_null(long_text);
	memset(long_text, 'x', 16383);
	row[1] = text(long_text, 16383);
	for (i = 0; i < 1000 && !err; i++)
		err = sqlite_row(s, 0, row);
	free(long_text);
	return err ? err : sqlite_end(s, NULL);
}

/* the limit of a process stands for a full disk: the same path of errors */
static void disk_is_full(void **state)
{
	struct rlimit old, small;
	struct sqlite *s = begin("t.sqlite");
	int err;

	(void)state;
	assert_int_equal(sqlite_table(s, &ios), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 1 << 20;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	err = write_until_it_fails(s);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_true(err == -ENOSPC || err == -EIO);
	if (err == -EIO)
		assert_string_equal(sqlite_error(s), strerror(EFBIG));
	sqlite_free(s);
}

static void device_is_full(void **state)
{
	struct sqlite *s;
	int err = sqlite_open(&s, "/dev/full", 1);

	(void)state;
	if (err == -ENOSYS)
		skip();
	if (!err) {
		err = sqlite_table(s, &ios);
		assert_true(err <= 0);
	}
	if (!err)
		err = write_until_it_fails(s);
	assert_true(err < 0);
	sqlite_free(s);
}

static void questions_that_are_wrong(void **state)
{
	struct sqlite *s = begin(NULL);
	struct sqlite_answer *a;
	struct cell cells[ROW_COLUMNS];
	char wide[1000] = "SELECT 1";
	int i;

	(void)state;
	assert_int_equal(sqlite_table(s, &ios), 0);
	assert_int_equal(sqlite_end(s, NULL), 0);
	assert_int_equal(sqlite_ask(s, "SELECT x", 8, &a), -EIO);
	assert_null(a);
	assert_string_equal(sqlite_error(s), "no such column: x");
	for (i = 0; i < ROW_COLUMNS; i++)
		strcat(wide, ",1");
	assert_int_equal(sqlite_ask(s, wide, strlen(wide), &a), -E2BIG);
	/* only len bytes count */
	assert_int_equal(sqlite_ask(s, "SELECT 12", 8, &a), 0);
	expect_row(a, (const struct cell[]){ number(1) });
	expect_end(a);
	/* what fails on the way */
	assert_int_equal(sqlite_ask(s, "SELECT abs(-9223372036854775807 - 1)",
				    36, &a), 0);
	assert_int_equal(sqlite_answer_next(a, cells), -EIO);
	assert_string_equal(sqlite_error(s), "integer overflow");
	sqlite_answer_free(a);
	sqlite_free(s);
}

static void work_ends_when_told(void **state)
{
	static const char sql[] =
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1"
		" FROM n WHERE i < 100000000) SELECT count(*) FROM n";
	volatile sig_atomic_t stop = 0;
	struct sqlite *s = begin(NULL);
	struct sqlite_answer *a;
	struct cell cell;

	(void)state;
	assert_int_equal(sqlite_end(s, NULL), 0);
	sqlite_stop_when(s, &stop, 4);
	stop = 3;
	expect_number(s, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i"
			 " + 1 FROM n WHERE i < 200000) SELECT count(*) FROM n",
		      200000);
	a = ask(s, sql);
	stop = 6;
	assert_int_equal(sqlite_answer_next(a, &cell), -EINTR);
	sqlite_answer_free(a);
	sqlite_free(s);
}

static void too_much(void **state)
{
	struct sqlite *s = begin(NULL);
	struct row_shape wide = ios;
	char name[16];
	int i;

	(void)state;
	wide.count = ROW_COLUMNS + 1;
	assert_int_equal(sqlite_table(s, &wide), -E2BIG);
	for (i = 0; i < SQLITE_TABLES; i++) {
		struct row_shape one = hosts;

		snprintf(name, sizeof(name), "t%d", i);
		one.table = name;
		assert_int_equal(sqlite_table(s, &one), i);
	}
	assert_int_equal(sqlite_table(s, &ios), -E2BIG);
	/* a table that is there already */
	sqlite_free(s);
	s = begin(NULL);
	assert_int_equal(sqlite_table(s, &ios), 0);
	assert_int_equal(sqlite_table(s, &ios), -EIO);
	assert_string_equal(sqlite_error(s), "table ios already exists");
	sqlite_free(s);
	sqlite_free(NULL);
	sqlite_answer_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_come_back),
		cmocka_unit_test(several_tables_at_once),
		cmocka_unit_test(types_of_answers),
		IN_SCRATCH(file_is_marked),
		IN_SCRATCH(script_takes_what_is_there),
		IN_SCRATCH(old_file_is_refused),
		cmocka_unit_test(null_is_refused),
		IN_SCRATCH(disk_is_full),
		cmocka_unit_test(device_is_full),
		cmocka_unit_test(questions_that_are_wrong),
		cmocka_unit_test(work_ends_when_told),
		cmocka_unit_test(too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
