/* SPDX-License-Identifier: GPL-2.0-only */
/* Which word a misspelt one may have meant. */
#include "base/nearest.h"
#include "make.h"

static const char *const words[] = { "host", "disk", "dev", "pid", "process",
				     "total_ns", "time_ns", "q2c", "d2c_ns" };

static const char *nearest_to(const char *text)
{
	struct nearest n = { .text = text, .len = strlen(text) };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		nearest_try(&n, words[i]);
	return n.word;
}

static void test_slips(void **state)
{
	(void)state;
	assert_string_equal(nearest_to("procces"), "process");
	assert_string_equal(nearest_to("ttal_ns"), "total_ns");
	assert_string_equal(nearest_to("d2cc_ns"), "d2c_ns");
	assert_string_equal(nearest_to("dsik"), "disk");
	assert_string_equal(nearest_to("pis"), "pid");
}

/* the beginning of a word means it, whatever is nearer by letters */
static void test_beginning(void **state)
{
	(void)state;
	assert_string_equal(nearest_to("d2c"), "d2c_ns");
	assert_string_equal(nearest_to("proc"), "process");
}

static void test_far(void **state)
{
	(void)state;
	assert_null(nearest_to("banana"));
	assert_null(nearest_to(""));
	assert_null(nearest_to("processprocessprocessprocessprocessprocess"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slips),
		cmocka_unit_test(test_beginning),
		cmocka_unit_test(test_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
