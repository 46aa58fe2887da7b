/* SPDX-License-Identifier: GPL-2.0-only */
/* Lanes of a device: the lowest that is free. */
#include "emit/perfetto/slices.h"

#include "base/random.h"
#include "make.h"

static uint32_t take(struct lanes *l, uint64_t from, uint64_t to)
{
	uint32_t lane = UINT32_MAX;

	assert_int_equal(lanes_take(l, from, to, &lane), 0);
	assert_true(lane < l->count);
	return lane;
}

static void test_lowest(void **state)
{
	struct lanes l = { 0 };

	(void)state;
	assert_int_equal(take(&l, 0, 10), 0);
	assert_int_equal(take(&l, 5, 20), 1);
	assert_int_equal(take(&l, 9, 12), 2);
	/* one that ends makes room for one that begins then */
	assert_int_equal(take(&l, 10, 30), 0);
	assert_int_equal(take(&l, 12, 15), 2);
	assert_int_equal(take(&l, 20, 20), 1);
	assert_int_equal(take(&l, 20, 40), 1);
	assert_int_equal(l.count, 3);
	/* one that comes late overlaps with all */
	assert_int_equal(take(&l, 1, 2), 3);
	lanes_free(&l);
}

enum { SPANS = 3000, MANY = 512 };

/* as many lanes as there are at a time, and what looking at each would find */
static void test_many(void **state)
{
	static uint64_t ends[MANY];
	struct lanes l = { 0 };
	struct random r;
	uint64_t from = 0;
	uint32_t most = 0;

	(void)state;
	random_init(&r, 7);
	for (int i = 0; i < SPANS; i++) {
		uint64_t to;
		uint32_t lane = 0;

		from += random_below(&r, 4);
		to = from + random_below(&r, 800);
		while (ends[lane] > from)
			lane++;
		assert_true(lane < MANY - 1);
		ends[lane] = to;
		if (lane + 1 > most)
			most = lane + 1;
		assert_int_equal(take(&l, from, to), lane);
	}
	assert_int_equal(l.count, most);
	assert_true(most > 100);
	lanes_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lowest),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
