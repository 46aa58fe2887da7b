/* SPDX-License-Identifier: GPL-2.0-only */
/* The hold: whatever goes in comes out in order, each source's queue or not. */
#include "base/hold.h"
#include "make.h"

static struct order key_of(const void *item)
{
	const struct order *key = item;

	return *key;
}

static void add(struct hold *h, uint32_t source, struct order key)
{
	struct order *place = hold_add(h, source, &key);

	assert_non_null(place);
	*place = key;
}

static uint64_t next(struct hold *h)
{
	uint64_t least = hold_least(h)->time;
	const struct order *taken = hold_take(h, key_of);

	assert_int_equal(taken->time, least);
	return least;
}

/* blocks of two sources, and one that is alone */
static void test_sources(void **state)
{
	struct hold h;

	(void)state;
	hold_init(&h, sizeof(struct order));
	assert_null(hold_least(&h));
	assert_null(hold_front(&h, 0));
	add(&h, 0, (struct order){ 10, 0, 0 });
	add(&h, 0, (struct order){ 40, 0, 0 });
	add(&h, 0, (struct order){ 20, 0, 0 });	/* late for its queue */
	add(&h, 100, (struct order){ 5, 0, 0 });
	add(&h, 100, (struct order){ 30, 0, 0 });
	add(&h, HOLD_ALONE, (struct order){ 35, 0, 0 });
	assert_int_equal(hold_count(&h), 6);
	for (uint64_t i = 0; i < 6; i++)
		assert_int_equal(next(&h),
				 ((uint64_t[]){ 5, 10, 20, 30, 35, 40 })[i]);
	assert_int_equal(hold_count(&h), 0);
	hold_free(&h);
}

/* the front is the queue's, whatever is in the heap besides */
static void test_front(void **state)
{
	struct hold h;

	(void)state;
	hold_init(&h, sizeof(struct order));
	add(&h, 3, (struct order){ 10, 0, 0 });
	add(&h, 3, (struct order){ 20, 0, 0 });
	add(&h, 3, (struct order){ 5, 0, 0 });
	assert_int_equal(next(&h), 5);
	assert_int_equal(((const struct order *)hold_front(&h, 3))->time, 10);
	assert_int_equal(next(&h), 10);
	assert_int_equal(((const struct order *)hold_front(&h, 3))->time, 20);
	assert_null(hold_front(&h, 2));
	assert_null(hold_front(&h, HOLD_ALONE));
	assert_int_equal(next(&h), 20);
	assert_null(hold_front(&h, 3));
	hold_free(&h);
}

/* all that ever were held can be reached */
static void test_any(void **state)
{
	struct hold h;
	uint32_t n = 0;

	(void)state;
	hold_init(&h, sizeof(struct order));
	for (uint64_t i = 0; i < 3; i++)
		add(&h, HOLD_ALONE, (struct order){ i, 0, 0 });
	assert_int_equal(next(&h), 0);
	while (hold_any(&h, n))
		n++;
	assert_int_equal(n, 3);
	hold_free(&h);
}

/* adding and taking by turns: never one that is less than the last taken, but for
 * those that came after it, and each once */
static void test_sorts(void **state)
{
	enum { COUNT = 20000, HELD = 500 };
	struct order last = { 0 };
	uint64_t seed = 7, sum = 0;
	struct hold h;

	(void)state;
	hold_init(&h, sizeof(struct order));
	for (uint64_t i = 0; i < COUNT; i++) {
		uint64_t time = i + chance(&seed) % HELD;

		add(&h, (uint32_t)chance(&seed) % 70,
		    (struct order){ time, chance(&seed) % 3, i });
		sum += i;
		while (hold_count(&h) && (hold_least(&h)->time < i ||
					  i == COUNT - 1)) {
			struct order *taken = hold_take(&h, key_of);

			assert_false(order_before(taken, &last));
			last = *taken;
			sum -= last.stamp;
		}
	}
	assert_int_equal(sum, 0);
	hold_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_front),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_sorts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
