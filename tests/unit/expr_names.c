/* SPDX-License-Identifier: GPL-2.0-only */
/* Names in expressions: what fits a pattern, and how often a name is asked. */
#include "expr/error.h"
#include "expr/expr.h"
#include "expr/matcher.h"
#include "make.h"
#include "request/io.h"

static void check_pattern(const char *pattern, const char *text, bool fits)
{
	if (expr_pattern_fits(pattern, strlen(pattern), text) != fits)
		fail_msg("%s, %s", pattern, text);
}

static void test_patterns(void **state)
{
	(void)state;
	check_pattern("", "", true);
	check_pattern("", "a", false);
	check_pattern("a", "", false);
	check_pattern("*", "", true);
	check_pattern("?", "", false);
	check_pattern("kworker*", "kworker/3:1", true);
	check_pattern("kworker*", "Kworker/3:1", false);
	check_pattern("*sda", "db1/sdsda", true);
	check_pattern("*sd?", "db1/sd", false);
	check_pattern("a*b*c", "aXbbYc", true);
	check_pattern("a*b*c", "aXbbYcd", false);
	check_pattern("**a**", "a", true);
	check_pattern("m?r", "m\xc3\xa4r", true);
	check_pattern("m?r", "m\xc3\xa4\xc3\xa4r", false);
	check_pattern("[a]", "a", false);
	/* which is no text, but ends */
	check_pattern("?", "\xbf\xbf", true);
}

/* a long name costs its square at most */
static void test_long_pattern(void **state)
{
	enum { LEN = 4096, PATTERN = 100000 };
	char *text = malloc(LEN + 1), *pattern = malloc(PATTERN);

	(void)state;
	memset(text, 'a', LEN);
	text[LEN] = '\0';
	for (int i = 0; i < PATTERN; i++)
		pattern[i] = i % 2 ? 'a' : '*';
	assert_false(expr_pattern_fits(pattern, PATTERN, text));
	memset(pattern, 'a', PATTERN);
	pattern[0] = '*';
	assert_false(expr_pattern_fits(pattern, PATTERN, text));
	free(pattern);
	free(text);
}

/* --- how often ----------------------------------------------------------- */

struct asked {
	unsigned int times;
	const char *name;
};

static const char *name(void *ctx, const struct io *io)
{
	struct asked *a = ctx;

	(void)io;
	a->times++;
	return a->name;
}

static struct expr *compiled(const char *text, struct asked *a)
{
	struct expr_names names = { a, name, name, name, name };
	struct expr_error why;
	struct expr *e = NULL;

	assert_int_equal(expr_compile(&e, text, &why), 0);
	expr_set_names(e, &names);
	return e;
}

static bool matches(struct expr *e, const struct io *io)
{
	return expr_matches(e, io, IO_NONE);
}

/* Each origin has its own pid 7; each test is asked for. */
static void test_once(void **state)
{
	struct asked a = { 0, "fio" };
	struct expr *e = compiled("process==fio && process!=dd", &a);
	struct io io = { .pid = 7 };

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_true(matches(e, &io));
	assert_int_equal(a.times, 2);
	io.origin = 1;
	assert_true(matches(e, &io));
	assert_int_equal(a.times, 4);
	io.pid = 8;
	a.name = "dd";
	assert_false(matches(e, &io));
	assert_int_equal(a.times, 5);
	expr_free(e);
}

/* what it is asked for by: the rest of the io does not matter */
static void test_by_what(void **state)
{
	struct asked a = { 0, "x" };
	struct expr *e = compiled("device==x && cgroup==x && host==x", &a);
	struct io io = { .device = 8 };

	(void)state;
	assert_true(matches(e, &io));
	io.pid = 1;
	assert_true(matches(e, &io));
	assert_int_equal(a.times, 3);
	io.device = 9;
	assert_true(matches(e, &io));
	assert_int_equal(a.times, 4);
	io.disk = (const struct device *)&io;
	assert_true(matches(e, &io));
	assert_int_equal(a.times, 5);
	io.cgroup = 1;
	assert_true(matches(e, &io));
	assert_int_equal(a.times, 6);
	expr_free(e);
}

/* a name that is not known may become so, one that is stays */
static void test_later(void **state)
{
	struct asked a = { 0, NULL };
	struct expr_names names = { .ctx = &a, .process = name };
	struct expr *e = compiled("process!=dd", &a);
	struct io io = { .pid = 7 };

	(void)state;
	assert_false(matches(e, &io));
	a.name = "fio";
	assert_true(matches(e, &io));
	a.name = "dd";
	assert_true(matches(e, &io));
	expr_set_names(e, &names);
	assert_false(matches(e, &io));
	expr_free(e);
}

static void test_nobody_to_ask(void **state)
{
	struct expr_names names = { .ctx = NULL };
	struct asked a = { 0, "dd" };
	struct expr *e = compiled("process==dd || process!=dd", &a);

	(void)state;
	assert_true(matches(e, &(struct io){ 0 }));
	expr_set_names(e, &names);
	assert_false(matches(e, &(struct io){ 0 }));
	expr_free(e);
}

/* More names than answers are kept: all are right, and most are kept. */
static void test_many(void **state)
{
	enum { PIDS = 2 * EXPR_ANSWERS, FEW = EXPR_ANSWERS / 64 };
	struct asked a = { 0, NULL };
	struct expr *e = compiled("process==fio", &a);

	(void)state;
	for (uint32_t i = 0; i < 2 * PIDS; i++) {
		a.name = i % 2 ? "fio" : "dd";
		assert_int_equal(matches(e, &(struct io){ .pid = i % PIDS }),
				 i % 2);
	}
	a.times = 0;
	for (uint32_t i = 0; i < 100 * FEW; i++) {
		a.name = i % 2 ? "fio" : "dd";
		assert_int_equal(matches(e, &(struct io){ .pid = i % FEW }),
				 i % 2);
	}
	assert_in_range(a.times, FEW / 4, 30 * FEW);
	expr_free(e);
}

/* nor is the answer to one test, or of one host, taken for another's */
static void test_mixed(void **state)
{
	enum { IOS = 4 * EXPR_ANSWERS, HOSTS = 8 };
	struct asked a = { 0, NULL };
	struct expr *e = compiled("process!=a && process!=b && process!=c && "
				  "process==fio", &a);

	(void)state;
	for (uint32_t i = 0; i < IOS; i++) {
		struct io io = { .pid = i / HOSTS,
				 .origin = (uint16_t)(i % HOSTS) };

		a.name = i % 2 ? "fio" : "dd";
		assert_int_equal(matches(e, &io), i % 2);
	}
	expr_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_long_pattern),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_by_what),
		cmocka_unit_test(test_later),
		cmocka_unit_test(test_nobody_to_ask),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_mixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
