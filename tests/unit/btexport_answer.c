/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of tools/btexport/answer. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "emit/row.h"
#include "emit/sqlite.h"
#include "tools/btexport/answer.h"

/* a database of one table, t(process TEXT), with one row of hostile text */
static struct sqlite *begin(void)
{
	static const struct column process = { "process", COLUMN_TEXT, true,
					       "", "" };
	static const struct column *const columns[] = { &process };
	const struct row_shape shape = { "t", columns, 1 };
	const struct cell row = { .text = "a\033[1m\n\xc3\xa9", .len = 8 };
	struct sqlite *s;
	int err = sqlite_open(&s, NULL, 1);

	if (err == -ENOSYS)
		skip();
	assert_int_equal(err, 0);
	assert_int_equal(sqlite_table(s, &shape), 0);
	assert_int_equal(sqlite_row(s, 0, &row), 0);
	assert_int_equal(sqlite_end(s, NULL), 0);
	return s;
}

static void expect_table(const char *sql, int err, const char *want)
{
	struct sqlite *s = begin();
	struct sqlite_answer *a;
	struct buf b;

	assert_int_equal(sqlite_ask(s, sql, strlen(sql), &a), 0);
	assert_int_equal(buf_init(&b, -1, 4096), 0);
	assert_int_equal(answer_table(&b, a), err);
	buf_append(&b, "", 1);
	assert_string_equal(b.data, want);
	buf_free(&b);
	sqlite_answer_free(a);
	sqlite_free(s);
}

static void units(void **state)
{
	(void)state;
	expect_table("SELECT process, 7 ios, 5302600 p99_ns, 1277952 sum_bytes"
		     " FROM t", 0,
		     "process       ios    p99 sum_bytes\n"
		     "a\\x1b[1m\\x0a\xc3\xa9   7 5.30ms     1.22M\n");
	expect_table("SELECT 795442390 time_ns, 954022 under_1ms_ppm,"
		     " 381 mean_milli, 2048 median_sectors", 0,
		     "       time under_1ms mean median_sectors\n"
		     "0.795442390    95.40% 0.38           2048\n");
}

/* what a hostile trace may lead to */
static void extremes(void **state)
{
	(void)state;
	expect_table("SELECT 9223372036854775807 a_ns, -1 b_ns, NULL c_ns,"
		     " -9223372036854775807 n, NULL process,"
		     " 9223372036854775807 d_ppm, 1000000 e_ppm", 0,
		     "     a  b c                    n process"
		     "     d       e\n"
		     "9.22Gs -1 - -9223372036854775807       -"
		     " >999% 100.00%\n");
	expect_table("SELECT 9223372036854775807 time_ns,"
		     " 9223372036854775807 bytes", 0,
		     "                time    bytes\n"
		     "9223372036.854775807 8388608T\n");
}

static void no_rows(void **state)
{
	(void)state;
	expect_table("SELECT process, 1 ios FROM t WHERE 0", 0,
		     "process ios\n");
}

static void failures_are_handed_on(void **state)
{
	char wide[500] = "SELECT 1";
	int i;

	(void)state;
	for (i = 0; i < 40; i++)
		strcat(wide, ",1");
	expect_table(wide, -E2BIG, "");
	expect_table("SELECT abs(-9223372036854775807 - 1) x FROM t", -EIO,
		     "");
}

/* --- rows ----------------------------------------------------------------- */

/* a format that counts: rows, and bytes or numbers of their cells; fails at
 * the second row if schema says so */
struct row_writer {
	struct buf *b;
	const struct row_shape *shape;
	unsigned int rows, fail;
};

static int count_open(struct row_writer **to, struct buf *b,
		      const struct row_shape *shape,
		      const struct row_options *o)
{
	struct row_writer *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	*w = (struct row_writer){ b, shape, 0, o->schema };
	*to = w;
	return 0;
}

static int count_row(struct row_writer *w, const struct cell *cells)
{
	unsigned int i;

	for (i = 0; i < w->shape->count; i++)
		buf_printf(w->b, "%s=%d ", w->shape->columns[i]->name,
			   cells[i].null ? -1 : w->shape->columns[i]->type ==
			   COLUMN_TEXT ? (int)cells[i].len :
			   (int)cells[i].number);
	return ++w->rows == w->fail ? -ENOMEM : 0;
}

static int count_end(struct row_writer *w)
{
	buf_printf(w->b, "rows=%u", w->rows);
	return 0;
}

static void count_free(struct row_writer *w)
{
	free(w);
}

static const struct row_ops count_ops = {
	count_open, count_row, count_end, count_free
};

static void expect_rows(const char *sql, unsigned int fail, int err,
			const char *want)
{
	struct sqlite *s = begin();
	struct row_options o = { .schema = fail };
	struct sqlite_answer *a;
	struct buf b;

	assert_int_equal(sqlite_ask(s, sql, strlen(sql), &a), 0);
	assert_int_equal(buf_init(&b, -1, 4096), 0);
	assert_int_equal(answer_rows(&b, a, &count_ops, &o), err);
	buf_append(&b, "", 1);
	assert_string_equal(b.data, want);
	buf_free(&b);
	sqlite_answer_free(a);
	sqlite_free(s);
}

static void rows_of_any_format(void **state)
{
	static const char two[] = "SELECT process, 5302600 p99_ns, NULL x"
				  " FROM t UNION ALL SELECT NULL, 2, 3";

	(void)state;
	expect_rows(two, 0, 0, "process=8 p99_ns=5302600 x=-1 "
			       "process=-1 p99_ns=2 x=3 rows=2");
	expect_rows(two, 2, -ENOMEM, "process=8 p99_ns=5302600 x=-1 "
				     "process=-1 p99_ns=2 x=3 ");
	expect_rows("SELECT abs(-9223372036854775807 - 1) x", 0, -EIO, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units),
		cmocka_unit_test(extremes),
		cmocka_unit_test(no_rows),
		cmocka_unit_test(failures_are_handed_on),
		cmocka_unit_test(rows_of_any_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
