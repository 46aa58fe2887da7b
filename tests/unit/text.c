/* SPDX-License-Identifier: GPL-2.0-only */
/* Small text files: a line, a number, a device; and what is none of them. */
#include <errno.h>
#include <sys/sysmacros.h>

#include "base/text.h"
#include "scratch.h"

static void check_line(const char *content, const char *line)
{
	char got[8] = "before";

	put("one", content);
	assert_int_equal(text_read("one", got, sizeof(got)), 0);
	assert_string_equal(got, line);
}

/* the first line without its end, never more than there is room for */
static void test_line(void **state)
{
	(void)state;
	check_line("", "");
	check_line("\n", "");
	check_line("none", "none");
	check_line("none\n", "none");
	check_line("a b\nc\n", "a b");
	check_line("1234567\n", "1234567");
	check_line("123456789\n", "1234567");
}

/* a failure leaves no text of before */
static void test_unreadable(void **state)
{
	char got[8] = "before";

	(void)state;
	assert_int_equal(text_read("none", got, sizeof(got)), -ENOENT);
	assert_string_equal(got, "");
	strcpy(got, "before");
	assert_int_equal(text_read(".", got, sizeof(got)), -EISDIR);
	assert_string_equal(got, "");
}

static void check_number(const char *content, int err, uint64_t number)
{
	uint64_t got = 7;

	put("one", content);
	assert_int_equal(text_number("one", &got), err);
	assert_int_equal(got, number);
}

static void test_number(void **state)
{
	uint64_t got = 7;

	(void)state;
	check_number("0\n", 0, 0);
	check_number("  2048\n", 0, 2048);
	check_number("18446744073709551615\n", 0, UINT64_MAX);
	check_number("12 kB\n", 0, 12);
	check_number("", -EINVAL, 7);
	check_number("none\n", -EINVAL, 7);
	assert_int_equal(text_number("none", &got), -ENOENT);
	assert_int_equal(got, 7);
}

static void check_device(const char *content, int err, dev_t dev)
{
	dev_t got = makedev(1, 2);

	put("one", content);
	assert_int_equal(text_device("one", &got), err);
	assert_int_equal(got, dev);
}

static void test_device(void **state)
{
	dev_t got = makedev(1, 2);

	(void)state;
	check_device("8:0\n", 0, makedev(8, 0));
	check_device("259:1048575\n", 0, makedev(259, 1048575));
	check_device("8\n", -EINVAL, got);
	check_device(":8\n", -EINVAL, got);
	assert_int_equal(text_device("none", &got), -ENOENT);
	assert_int_equal(got, makedev(1, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_line),
		IN_SCRATCH(test_unreadable),
		IN_SCRATCH(test_number),
		IN_SCRATCH(test_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
