/* SPDX-License-Identifier: GPL-2.0-only */
/* Text for a terminal: what stays as it is, and what does not. */
#include "base/escape.h"
#include "make.h"

static void check(const char *text, size_t len, const char *shown)
{
	char got[128];

	assert_int_equal(escape_text(got, sizeof(got), text, len),
			 strlen(shown));
	assert_string_equal(got, shown);
}

#define CHECK(text, shown) check(text, sizeof(text) - 1, shown)

static void test_shown(void **state)
{
	(void)state;
	CHECK("", "");
	CHECK("kworker/u8:1 ~\\x1b", "kworker/u8:1 ~\\x1b");
	CHECK("\xc2\xa0 \xc3\x84 \xe2\x82\xac \xf0\x9f\x98\x80",
	      "\xc2\xa0 \xc3\x84 \xe2\x82\xac \xf0\x9f\x98\x80");
}

static void test_controls(void **state)
{
	(void)state;
	CHECK("\x1b[31mred", "\\x1b[31mred");
	CHECK("a\nb\tc\0\x7f", "a\\x0ab\\x09c\\x00\\x7f");
	CHECK("\xc2\x9b" "2J\x9b", "\\xc2\\x9b2J\\x9b");
}

/* first and last of each range, and what is beside them */
static void test_hidden(void **state)
{
	(void)state;
	CHECK("a\xc2\xad" "b\xd8\x9c", "a\\xc2\\xadb\\xd8\\x9c");
	CHECK("\xe1\xa0\x8e", "\\xe1\\xa0\\x8e");
	CHECK("\xe2\x80\x8b\xe2\x80\x8f",
	      "\\xe2\\x80\\x8b\\xe2\\x80\\x8f");
	CHECK("x\xe2\x80\xa8\xe2\x80\xaetxt.exe",
	      "x\\xe2\\x80\\xa8\\xe2\\x80\\xaetxt.exe");
	CHECK("\xe2\x81\xa0\xe2\x81\xaf",
	      "\\xe2\\x81\\xa0\\xe2\\x81\\xaf");
	CHECK("\xef\xbb\xbf\xef\xbf\xb9\xef\xbf\xbb",
	      "\\xef\\xbb\\xbf\\xef\\xbf\\xb9\\xef\\xbf\\xbb");
	CHECK("\xf3\xa0\x80\x80\xf3\xa0\xbf\xbf",
	      "\\xf3\\xa0\\x80\\x80\\xf3\\xa0\\xbf\\xbf");
}

static void test_beside_hidden(void **state)
{
	static const char text[] = "\xc2\xac\xc2\xae\xd8\x9b\xd8\x9d"
		"\xe2\x80\x8a\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf"
		"\xe2\x81\x9f\xe2\x81\xb0\xef\xbb\xbe\xef\xbf\xb8"
		"\xef\xbf\xbc\xf3\x9f\xbf\xbf\xf3\xa1\x80\x80";

	(void)state;
	CHECK(text, text);
}

/* cut, lying and too long forms, surrogates, beyond the last character */
static void test_not_utf8(void **state)
{
	(void)state;
	CHECK("\xc3", "\\xc3");
	CHECK("\xe2\x82", "\\xe2\\x82");
	CHECK("\xe2(\xac", "\\xe2(\\xac");
	CHECK("\xc0\x9b", "\\xc0\\x9b");
	CHECK("\xe0\x82\x9b", "\\xe0\\x82\\x9b");
	CHECK("\xed\xa0\x80", "\\xed\\xa0\\x80");
	CHECK("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
}

/* what does not fit is left off, in whole characters */
static void test_size(void **state)
{
	char got[6];

	(void)state;
	assert_int_equal(escape_text(got, 6, "ab\x01zz", 5), 2);
	assert_string_equal(got, "ab");
	assert_int_equal(escape_text(got, 6, "a\x01zz", 4), 5);
	assert_string_equal(got, "a\\x01");
	assert_int_equal(escape_text(got, 3, "a\xc3\x84", 3), 1);
	assert_int_equal(escape_text(got, 1, "a", 1), 0);
	assert_string_equal(got, "");
}

static void characters(void **state)
{
	static const struct {
		const char *text;
		size_t len, want;
	} cases[] = {
		{ "a", 1, 1 },		{ "\n", 1, 1 },
		{ "", 0, 0 },		{ "\x7f", 1, 1 },
		{ "\xc2\x80", 2, 2 },	{ "\xc3\xa4", 2, 2 },
		{ "\xe2\x82\xac", 3, 3 },	{ "\xe2\x82", 2, 0 },
		{ "\xff", 1, 0 },	{ "\xc0\x80", 2, 0 },
		{ "\xed\xa0\x80", 3, 0 },	{ "\xc2", 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(escape_character(cases[i].text,
						  cases[i].len),
				 cases[i].want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_controls),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_beside_hidden),
		cmocka_unit_test(test_not_utf8),
		cmocka_unit_test(test_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
