/* SPDX-License-Identifier: GPL-2.0-only */
/* What a command line sets, by a program's table. */
#include <getopt.h>

#include "cli/options.h"
#include "cli/set.h"
#include "make.h"

struct set {
	bool host, help_me, level_given;
	const char *relay;
	unsigned int number;
	int level, verbose;
	char last;		/* first letter of the last operand */
	int rest;		/* words of a command */
	const char *first;	/* of them; NULL: none */
};

static void set_level(void *options, const char *text)
{
	struct set *s = options;

	s->level_given = true;
	s->level = text ? *text - '0' : 1;
}

static void set_operand(void *options, const char *word)
{
	((struct set *)options)->last = *word;
}

static const struct cli_option rows[] = {
	{ "h", "host", NULL, "", .classic = true, CLI_FLAG(struct set, host) },
	{ NULL, "helpful", NULL, "", CLI_FLAG(struct set, help_me) },
	{ "r", "relay", "DIR", "", .classic = true,
	  CLI_TEXT(struct set, relay) },
	{ NULL, "record-version", "7|8", "", CLI_UINT(struct set, number) },
	{ "z", "compress", "[LEVEL]", "", .min = 1, .max = 9,
	  .set = set_level },
	{ "vw", NULL, NULL, "", CLI_COUNT(struct set, verbose) },
};

static const struct cli_program program = {
	.name = "test",
	.usage = "",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operand = set_operand,
};

/* the same, of another program's command line behind it */
static const struct cli_program ordered = {
	.name = "test",
	.usage = "",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operand = set_operand,
	.ordered = true,
};

static void set_rest(void *options, char **words, int count)
{
	struct set *s = options;

	s->rest = count;
	s->first = count ? words[0] : NULL;
	assert_null(words[count]);
}

/* the same, which takes a command after its own words */
static const struct cli_program with_rest = {
	.name = "test",
	.usage = "",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operand = set_operand,
	.rest = set_rest,
};

/* the words behind the name, NULL at the end */
static struct set parse(const struct cli_program *p, char **words)
{
	char *argv[8] = { "test" };
	struct set s = { .level = 0 };
	int argc = 1;

	while (*words)
		argv[argc++] = *words++;
	optind = 0;
	cli_parse(p, &s, argc, argv);
	return s;
}

#define PARSE(...) parse(&program, (char *[]){ __VA_ARGS__, NULL })

/* every letter of a row is the row's, in bundles, too */
static void test_letters(void **state)
{
	(void)state;
	assert_int_equal(PARSE("-vwv").verbose, 3);
	assert_string_equal(PARSE("-hr", "x").relay, "x");
	assert_string_equal(PARSE("-rx").relay, "x");
}

/* an argument that may be left out stands at once behind its option */
static void test_may(void **state)
{
	(void)state;
	assert_int_equal(PARSE("-z").level, 1);
	assert_int_equal(PARSE("-z", "5").last, '5');
	assert_int_equal(PARSE("-z5").level, 5);
	assert_int_equal(PARSE("--compress=5").level, 5);
	assert_false(PARSE("-h").level_given);
}

/* what was clear among 1.3.0's names is still, and the rest among all */
static void test_prefixes(void **state)
{
	(void)state;
	assert_true(PARSE("--h").host);
	assert_string_equal(PARSE("--r", "x").relay, "x");
	assert_string_equal(PARSE("--re=x").relay, "x");
	assert_int_equal(PARSE("--rec=7").number, 7);
	assert_true(PARSE("--helpf").help_me);
}

/* operands come last, wherever they stand */
static void test_operands(void **state)
{
	(void)state;
	assert_int_equal(PARSE("a", "-h", "b").last, 'b');
	assert_true(PARSE("a", "-h").host);
	assert_int_equal(PARSE("--", "-h").last, '-');
}

/* what follows the first word that is no option is not ours */
static void test_ordered(void **state)
{
	struct set s = parse(&ordered, (char *[]){ "-v", "x", "-v", NULL });

	(void)state;
	assert_int_equal(s.verbose, 1);
	assert_int_equal(s.last, '-');
	assert_int_equal(PARSE("-v", "x", "-v").verbose, 2);
}

/* digits, and nothing else */
/* what follows "--" is the command's, options and all; operands come last and
 * stand anywhere before it */
static void test_rest(void **state)
{
	struct set s = parse(&with_rest, (char *[]){ "5", "-z", "--", "-v",
						     "x", NULL });

	(void)state;
	assert_int_equal(s.last, '5');
	assert_int_equal(s.verbose, 0);
	assert_int_equal(s.rest, 2);
	assert_string_equal(s.first, "-v");
	s = parse(&with_rest, (char *[]){ "5", "-r", "--", "-v", NULL });
	assert_int_equal(s.rest, 0);
	assert_string_equal(s.relay, "--");
	assert_int_equal(s.verbose, 1);
}

static void test_number(void **state)
{
	static const char *const wrong[] = {
		"", "-1", "+1", " 1", "1 ", "1k", "0x1", "x", "0", "11",
		"99999999999999999999", "18446744073709551617",
	};
	uint64_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(cli_number(wrong[i], 1, 10, &n));
	assert_true(cli_number("1", 1, 10, &n));
	assert_true(cli_number("0010", 1, 10, &n));
	assert_int_equal(n, 10);
	assert_true(cli_number("18446744073709551615", 0, UINT64_MAX, &n));
	assert_true(n == UINT64_MAX);
	assert_false(cli_number("18446744073709551616", 0, UINT64_MAX, &n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_may),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_ordered),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
