/* SPDX-License-Identifier: GPL-2.0-only */
/* Mistakes in expressions, shown in their place. */
#include "cli/where.h"
#include "make.h"

static void test_place(void **state)
{
	char buf[WHERE_MAX];

	(void)state;
	where_text(buf, "--where", "op==read && d2c > 5", 19,
		   "a time needs its unit");
	assert_string_equal(buf, "--where: a time needs its unit\n"
			    "  op==read && d2c > 5\n"
			    "                     ^");
}

static void check_shown(const char *text, size_t at, const char *shown)
{
	char buf[WHERE_MAX];

	where_text(buf, "-x", text, at, "no");
	assert_string_equal(buf, shown);
}

/* a caret counts characters, and what is escaped as it is shown */
static void test_characters(void **state)
{
	(void)state;
	check_shown("\xc3\xa4=5", 2, "-x: no\n  \xc3\xa4=5\n   ^");
	check_shown("\033[2J\xff=5", 5, "-x: no\n  \\x1b[2J\\xff=5\n"
		    "             ^");
}

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN

static void test_cut(void **state)
{
	(void)state;
	check_shown(FIFTY TEN "!", 60, "-x: no\n  ..." FIFTY "!\n"
		    "                                                       ^");
	check_shown("!" FIFTY FIFTY, 0, "-x: no\n  !" FIFTY TEN TEN "...\n"
		    "  ^");
	check_shown("!" FIFTY TEN TEN "012", 0, "-x: no\n  !" FIFTY TEN TEN
		    "012\n  ^");
}

/* no text, whatever it is, makes the line longer */
static void test_any_text(void **state)
{
	uint64_t seed = 1;
	char text[400], buf[WHERE_MAX];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t len = chance(&seed) % sizeof(text), at;
		const char *line, *caret;

		for (size_t k = 0; k < len; k++)
			text[k] = (char)(chance(&seed) % 255 + 1);
		text[len] = '\0';
		at = chance(&seed) % (len + 1);
		where_text(buf, "-x", text, at, "no");
		line = strchr(buf, '\n') + 1;
		caret = strchr(line, '\n') + 1;
		assert_in_range(caret - line, 3, 2 + WHERE_SHOWN + 1);
		assert_in_range(strlen(caret), 3, 2 + 3 + 50 + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_characters),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_any_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
