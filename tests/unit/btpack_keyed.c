/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of tools/btpack/keyed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/btpack/keyed.h"

enum { NAMES = 20000 };

static struct keyed *key(const char *text)
{
	struct keyed *k = keyed_new(text);

	if (!keyed_built())
		skip();
	assert_non_null(k);
	return k;
}

/* no two numbers become one, and few stay */
static void numbers_are_permuted(void **state)
{
	struct keyed *k = key("some key");
	bool *seen;

	(void)state;
	for (unsigned int bits = 2; bits <= 16; bits += 2) {
		uint32_t count = UINT32_C(1) << bits, same = 0;

		seen = calloc(count, sizeof(*seen));
		assert_non_null(seen);
		for (uint32_t i = 0; i < count; i++) {
			uint32_t to = keyed_number(k, "pid", bits, i);

			assert_true(to < count);
			assert_false(seen[to]);
			seen[to] = true;
			same += to == i;
		}
		assert_true(bits < 6 || same < count / 8);
		free(seen);
	}
	keyed_free(k);
}

static void wide_numbers_differ(void **state)
{
	struct keyed *k = key("some key");

	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		for (uint32_t bit = 0; bit < 32; bit += 5)
			assert_int_not_equal(
				keyed_number(k, "cgroup", 32, i),
				keyed_number(k, "cgroup", 32,
					     i ^ UINT32_C(1) << bit));
	keyed_free(k);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void words_differ(void **state)
{
	static char words[NAMES][KEYED_WORD];
	struct keyed *k = key("some key");
	unsigned int twice = 0;
	char name[32];

	(void)state;
	for (int i = 0; i < NAMES; i++) {
		int len = snprintf(name, sizeof(name), "name%d", i);

		keyed_word(k, words[i], name, (size_t)len);
		assert_int_equal(strlen(words[i]), KEYED_WORD - 1);
	}
	qsort(words, NAMES, KEYED_WORD, by_text);
	for (int i = 1; i < NAMES; i++)
		twice += !strcmp(words[i - 1], words[i]);
	assert_true(twice < 3);
	keyed_free(k);
}

/* the same by one key; by others, and of other kinds, not */
static void keys_decide(void **state)
{
	struct keyed *one = key("one"), *again = key("one"), *two = key("two");
	struct keyed *random = key(NULL), *other = key(NULL);

	(void)state;
	assert_true(keyed_hash(one, "a", "bc", 2) ==
		    keyed_hash(again, "a", "bc", 2));
	assert_true(keyed_hash(one, "a", "bc", 2) !=
		    keyed_hash(two, "a", "bc", 2));
	assert_true(keyed_hash(one, "a", "bc", 2) !=
		    keyed_hash(one, "ab", "c", 1));
	assert_true(keyed_hash(random, "a", "bc", 2) !=
		    keyed_hash(other, "a", "bc", 2));
	keyed_free(one);
	keyed_free(again);
	keyed_free(two);
	keyed_free(random);
	keyed_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_permuted),
		cmocka_unit_test(wide_numbers_differ),
		cmocka_unit_test(words_differ),
		cmocka_unit_test(keys_decide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
