/* SPDX-License-Identifier: GPL-2.0-only */
/* Windows between marks: which are meant, where commas are, and who is told. */
#include "cli/between.h"
#include "make.h"
#include "record/record.h"
#include "run/marks.h"

/* marks at 10, 20, 30, ... */
static struct mark list[] = {
	{ .time = 10, .len = 1, .text = "a" },
	{ .time = 20, .len = 3, .text = "b,c" },
	{ .time = 30, .len = 1, .text = "b" },
	{ .time = 40, .len = 1, .text = "a" },
	{ .time = 40, .len = 1, .text = "d" },
	{ .time = 50, .len = 6, .text = "finish" },
};

static const struct marks marks = {
	.list = list, .count = sizeof(list) / sizeof(*list),
};

/* what is found of a text, and told */
static void check(const char *text, int want, uint64_t start, uint64_t end,
		  const char *words)
{
	struct window w = WINDOW_ALL;
	char told[BETWEEN_WORDS];

	assert_int_equal(between_window(&w, text, &marks, told), want);
	if (want < 1)
		assert_non_null(strstr(told, words));
	if (want < 0)
		return;
	assert_int_equal(w.start, start);
	assert_int_equal(w.end, end);
}

static void test_found(void **state)
{
	(void)state;
	check("b,c,b", 1, 20, 29, "");
	check("b,d", 1, 30, 39, "");
	check("b,c,finish", 1, 20, 49, "");
	check("b,finish", 1, 30, 49, "");
	check("finish,", 1, 50, UINT64_MAX, "");
	check(",b,c", 1, 0, 19, "");
	check(",", 1, 0, UINT64_MAX, "");
}

static void test_several(void **state)
{
	(void)state;
	check("a,b", 0, 10, 29, "\"a\" occurs 2 times; the first is used");
	check("a,a", 0, 10, 39, "\"a\" occurs 2 times");
	check(",a", 0, 0, 9, "\"a\" occurs 2 times; the first is used");
}

/* two at one time: what completes then is between them */
static void test_same_time(void **state)
{
	(void)state;
	list[3].text[0] = 'x';
	check("x,d", 1, 40, 40, "");
	list[3].text[0] = 'a';
}

static void test_missing(void **state)
{
	static const struct marks none = { .count = 0 };
	char told[BETWEEN_WORDS], much[4000];
	struct window w;

	(void)state;
	check("finsh,a", -1, 0, 0, "no mark \"finsh\"; did you mean \"finish\"?");
	check("d,b", -1, 0, 0, "\"b\" precedes the other mark");
	check("b,zzzz", -1, 0, 0, "\"zzzz\"; the first of 6 is \"a\"");
	assert_int_equal(between_window(&w, "a,b", &none, told), -1);
	assert_non_null(strstr(told, "no marks"));
	memset(much, '\033', sizeof(much));
	much[2000] = ',';
	much[3999] = '\0';
	assert_int_equal(between_window(&w, much, &marks, told), -1);
	assert_null(strchr(told, '\033'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found), cmocka_unit_test(test_several),
		cmocka_unit_test(test_same_time),
		cmocka_unit_test(test_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
