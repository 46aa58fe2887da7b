/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of a text, of any length and in any pieces, and the numbers in them.
 */
#include <inttypes.h>

#include "file/source.h"
#include "import/lines.h"
#include "make.h"

/* --- numbers -------------------------------------------------------------- */

static const struct {
	const char *text;
	uint64_t scale, value;
	bool good;
} numbers[] = {
	{ "0", 1, 0, true },
	{ "1.25", 1000000000, 1250000000, true },
	{ "1.", 1000, 1000, true },
	{ ".5", 1000, 500, true },
	{ "0.0000000019", 1000000000, 1, true },
	{ "18446744073709551615", 1, UINT64_MAX, true },
	{ "18446744073709551616", 1, 0, false },
	{ "184467440737095516150", 1, 0, false },
	{ "00000000000000000000000007", 1, 7, true },
	{ "18446744073.709551615", 1000000000, UINT64_MAX, true },
	{ "18446744073.709551616", 1000000000, 0, false },
	{ "18446744074", 1000000000, 0, false },
	{ "12345678", 1, 12345678, true },
	{ "1234567:", 1, 0, false },
	{ "/2345678", 1, 0, false },
	{ "123456789012345x", 1, 0, false },
	{ "", 1, 0, false },
	{ ".", 1, 0, false },
	{ "-1", 1, 0, false },
	{ "1e3", 1, 0, false },
	{ "1.2.3", 1, 0, false },
	{ " 1", 1, 0, false },
};

static struct field field_of(const char *text)
{
	return (struct field){ text, strlen(text) };
}

static void test_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct field f = field_of(numbers[i].text);
		uint64_t n = 0;
		bool good = field_scaled(&f, numbers[i].scale, &n);

		if (good != numbers[i].good || (good && n != numbers[i].value))
			fail_msg("\"%s\" is %" PRIu64, numbers[i].text, n);
	}
}

/* as snprintf() writes them, of all lengths */
static void test_digits(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[32];
		uint64_t n;
		struct field f;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		snprintf(text, sizeof(text), "%" PRIu64, seed >> i % 64);
		f = field_of(text);
		assert_true(field_number(&f, &n));
		assert_int_equal(n, seed >> i % 64);
		text[i % strlen(text)] ^= 0x40;
		assert_false(field_number(&f, &n));
	}
}

static void test_hexadecimal(void **state)
{
	struct field f = field_of("0xDEADbeef01");
	uint64_t n;

	(void)state;
	assert_true(field_number(&f, &n));
	assert_int_equal(n, 0xdeadbeef01);
	f = field_of("0xfffffffffffffffff");
	assert_false(field_number(&f, &n));
	f = field_of("0x");
	assert_false(field_number(&f, &n));
}

/* --- lines ---------------------------------------------------------------- */

/* lines of these lengths, one after the other, come back */
static void check_lines(const size_t *lengths, size_t count, const char *end,
			bool ended)
{
	char *text = malloc(1 << 20), *at = text, *line;
	struct source *s;
	struct lines l;
	size_t len;

	assert_non_null(text);
	for (size_t i = 0; i < count; i++) {
		memset(at, 'a' + (int)(i % 26), lengths[i]);
		at += lengths[i];
		if (i + 1 < count || ended)
			at = stpcpy(at, end);
	}
	assert_int_equal(source_memory(&s, text, (size_t)(at - text)), 0);
	assert_int_equal(lines_open(&l, s), 0);
	for (size_t i = 0; i < count; i++) {
		size_t most = lengths[i] < LINES_MAX ? lengths[i] : LINES_MAX;

		assert_int_equal(lines_next(&l, &line, &len), 1);
		assert_int_equal(l.number, i + 1);
		assert_int_equal(len, most);
		assert_int_equal(strspn(line, (char[]){ 'a' + i % 26, 0 }),
				 len);
		assert_int_equal(line[len], 0);
	}
	assert_int_equal(lines_next(&l, &line, &len), 0);
	lines_close(&l);
	source_close(s);
	free(text);
}

static void test_lines(void **state)
{
	static const size_t lengths[] = {
		1, 0, 5, LINES_MAX, LINES_MAX + 1, 0, 3 * LINES_MAX,
		4 * LINES_MAX - 1, 4 * LINES_MAX, 4 * LINES_MAX + 1, 7,
		9 * LINES_MAX, 1,
	};
	const size_t count = sizeof(lengths) / sizeof(*lengths);

	(void)state;
	check_lines(lengths, count, "\n", true);
	check_lines(lengths, count, "\n", false);
	check_lines(lengths, 3, "\r\n", true);
	check_lines(lengths, 12, "\n", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_hexadecimal),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
