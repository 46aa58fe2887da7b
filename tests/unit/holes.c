/* SPDX-License-Identifier: GPL-2.0-only */
/* Holes in sequence numbers, held against a set of what has been seen. */
#include "make.h"
#include "run/device.h"

static void see(struct holes *h, const uint32_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		holes_see(h, numbers[i]);
}

#define SEE(h, ...)                                                     \
	see(h, (const uint32_t[]){ __VA_ARGS__ },                       \
	    sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void check_hole(const struct holes *h, size_t i, uint32_t first,
		       uint32_t last)
{
	assert_true(i < h->count);
	assert_int_equal(h->list[i].first, first);
	assert_int_equal(h->list[i].last, last);
}

/* numbers in a row make no hole, whatever the first one is */
static void test_in_row(void **state)
{
	struct holes h = { 0 };

	(void)state;
	for (uint32_t n = 1000; n < 2000; n++)
		holes_see(&h, n);
	assert_int_equal(h.count + h.more, 0);
	assert_int_equal(h.missing, 0);
	holes_free(&h);
}

/* a late number closes a hole from either end, splits it, and fills it */
static void test_late(void **state)
{
	struct holes h = { 0 };

	(void)state;
	SEE(&h, 1, 8);
	check_hole(&h, 0, 2, 7);
	SEE(&h, 2, 7);
	check_hole(&h, 0, 3, 6);
	SEE(&h, 5);
	check_hole(&h, 0, 3, 4);
	check_hole(&h, 1, 6, 6);
	assert_int_equal(h.missing, 3);
	SEE(&h, 6, 3, 4);
	assert_int_equal(h.count, 0);
	assert_int_equal(h.missing, 0);
	SEE(&h, 9);
	assert_int_equal(h.count, 0);
	holes_free(&h);
}

/* numbers that begin again, and jump again, join the holes that were there */
static void test_join(void **state)
{
	struct holes h = { 0 };

	(void)state;
	SEE(&h, 1, 5, 10);
	check_hole(&h, 0, 2, 4);
	check_hole(&h, 1, 6, 9);
	SEE(&h, 1, 12);
	check_hole(&h, 0, 2, 11);
	assert_int_equal(h.count, 1);
	assert_int_equal(h.missing, 10);
	holes_free(&h);
}

static void shuffle(uint32_t *numbers, size_t count, uint64_t *seed)
{
	for (size_t i = count - 1; i > 0; i--) {
		size_t k = chance(seed) % (i + 1);
		uint32_t n = numbers[i];

		numbers[i] = numbers[k];
		numbers[k] = n;
	}
}

/* The holes are exactly the runs of unseen numbers between least and most. */
static void check_set(const struct holes *h, const bool *seen, uint32_t least,
		      uint32_t most)
{
	uint64_t missing = 0;
	size_t runs = 0;

	for (uint32_t n = least + 1; n < most; n++) {
		if (seen[n])
			continue;
		missing++;
		if (seen[n - 1]) {
			assert_true(runs < h->count);
			assert_int_equal(h->list[runs].first, n);
		}
		if (seen[n + 1])
			assert_int_equal(h->list[runs++].last, n);
	}
	assert_int_equal(h->count, runs);
	assert_int_equal(h->missing, missing);
	assert_int_equal(h->more, 0);
}

/* numbers in any order, some never: the set model agrees after each */
static void test_random(void **state)
{
	enum { COUNT = 300 };
	uint64_t seed = 19;

	(void)state;
	for (int round = 0; round < 100; round++) {
		uint32_t numbers[COUNT], least = COUNT, most = 0;
		bool seen[COUNT + 2] = { false };
		struct holes h = { 0 };

		for (uint32_t i = 0; i < COUNT; i++)
			numbers[i] = i;
		shuffle(numbers, COUNT, &seed);
		for (uint32_t i = 0; i < COUNT - COUNT / 4; i++) {
			holes_see(&h, numbers[i]);
			seen[numbers[i]] = true;
			least = numbers[i] < least ? numbers[i] : least;
			most = numbers[i] > most ? numbers[i] : most;
			check_set(&h, seen, least, most);
		}
		holes_free(&h);
	}
}

/* the first shown need not be the lowest, and nothing is missing then */
static void test_early(void **state)
{
	struct holes h = { 0 };

	(void)state;
	SEE(&h, 2, 3, 1, 4, 5);
	assert_int_equal(h.missing, 0);
	/* a second run begins in the same way */
	SEE(&h, 2, 3, 1, 4, 5);
	assert_int_equal(h.missing, 0);
	holes_free(&h);
	SEE(&h, 1, 0, UINT32_MAX, 2, UINT32_MAX - 2);
	check_hole(&h, 0, UINT32_MAX - 1, UINT32_MAX - 1);
	assert_int_equal(h.missing, 1);
	holes_free(&h);
}

/* a number far below the first is one of a new count */
static void test_new_count(void **state)
{
	struct holes h = { 0 };

	(void)state;
	SEE(&h, HOLES_EARLY + 2, 1, 2, 3);
	assert_int_equal(h.missing, 0);
	SEE(&h, 5);
	check_hole(&h, 0, 4, 4);
	assert_int_equal(h.missing, 1);
	holes_free(&h);
}

/* after the largest number comes 0, and nothing is missing between them */
static void test_wrap(void **state)
{
	struct holes h = { 0 };

	(void)state;
	SEE(&h, UINT32_MAX - 1, UINT32_MAX, 0, 1);
	assert_int_equal(h.missing, 0);
	SEE(&h, 3);
	check_hole(&h, 0, 2, 2);
	holes_free(&h);
}

/* one number that is late where they wrap is not four thousand millions */
static void test_late_at_wrap(void **state)
{
	struct holes h = { 0 };

	(void)state;
	SEE(&h, UINT32_MAX - 1, 0, UINT32_MAX, 1);
	assert_int_equal(h.missing, 0);
	assert_int_equal(h.count, 0);
	holes_free(&h);
}

/* a hole of half of all numbers is counted right */
static void test_huge(void **state)
{
	struct holes h = { 0 };

	(void)state;
	SEE(&h, 0, INT32_MAX);
	check_hole(&h, 0, 1, INT32_MAX - 1);
	assert_int_equal(h.missing, INT32_MAX - 1);
	SEE(&h, 0x40000000);
	assert_int_equal(h.count, 2);
	assert_int_equal(h.missing, INT32_MAX - 2);
	holes_free(&h);
}

/* beyond the bound holes are counted and no longer listed */
static void test_bound(void **state)
{
	struct holes h = { 0 };

	(void)state;
	for (uint32_t i = 0; i <= HOLES_MAX + 10; i++)
		holes_see(&h, 10 * i);
	assert_int_equal(h.count, HOLES_MAX);
	assert_int_equal(h.more, 10);
	assert_int_equal(h.missing, 9 * (HOLES_MAX + 10));
	/* a split has no place for its upper part, which stays missing */
	holes_see(&h, 5);
	assert_int_equal(h.count, HOLES_MAX);
	assert_int_equal(h.more, 11);
	assert_int_equal(h.missing, 9 * (HOLES_MAX + 10) - 1);
	check_hole(&h, 0, 1, 4);
	check_hole(&h, 1, 11, 19);
	holes_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_row),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_early),
		cmocka_unit_test(test_new_count),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_late_at_wrap),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
