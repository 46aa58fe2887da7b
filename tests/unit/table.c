/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of emit/table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "emit/table.h"

/* a table of a name, a number, a note and one more number */
static void fill(struct table *t)
{
	table_column(t, (struct table_column){ "name", 8, true, 0 });
	table_column(t, (struct table_column){ "ios", 5, false, 1 });
	table_column(t, (struct table_column){ "note", 4, true, 3 });
	table_column(t, (struct table_column){ "n", 3, false, 2 });
}

static void row(struct table *t, const char *a, const char *b, const char *c,
		const char *d)
{
	table_cell(t, a);
	table_cell(t, b);
	table_cell(t, c);
	table_cell(t, d);
}

static void expect(struct table *t, unsigned int width, bool head,
		   const char *want)
{
	struct buf b;

	assert_int_equal(buf_init(&b, -1, 4096), 0);
	assert_int_equal(table_print(t, &b, width, head), 0);
	buf_append(&b, "", 1);
	assert_string_equal(b.data, want);
	buf_free(&b);
	table_free(t);
}

static void usual_widths(void **state)
{
	struct table t = { .text = NULL };

	(void)state;
	fill(&t);
	row(&t, "fio", "300", "x", "1");
	row(&t, "cat", "25", "", "");
	expect(&t, 80, true, "name       ios  note   n\n"
			     "fio        300  x      1\n"
			     "cat         25\n");
}

static void wide_cells(void **state)
{
	struct table t = { .text = NULL };

	(void)state;
	fill(&t);
	row(&t, "a-long-name", "1234567", "note", "12");
	row(&t, "b", "1", "", "2");
	expect(&t, 80, false, "a-long-name 1234567  note  12\n"
			      "b                 1         2\n");
}

static void characters_not_bytes(void **state)
{
	struct table t = { .text = NULL };

	(void)state;
	assert_int_equal(table_width("\xc3\xa4" "b\xe2\x96\x88"), 3);
	fill(&t);
	row(&t, "\xc3\xa4\xc3\xa4", "1", "", "2");
	expect(&t, 80, false, "\xc3\xa4\xc3\xa4           1         2\n");
}

/* the slack goes first, from the left; then columns by their number */
static void narrow(void **state)
{
	static const struct {
		unsigned int width;
		const char *want;
	} cases[] = {
		{ 24, "fio        300  x      1\n" },
		{ 21, "fio     300  x      1\n" },
		{ 13, "fio 300  x  1\n" },
		{ 12, "fio 300  x 1\n" },
		{ 11, "fio 300   1\n" },
		{ 8, "fio  300\n" },
		{ 6, "fio\n" },
		{ 2, "fi\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct table t = { .text = NULL };

		fill(&t);
		row(&t, "fio", "300", "x", "1");
		expect(&t, cases[i].width, false, cases[i].want);
	}
}

/* a spare column neither shrinks nor displaces another */
static void spare(void **state)
{
	struct table t = { .text = NULL };

	(void)state;
	for (unsigned int width = 16; width <= 17; width++) {
		table_column(&t, (struct table_column){ "name", 8, true, 0 });
		table_column(&t, (struct table_column){ "min", 3, false,
							TABLE_SPARE });
		table_column(&t, (struct table_column){ "n", 4, false, 1 });
		table_cell(&t, "fio");
		table_cell(&t, "2");
		table_cell(&t, "1");
		expect(&t, width, true, width < 17 ?
		       "name        n\n"
		       "fio         1\n" :
		       "name     min    n\n"
		       "fio        2    1\n");
	}
}

static void lines(void **state)
{
	struct table t = { .text = NULL };

	(void)state;
	fill(&t);
	row(&t, "fio", "300", "x", "1");
	table_line(&t, "a text of its own");
	row(&t, "cat", "25", "y", "2");
	expect(&t, 11, false, "fio 300   1\na text of i\ncat  25   2\n");
}

static void many_rows(void **state)
{
	struct table t = { .text = NULL };
	struct buf b;

	(void)state;
	fill(&t);
	for (int i = 0; i < 5000; i++)
		row(&t, "name", "1", "2", "3");
	assert_int_equal(buf_init(&b, -1, 1 << 20), 0);
	assert_int_equal(table_print(&t, &b, 80, true), 0);
	assert_int_equal(b.len, 5001 * strlen("name       ios  note   n\n"));
	/* rows are printed once */
	assert_int_equal(table_print(&t, &b, 80, false), 0);
	assert_int_equal(b.len, 5001 * strlen("name       ios  note   n\n"));
	buf_free(&b);
	table_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usual_widths),
		cmocka_unit_test(wide_cells),
		cmocka_unit_test(characters_not_bytes),
		cmocka_unit_test(narrow),
		cmocka_unit_test(spare),
		cmocka_unit_test(lines),
		cmocka_unit_test(many_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
