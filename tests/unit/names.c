/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of process ids: first come, first kept. */
#include "make.h"
#include "run/names.h"

/* the first name stays */
static void test_first_wins(void **state)
{
	struct names n = { 0 };

	(void)state;
	assert_null(names_get(&n, 0, 100));
	assert_int_equal(names_learn(&n, 0, 100, "dd", 2), 1);
	assert_int_equal(names_learn(&n, 0, 100, "cp", 2), 0);
	assert_string_equal(names_get(&n, 0, 100), "dd");
	names_free(&n);
	assert_null(names_get(&n, 0, 100));
}

/* a name is cut at 15 characters, or where its bytes or its text end */
static void test_length(void **state)
{
	struct names n = { 0 };

	(void)state;
	names_learn(&n, 0, 1, "kworker/u64:123456", 18);
	assert_string_equal(names_get(&n, 0, 1), "kworker/u64:123");
	names_learn(&n, 0, 2, "fifteen letters", 16);
	assert_string_equal(names_get(&n, 0, 2), "fifteen letters");
	names_learn(&n, 0, 3, "dd\0junk behind it", 16);
	assert_string_equal(names_get(&n, 0, 3), "dd");
	names_learn(&n, 0, 4, "not terminated", 3);
	assert_string_equal(names_get(&n, 0, 4), "not");
	names_free(&n);
}

/* an empty name is a name */
static void test_empty(void **state)
{
	struct names n = { 0 };

	(void)state;
	assert_int_equal(names_learn(&n, 0, 5, "", 0), 1);
	assert_int_equal(names_learn(&n, 0, 5, "late", 4), 0);
	assert_string_equal(names_get(&n, 0, 5), "");
	names_free(&n);
}

/* hosts have pids of their own */
static void test_origins(void **state)
{
	struct names n = { 0 };

	(void)state;
	names_learn(&n, 0, 1, "init", 4);
	names_learn(&n, 65535, 1, "systemd", 7);
	names_learn(&n, 65535, UINT32_MAX, "last", 4);
	assert_string_equal(names_get(&n, 0, 1), "init");
	assert_string_equal(names_get(&n, 65535, 1), "systemd");
	assert_string_equal(names_get(&n, 65535, UINT32_MAX), "last");
	assert_null(names_get(&n, 0, UINT32_MAX));
	assert_null(names_get(&n, 1, 1));
	names_free(&n);
}

/* names stay where they are while the table grows */
static void test_stay(void **state)
{
	struct names n = { 0 };
	const char *first;
	char text[16];

	(void)state;
	names_learn(&n, 0, 0, "swapper", 7);
	first = names_get(&n, 0, 0);
	for (uint32_t pid = 1; pid < 5000; pid++) {
		int len = snprintf(text, sizeof(text), "p%u", pid);

		assert_int_equal(names_learn(&n, 0, pid, text, (size_t)len), 1);
	}
	assert_ptr_equal(names_get(&n, 0, 0), first);
	assert_string_equal(first, "swapper");
	assert_string_equal(names_get(&n, 0, 4999), "p4999");
	names_free(&n);
}

/* beyond the bound names are counted, not kept */
static void test_bound(void **state)
{
	struct names n = { 0 };

	(void)state;
	for (uint32_t pid = 0; pid < NAMES_MAX; pid++)
		names_learn(&n, 0, pid, "dd", 2);
	assert_int_equal(n.left_out, 0);
	assert_int_equal(names_learn(&n, 0, NAMES_MAX, "cp", 2), 0);
	assert_int_equal(names_learn(&n, 0, 5, "cp", 2), 0);
	assert_int_equal(n.left_out, 1);
	assert_null(names_get(&n, 0, NAMES_MAX));
	names_free(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_wins),
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_origins),
		cmocka_unit_test(test_stay),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
