/* SPDX-License-Identifier: GPL-2.0-only */
/* The different texts of a column. */
#include "emit/parquet/dictionary.h"
#include "chained.h"

static struct dictionary made;	/* some KB */

static uint32_t number_of(struct dictionary *d, const char *text, uint32_t len)
{
	uint32_t number;

	assert_int_equal(dictionary_number(d, text, len, &number), 0);
	return number;
}

static void test_numbers(void **state)
{
	struct dictionary *d = &made;
	struct chained c;

	(void)state;
	chained_init(&c);
	dictionary_init(d, &c.pool);
	assert_int_equal(number_of(d, "read", 4), 0);
	assert_int_equal(number_of(d, "", 0), 1);
	assert_int_equal(number_of(d, "ready", 4), 0);
	assert_int_equal(number_of(d, "ready", 5), 2);
	assert_int_equal(number_of(d, "", 0), 1);
	chain_join(&c.chain, &d->plain);
	CHAINED_EXPECT(&c, 4, 0, 0, 0, 'r', 'e', 'a', 'd', 0, 0, 0, 0,
		       5, 0, 0, 0, 'r', 'e', 'a', 'd', 'y');
	dictionary_clear(d);
	assert_int_equal(number_of(d, "ready", 5), 0);
	dictionary_free(d);
	chained_free(&c);
}

/* texts of every length whose ends are the same, and that differ by a byte */
static void test_alike(void **state)
{
	enum { LONGEST = 100 };
	struct dictionary *d = &made;
	struct chained c;
	char text[LONGEST];
	uint32_t count = 0;

	(void)state;
	chained_init(&c);
	dictionary_init(d, &c.pool);
	memset(text, 'x', sizeof(text));
	for (uint32_t len = 0; len <= LONGEST; len++)
		assert_int_equal(number_of(d, text, len), count++);
	for (uint32_t i = 0; i < LONGEST; i++) {
		text[i] = 'y';
		for (uint32_t len = i + 1; len <= LONGEST; len++)
			assert_int_equal(number_of(d, text, len), count++);
		text[i] = 'x';
	}
	for (uint32_t len = 0; len <= LONGEST; len++)
		assert_int_equal(number_of(d, text, len), len);
	assert_int_equal(d->count, count);
	dictionary_free(d);
	chained_free(&c);
}

static void test_many(void **state)
{
	enum { MANY = 20000 };
	struct dictionary *d = &made;
	struct chained c;
	char text[16];

	(void)state;
	chained_init(&c);
	dictionary_init(d, &c.pool);
	for (uint32_t i = 0; i < 2 * MANY; i++) {
		int len = snprintf(text, sizeof(text), "text %u", i % MANY);

		assert_int_equal(number_of(d, text, (uint32_t)len), i % MANY);
	}
	/* what it keeps is counted */
	assert_true(c.pool.used > MANY * (4 + sizeof(uint8_t *) + 6));
	dictionary_clear(d);
	assert_int_equal(number_of(d, "text 5", 6), 0);
	dictionary_free(d);
	chained_free(&c);
}

static void test_bounds(void **state)
{
	struct dictionary *d = &made;
	struct dictionary_bounds b;
	char text[DICTIONARY_BOUND + 1];
	struct chained c;

	(void)state;
	chained_init(&c);
	dictionary_init(d, &c.pool);
	dictionary_bounds(d, &b);
	assert_false(b.known);
	number_of(d, "ab", 2);
	number_of(d, "\xc3\xa4", 2);
	number_of(d, "a", 1);
	dictionary_bounds(d, &b);
	assert_true(b.known);
	assert_int_equal(b.low_len, 1);
	assert_memory_equal(b.low, "a", 1);
	assert_int_equal(b.high_len, 2);
	assert_memory_equal(b.high, "\xc3\xa4", 2);
	memset(text, 'a', sizeof(text));
	number_of(d, text, DICTIONARY_BOUND + 1);
	dictionary_bounds(d, &b);
	assert_true(b.known);
	memset(text, '\xff', sizeof(text));
	number_of(d, text, DICTIONARY_BOUND + 1);
	dictionary_bounds(d, &b);
	assert_false(b.known);
	dictionary_free(d);
	chained_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
