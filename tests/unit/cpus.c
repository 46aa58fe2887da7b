/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's lists of CPUs. */
#include <errno.h>

#include "capture/cpus.h"
#include "make.h"

static void check(const char *list, const char *expect, uint32_t max)
{
	char text[128] = "";
	struct cpus c;

	assert_int_equal(cpus_parse(&c, list), 0);
	for (unsigned int i = 0; i < c.count; i++)
		sprintf(text + strlen(text), "%u ", c.online[i]);
	assert_string_equal(text, expect);
	assert_int_equal(c.max, max);
	cpus_free(&c);
}

/* single ones, ranges, holes, with and without a newline */
static void test_lists(void **state)
{
	(void)state;
	check("0", "0 ", 1);
	check("0-3\n", "0 1 2 3 ", 4);
	check("0,2-3,8191\n", "0 2 3 8191 ", 8192);
}

/* what the kernel would not write is refused */
static void test_refused(void **state)
{
	static const char *const lists[] = { "", "\n", "x", "3-1", "0,", "0-",
					     "1,0", "8192", "0-99999999" };

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		struct cpus c;

		assert_int_equal(cpus_parse(&c, lists[i]), -EINVAL);
		assert_int_equal(c.count, 0);
	}
}

/* this machine has at least one, and the last is below max */
static void test_online(void **state)
{
	struct cpus c;

	(void)state;
	assert_int_equal(cpus_online(&c), 0);
	assert_true(c.count >= 1);
	assert_int_equal(c.online[c.count - 1] + 1, c.max);
	cpus_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_online),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
