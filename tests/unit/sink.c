/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables for programs: the bytes of csv and json. */
#include "base/buf.h"
#include "emit/sink.h"
#include "make.h"

static void check(struct buf *b, const char *want)
{
	char *end = buf_room(b, 1);

	assert_non_null(end);
	*end = '\0';
	assert_string_equal(b->data, want);
	b->len = 0;
}

static void put_row(struct sink *s, const char *name, bool known)
{
	sink_row(s);
	sink_text(s, "name", name);
	sink_number(s, "n", UINT64_MAX);
	sink_wide(s, "sum", wide_product(UINT64_MAX, 1000));
	sink_maybe(s, "most", known, 7);
	sink_real(s, "part", known, -1.0 / 3, 3);
	sink_real(s, "mean", known, 2.5e15, 0);
	sink_flag(s, "set", known);
	sink_row_end(s);
}

static void test_csv(void **state)
{
	struct buf b;
	struct sink s = { .b = &b, .heading = true };

	(void)state;
	assert_int_equal(buf_init(&b, -1, 1000), 0);
	put_row(&s, "not shown", false);
	s.heading = false;
	put_row(&s, "a, \"b\"", true);
	put_row(&s, "c", false);
	check(&b, "name,n,sum,most,part,mean,set\n"
		  "\"a, \"\"b\"\"\",18446744073709551615,"
		  "18446744073709551615000,7,-0.333,2500000000000000,true\n"
		  "c,18446744073709551615,18446744073709551615000,,,,false\n");
	buf_free(&b);
}

static void put_rows(struct sink *s)
{
	sink_object(s, NULL);
	sink_array(s, "rows");
	put_row(s, "a", true);
	put_row(s, "b", false);
	sink_array_end(s);
	sink_object(s, "none");
	sink_object_end(s);
	sink_object_end(s);
}

#define ROW_A "{\"name\":\"a\",\"n\":18446744073709551615," \
	"\"sum\":18446744073709551615000,\"most\":7,\"part\":-0.333," \
	"\"mean\":2500000000000000,\"set\":true}"
#define ROW_B "{\"name\":\"b\",\"n\":18446744073709551615," \
	"\"sum\":18446744073709551615000,\"most\":null,\"part\":null," \
	"\"mean\":null,\"set\":false}"

static void test_json(void **state)
{
	struct buf b;
	struct sink s = { .b = &b, .json = true };
	struct sink one = { .b = &b, .json = true, .one_line = true };

	(void)state;
	assert_int_equal(buf_init(&b, -1, 1000), 0);
	put_rows(&s);
	check(&b, "{\"rows\":[\n" ROW_A ",\n" ROW_B "],\"none\":{}}");
	put_rows(&one);
	check(&b, "{\"rows\":[" ROW_A "," ROW_B "],\"none\":{}}");
	buf_free(&b);
}

/* names come from outside: what is no text becomes text */
static void test_characters(void **state)
{
	struct buf b;
	struct sink s = { .b = &b, .json = true };

	(void)state;
	assert_int_equal(buf_init(&b, -1, 1000), 0);
	sink_text(&s, "\"", "\\ \033 \x7f \n \xc3\xa4 \xff");
	check(&b, "\"\\\"\":\"\\\\ \\u001b \\u007f \\u000a \xc3\xa4"
		  " \xef\xbf\xbd\"");
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
