/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a trace was written: what is taken from a file that may be anybody's. */
#include "cli/reason.h"
#include "scratch.h"

static void check_reason(const char *file, const char *shown)
{
	char text[REASON_TEXT];

	put("dump/cause.json", file);
	assert_int_equal(reason_read("dump", text), shown != NULL);
	if (shown)
		assert_string_equal(text, shown);
}

static void test_text(void **state)
{
	(void)state;
	check_reason("{\"text\":\"error: errno 5\",\"schema\":1}",
		     "error: errno 5");
	check_reason("{\"text\":\"process==\\\"a\\\" \\u003c 5\\\\\\n\"}",
		     "process==\"a\" < 5\\ ");
	check_reason("{\"text\":\"\"", "");
}

static void test_hostile(void **state)
{
	char text[REASON_TEXT], *long_one = calloc(1, 10000);

	(void)state;
	check_reason("", NULL);
	check_reason("{\"text\":", NULL);
	check_reason("{\"text\":\"no end", NULL);
	check_reason("{\"text\":\"no end\\", NULL);
	check_reason("{\"text\":\"no end\\u00", NULL);
	check_reason("[\"text\",\"another's\"]", NULL);
	check_reason("{\"text\":\"\\u001b[2J\x1b[2J\\u0000\"}",
		     "?[2J\\x1b[2J?");
	check_reason("{\"text\":\"\\u12\"}", NULL);
	assert_false(reason_read("nowhere", text));
	assert_non_null(long_one);
	strcpy(long_one, "{\"text\":\"");
	memset(long_one + strlen(long_one), 'x', 9000);
	check_reason(long_one, NULL);
	strcpy(long_one + 3000, "\"}");
	put("dump/cause.json", long_one);
	assert_true(reason_read("dump", text));
	assert_int_equal(strlen(text), REASON_TEXT - 1);
	free(long_one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_text),
		IN_SCRATCH(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
