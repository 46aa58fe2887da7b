/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of base/escape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/escape.h"

#define BAD "\xef\xbf\xbd"

static void becomes(const char *from, size_t len, const char *expected)
{
	char to[64];
	size_t got = utf8_clean(to, sizeof(to), from, len);

	assert_int_equal(got, strlen(expected));
	assert_memory_equal(to, expected, got);
}

static void test_texts(void **state)
{
	(void)state;
	becomes("", 0, "");
	becomes("fio", 3, "fio");
	becomes("\x01\t\n\x7f", 4, "\x01\t\n\x7f");
	becomes("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9,
		"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	becomes("a\xff" "b", 3, "a" BAD "b");
	/* cut short, longer than needed, a surrogate, beyond Unicode */
	becomes("\xe2\x82", 2, BAD BAD);
	becomes("\xc0\xaf", 2, BAD BAD);
	becomes("\xed\xa0\x80", 3, BAD BAD BAD);
	becomes("\xf4\x90\x80\x80", 4, BAD BAD BAD BAD);
}

/* whole characters only, and nothing behind the room */
static void test_room(void **state)
{
	char to[8] = "-------";

	(void)state;
	assert_int_equal(utf8_clean(to, 4, "ab\xe2\x82\xac", 5), 2);
	assert_string_equal(to, "ab-----");
	assert_int_equal(utf8_clean(to, 5, "ab\xff\xff", 4), 5);
	assert_string_equal(to, "ab" BAD "--");
	assert_int_equal(utf8_clean(to, 0, "a", 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
