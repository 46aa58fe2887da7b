/* SPDX-License-Identifier: GPL-2.0-only */
/* A command line as a line of the shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cli/command.h"

static void check_line(int argc, char **argv, const char *line)
{
	char *text = cli_command(argc, argv);

	assert_string_equal(text, line);
	free(text);
}

static void test_words(void **state)
{
	char *plain[] = { "/usr/bin/btreport", "-w1:2", "--size=1M", "a/b" };
	char *strange[] = { "x", "", "a b", "it's", "$(rm)", "\n<" };

	(void)state;
	check_line(4, plain, "btreport -w1:2 --size=1M a/b");
	check_line(6, strange, "x '' 'a b' 'it'\\''s' '$(rm)' '\n<'");
	check_line(0, plain, "");
}

/* operands keep their directories */
static void test_operands(void **state)
{
	const char *const names[] = { "/var/run 1/sda", "sdb" };
	char *text = cli_words(2, names);

	(void)state;
	assert_string_equal(text, "'/var/run 1/sda' sdb");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
