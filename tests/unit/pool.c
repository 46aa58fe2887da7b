/* SPDX-License-Identifier: GPL-2.0-only */
/* The pool: a slot in use is in use once. */
#include "base/pool.h"
#include "make.h"

enum { COUNT = 5000 };

static uint64_t *item(const struct pool *p, uint32_t slot)
{
	return pool_get(p, slot);
}

/* numbers and contents stay as the array grows and moves */
static void test_grows(void **state)
{
	struct pool p = { .item_size = sizeof(uint64_t) };

	(void)state;
	assert_int_equal(pool_count(&p), 0);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t slot = pool_add(&p);

		assert_int_equal(slot, i);
		*item(&p, slot) = ~(uint64_t)i;
	}
	assert_int_equal(pool_count(&p), COUNT);
	for (uint32_t i = 0; i < COUNT; i++)
		assert_true(*item(&p, i) == ~(uint64_t)i);
	pool_free(&p);
	assert_int_equal(p.item_size, sizeof(uint64_t));
	assert_int_equal(pool_count(&p), 0);
	assert_int_equal(pool_add(&p), 0);
	pool_free(&p);
}

/* the last one given back is the next, with what it held */
static void test_again(void **state)
{
	struct pool p = { .item_size = sizeof(uint64_t) };
	uint32_t first = pool_add(&p), second = pool_add(&p);

	(void)state;
	*item(&p, first) = 1;
	*item(&p, second) = 2;
	pool_remove(&p, second);
	pool_remove(&p, first);
	assert_int_equal(pool_count(&p), 0);
	assert_true(*item(&p, second) == 2);
	assert_int_equal(pool_add(&p), first);
	assert_true(*item(&p, first) == 1);
	assert_int_equal(pool_add(&p), second);
	assert_int_equal(pool_add(&p), 2);
	pool_free(&p);
}

/* all given back, all taken again: no slot twice, and no more of them */
static void test_all(void **state)
{
	struct pool p = { .item_size = 1 };
	bool *seen = calloc(COUNT, sizeof(*seen));

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++)
		pool_add(&p);
	for (uint32_t i = 0; i < COUNT; i++)
		pool_remove(&p, i);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t slot = pool_add(&p);

		assert_true(slot < COUNT);
		assert_false(seen[slot]);
		seen[slot] = true;
	}
	assert_int_equal(p.used, COUNT);
	free(seen);
	pool_free(&p);
}

/* What comes and goes at random keeps what it holds. */
static void test_mixed(void **state)
{
	struct pool p = { .item_size = sizeof(uint64_t) };
	uint32_t *held = calloc(COUNT, sizeof(*held));
	uint64_t *value = calloc(COUNT, sizeof(*value)), seed = 7;
	uint32_t count = 0;

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		held[count] = pool_add(&p);
		*item(&p, held[count]) = value[count] = chance(&seed);
		count++;
		if (chance(&seed) % 3 == 0)
			continue;
		uint32_t at = (uint32_t)(chance(&seed) % count--);

		assert_true(*item(&p, held[at]) == value[at]);
		pool_remove(&p, held[at]);
		held[at] = held[count];
		value[at] = value[count];
		assert_int_equal(pool_count(&p), count);
	}
	for (uint32_t i = 0; i < count; i++)
		assert_true(*item(&p, held[i]) == value[i]);
	assert_true(p.used < COUNT / 2);
	pool_free(&p);
	free(held);
	free(value);
}

/* numbers have an end: no more slots then, and none is in use twice */
static void test_bound(void **state)
{
	const uint32_t half = (uint32_t)1 << 31;
	struct pool p = { .item_size = 1, .size = half, .used = half };

	(void)state;
	assert_int_equal(pool_add(&p), POOL_NONE);
	assert_int_equal(p.used, half);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grows),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
