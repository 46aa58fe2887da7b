/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long and deep an expression can be, whatever its text; and what the
 * table of truth in expr.c leaves out: ages, fractions, blocks, words.
 */
#include <errno.h>

#include "expr/error.h"
#include "expr/expr.h"
#include "make.h"
#include "request/io.h"

/* --- bounds -------------------------------------------------------------- */

static int compile(const char *text, const char **phrase)
{
	struct expr_error why = { 0, NULL };
	struct expr *e = NULL;
	int err = expr_compile(&e, text, &why);

	expr_free(e);
	*phrase = why.phrase;
	return err;
}

static void test_depth(void **state)
{
	char text[2 * EXPR_BRACKETS_MAX + 8];
	const char *phrase;

	(void)state;
	for (int n = EXPR_BRACKETS_MAX; n <= EXPR_BRACKETS_MAX + 1; n++) {
		memset(text, '(', (size_t)n);
		strcpy(text + n, "gap");
		memset(text + n + 3, ')', (size_t)n);
		text[2 * n + 3] = '\0';
		assert_int_equal(compile(text, &phrase),
				 n > EXPR_BRACKETS_MAX ? -EINVAL : 0);
	}
	assert_string_equal(phrase, "more than 64 nested brackets");
}

/* those that are closed again do not count */
static void test_side_by_side(void **state)
{
	char text[8 * EXPR_BRACKETS_MAX] = "(gap)";
	const char *phrase;

	(void)state;
	for (int i = 0; i < EXPR_BRACKETS_MAX; i++)
		strcat(text, "||(gap)");
	assert_int_equal(compile(text, &phrase), 0);
}

/* a text of count times that */
static char *repeated(const char *piece, size_t count)
{
	size_t len = strlen(piece);
	char *text = malloc(len * count + 1), *p = text;

	assert_non_null(text);
	for (*p = '\0'; count--; p += len)
		strcpy(p, piece);
	return text;
}

/* as many steps as there can be; the third text ends with !gap */
static void test_steps(void **state)
{
	static const char *const joined[] = { "gap||", "gap&&", "gap||!gap&&" };
	struct io io = { .gap = true };
	struct expr_error why = { 0, NULL };
	struct expr *e = NULL;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char *text = repeated(joined[i], EXPR_STEPS_MAX / (i / 2 + 1));

		text[strlen(text) - 2] = '\0';
		assert_int_equal(expr_compile(&e, text, &why), 0);
		assert_true(expr_matches(e, &io, IO_NONE));
		assert_int_equal(expr_matches(e, &(struct io){ 0 }, IO_NONE),
				 i == 2);
		expr_free(e);
		free(text);
	}
}

static void test_too_many(void **state)
{
	static const char *const tests[] = { "gap||", "host==a||", "q2c>5ns||",
					     "op!=read||", "misaligned||" };
	const char *phrase;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		char *text = repeated(tests[i], EXPR_STEPS_MAX + 1);

		text[strlen(text) - 2] = '\0';
		assert_int_equal(compile(text, &phrase), -EINVAL);
		assert_string_equal(phrase, "too long: more than 60,000 steps");
		free(text);
	}
}

/* nots in any number are no depth */
static void test_nots(void **state)
{
	char *text = repeated("!", 1000001);
	struct expr_error why;
	struct expr *e = NULL;

	(void)state;
	text = realloc(text, 1000001 + 4);
	strcat(text, "gap");
	assert_int_equal(expr_compile(&e, text, &why), 0);
	assert_true(expr_matches(e, &(struct io){ 0 }, IO_NONE));
	expr_free(e);
	free(text);
}

/* texts made of the language's own pieces, mostly in a wrong order */
static void test_hostile(void **state)
{
	static const char *const pieces[] = {
		"(", ")", "!", "&&", "||", "==", "!=", "<", ">=", "\"", "op",
		"read", "q2c", "5", "1.5", "ms", "K", "gap", "host", "*", " ",
		"\n", "\xff", ".", "99999999999999999999", "age", "size", "=",
	};
	uint64_t seed = 7;
	int good = 0;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		char text[400] = "";
		const char *phrase;

		for (uint32_t n = chance(&seed) % 9; n--;)
			strcat(text, pieces[chance(&seed) % 28]);
		if (!compile(text, &phrase))
			good++;
		else
			assert_non_null(phrase);
	}
	assert_in_range(good, 1000, 100000);
}

/* --- the rest ------------------------------------------------------------ */

static bool matches(const char *text, const struct io *io, uint64_t now)
{
	struct expr_error why;
	struct expr *e = NULL;
	bool yes;

	assert_int_equal(expr_compile(&e, text, &why), 0);
	yes = expr_matches(e, io, now);
	expr_free(e);
	return yes;
}

static void test_age(void **state)
{
	struct io open = { .ended = IO_ENDED_OPEN, .time = 100,
			   .age = IO_NONE,
			   .total = IO_NONE };
	struct io lost = { .ended = IO_ENDED_LOST, .time = 100,
			   .total = IO_NONE };

	(void)state;
	assert_true(matches("age==50ns", &open, 150));
	assert_true(matches("age==0ns", &open, 50));
	assert_false(matches("age>=0ns || age!=5ns", &open, IO_NONE));
	assert_false(matches("age>=0ns || age!=5ns", &lost, 150));
	assert_true(matches("!(age>=0ns)", &lost, 150));
}

/* fractions, exact */
static void test_fractions(void **state)
{
	struct io io = { .birth = 'Q', .total = 1500000, .bytes = 1536 };

	(void)state;
	assert_true(matches("q2c==1.5ms && q2c==1500.000us", &io, 0));
	assert_true(matches("q2c == 0.025000000000 m || size==1.5K", &io, 0));
	assert_true(matches("size==3 sectors && size==1536", &io, 0));
	assert_true(matches("q2c!=18446744073709551.615us", &io, 0));
	assert_true(matches("size==0.000001430511474609375 GiB", &io, 0));
}

static void test_block(void **state)
{
	struct io io = { .op = IO_WRITE, .sector = 8, .bytes = 4096 };
	struct expr_error why;
	struct expr *e = NULL;

	(void)state;
	assert_int_equal(expr_compile(&e, "misaligned", &why), 0);
	assert_false(expr_matches(e, &io, 0));
	expr_set_block(e, 8192);
	assert_true(expr_matches(e, &io, 0));
	expr_set_block(e, 512);
	io.sector = 1;
	assert_false(expr_matches(e, &io, 0));
	io.bytes = 511;
	assert_true(expr_matches(e, &io, 0));
	expr_free(e);
}

static void test_uses(void **state)
{
	struct expr_error why;
	struct expr *e = NULL;

	(void)state;
	assert_int_equal(expr_compile(&e, "age>5s && !open", &why), 0);
	assert_true(expr_uses(e, "age"));
	assert_true(expr_uses(e, "open"));
	assert_false(expr_uses(e, "error"));
	assert_false(expr_uses(e, "s"));
	expr_free(e);
	expr_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_nots),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_age),
		cmocka_unit_test(test_fractions),
		cmocka_unit_test(test_block),
		cmocka_unit_test(test_uses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
