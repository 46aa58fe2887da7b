/* SPDX-License-Identifier: GPL-2.0-only */
/* The heap: whatever goes in comes out in order. */
#include "base/heap.h"
#include "make.h"

static struct order random_key(uint64_t *seed, uint32_t range)
{
	return (struct order){ chance(seed) % range, chance(seed) % range,
			       chance(seed) % range };
}

/* time decides before rank, and rank before stamp */
static void test_order(void **state)
{
	static const struct order keys[] = {
		{ 2, 0, 0 }, { 1, 9, 9 }, { 1, 2, 8 }, { 1, 2, 7 },
	};
	struct heap h = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(heap_push(&h, &keys[i], i), 0);
	for (uint32_t want = 4; want-- > 2;)
		assert_int_equal(heap_pop(&h), want);
	assert_int_equal(heap_pop(&h), 1);
	assert_int_equal(heap_pop(&h), 0);
	assert_null(heap_top(&h));
	heap_free(&h);
}

/* thousands of keys, many of them equal, come out ascending and all once */
static void test_sorts(void **state)
{
	enum { COUNT = 5000 };
	struct order *keys = calloc(COUNT, sizeof(*keys));
	bool *seen = calloc(COUNT, sizeof(*seen));
	uint64_t seed = 3;
	struct heap h = { 0 };
	uint32_t last = 0;

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		keys[i] = random_key(&seed, 12);
		assert_int_equal(heap_push(&h, &keys[i], i), 0);
	}
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t id = heap_pop(&h);

		assert_false(seen[id]);
		assert_false(i && order_before(&keys[id], &keys[last]));
		seen[id] = true;
		last = id;
	}
	assert_null(heap_top(&h));
	heap_free(&h);
	free(keys);
	free(seen);
}

/* The least one's key is another now. */
static void replace(struct heap *h, struct order *keys, const bool *in,
		    struct order key)
{
	uint32_t top = heap_top(h)->id;

	assert_true(in[top]);
	keys[top] = key;
	heap_replace(h, &key, top);
}

/* the least key held is at the top, also while others come and go */
static void test_mixed(void **state)
{
	enum { COUNT = 3000 };
	struct order keys[COUNT];
	bool in[COUNT] = { false };
	uint64_t seed = 5;
	struct heap h = { 0 };

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		keys[i] = random_key(&seed, 1000);
		assert_int_equal(heap_push(&h, &keys[i], i), 0);
		in[i] = true;
		if (chance(&seed) % 3)
			in[heap_pop(&h)] = false;
		if (heap_top(&h) && chance(&seed) % 3)
			replace(&h, keys, in, random_key(&seed, 1000));
		for (uint32_t k = 0; heap_top(&h) && k <= i; k++)
			assert_false(in[k] && order_before(&keys[k],
							   &heap_top(&h)->key));
	}
	heap_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_sorts),
		cmocka_unit_test(test_mixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
