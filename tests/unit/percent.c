/* SPDX-License-Identifier: GPL-2.0-only */
/* Names in lines of words, there and back. */
#include <errno.h>

#include "make.h"
#include "stat/saved.h"

static void test_encode(void **state)
{
	char to[64];

	(void)state;
	assert_int_equal(percent_encode(to, "vda"), 3);
	assert_string_equal(to, "vda");
	assert_int_equal(percent_encode(to, ""), 0);
	percent_encode(to, "a b=c%\n\x7f\xc3\xbc/~!");
	assert_string_equal(to, "a%20b%3Dc%25%0A%7F%C3%BC/~!");
}

/* all bytes come back */
static void test_back(void **state)
{
	char name[256], coded[3 * 256], back[256];
	size_t len;

	(void)state;
	for (int i = 1; i < 256; i++)
		name[i - 1] = (char)i;
	name[255] = '\0';
	len = percent_encode(coded, name);
	assert_int_equal(percent_decode(back, sizeof(back), coded, len), 255);
	assert_string_equal(back, name);
	assert_int_equal(percent_decode(back, 255, coded, len), -ENAMETOOLONG);
}

static void test_faults(void **state)
{
	static const char *const wrong[] = {
		"a b", "a=b", "%", "%4", "a%4", "%00", "%4g", "%g4", "%c3",
		"\xc3\xbc", "a\n", "\x7f",
	};
	char back[16];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(percent_decode(back, sizeof(back), wrong[i],
						strlen(wrong[i])), -EINVAL);
	assert_int_equal(percent_decode(back, sizeof(back), "a\0b", 3),
			 -EINVAL);
	assert_int_equal(percent_decode(back, sizeof(back), "", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_encode),
		cmocka_unit_test(test_back),
		cmocka_unit_test(test_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
