/* SPDX-License-Identifier: GPL-2.0-only */
/* How often numbers came, in cells: exact sums, and orders within 1/256. */
#include <errno.h>

#include "base/histogram.h"
#include "make.h"

enum { P50 = 50000, P90 = 90000, P99 = 99000, P99_9 = 99900 };

/* a number of any size */
static uint64_t any_number(uint64_t *seed)
{
	uint64_t high = chance(seed), middle = chance(seed);

	return (high << 33 | middle << 2) >> chance(seed) % 64;
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *one = a, *two = b;

	return *one < *two ? -1 : *one > *two;
}

/* the cells are the same, and all that is exact */
static void assert_same(const struct histogram *a, const struct histogram *b)
{
	int at = -1, bt = -1;
	uint64_t an, bn;

	assert_int_equal(a->count, b->count);
	assert_int_equal(a->min, b->min);
	assert_int_equal(a->max, b->max);
	assert_true(wide_same(a->sum, b->sum));
	while (histogram_next(a, &at, &an)) {
		assert_true(histogram_next(b, &bt, &bn));
		assert_int_equal(at, bt);
		assert_int_equal(an, bn);
	}
	assert_false(histogram_next(b, &bt, &bn));
}

static void test_none(void **state)
{
	struct histogram h = { 0 }, other = { 0 };
	int cell = -1;
	uint64_t count;

	(void)state;
	assert_int_equal(histogram_kth(&h, 1), 0);
	assert_int_equal(histogram_merge(&h, &other), 0);
	assert_int_equal(histogram_add_times(&h, 7, 0), 0);
	assert_int_equal(h.count, 0);
	assert_false(histogram_next(&h, &cell, &count));
	histogram_free(&h);
}

/* cells follow each other without a hole, and know their own numbers */
static void test_cells(void **state)
{
	(void)state;
	assert_int_equal(histogram_cell(UINT64_MAX), HISTOGRAM_CELLS - 1);
	assert_true(histogram_cell_high(HISTOGRAM_CELLS - 1) == UINT64_MAX);
	for (unsigned int i = 0; i < HISTOGRAM_CELLS; i++) {
		uint64_t low = histogram_cell_low(i);
		uint64_t high = histogram_cell_high(i);

		assert_int_equal(histogram_cell(low), i);
		assert_int_equal(histogram_cell(high), i);
		assert_true(low == (i ? histogram_cell_high(i - 1) + 1 : 0));
		assert_true(high - low <= low / 128);
		if (i < 256)
			assert_true(low == i && high == i);
	}
}

/* below 256 every number has a cell of its own */
static void test_small(void **state)
{
	struct histogram h = { 0 };

	(void)state;
	for (uint64_t i = 255; i + 1 > 0; i--)
		assert_int_equal(histogram_add(&h, i), 0);
	for (uint64_t k = 1; k <= 256; k++)
		assert_int_equal(histogram_kth(&h, k), k - 1);
	assert_int_equal(h.min, 0);
	assert_int_equal(h.max, 255);
	assert_true(wide_same(h.sum, wide_of(255 * 128)));
	histogram_free(&h);
}

/* whatever the numbers, each is found again at most 1/256 off */
static void test_error(void **state)
{
	enum { COUNT = 20000 };
	uint64_t *all = calloc(COUNT, sizeof(*all));
	struct histogram h = { 0 };
	struct wide sum = { 0, 0 };
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		all[i] = any_number(&seed);
		wide_add(&sum, all[i]);
		assert_int_equal(histogram_add(&h, all[i]), 0);
	}
	qsort(all, COUNT, sizeof(*all), ascending);
	for (int i = 0; i < COUNT; i++) {
		uint64_t got = histogram_kth(&h, (uint64_t)i + 1);
		uint64_t off = got > all[i] ? got - all[i] : all[i] - got;

		assert_true(off <= all[i] / 256);
		assert_true(got >= all[0] && got <= all[COUNT - 1]);
		assert_true(histogram_kth_low(&h, (uint64_t)i + 1) <= all[i]);
		assert_true(histogram_kth_high(&h, (uint64_t)i + 1) >= all[i]);
	}
	assert_true(h.min == all[0] && h.max == all[COUNT - 1]);
	assert_true(wide_same(h.sum, sum));
	histogram_free(&h);
	free(all);
}

/* the ends are exact, and nothing is outside of them */
static void test_ends(void **state)
{
	struct histogram h = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 5; i++)
		histogram_add(&h, 1000003 + i);
	assert_int_equal(histogram_kth(&h, 1), 1000003);
	assert_true(histogram_kth(&h, 3) >= 1000003);
	assert_true(histogram_kth(&h, 3) <= 1000007);
	assert_int_equal(histogram_kth(&h, 5), 1000007);
	histogram_free(&h);
}

/* there is memory for what was met, and no more */
static void test_growth(void **state)
{
	struct histogram h = { 0 };

	(void)state;
	histogram_add(&h, 1 << 20);
	assert_int_equal(h.cells, 128);
	histogram_add(&h, (2 << 20) - 1);
	assert_int_equal(h.cells, 128);
	histogram_add(&h, 1 << 22);
	assert_int_equal(h.cells, 3 * 128);
	histogram_add(&h, 1 << 18);
	assert_int_equal(h.cells, 5 * 128);
	assert_int_equal(histogram_kth(&h, 2), (1 << 20) + (1 << 12) - 1);
	histogram_free(&h);
	assert_int_equal(h.cells, 0);
	assert_int_equal(h.max, 0);
}

/* a cell that counts beyond 32 bits, from below and at once */
static void test_wide(void **state)
{
	struct histogram h = { 0 };

	(void)state;
	histogram_add(&h, 3);
	assert_int_equal(histogram_add_times(&h, 5000, UINT32_MAX), 0);
	assert_null(h.wide);
	assert_int_equal(histogram_add(&h, 5000), 0);
	assert_non_null(h.wide);
	assert_int_equal(histogram_add(&h, 1 << 30), 0);
	assert_int_equal(histogram_add_times(&h, 7, (uint64_t)1 << 40), 0);
	assert_int_equal(h.count, ((uint64_t)1 << 32) + ((uint64_t)1 << 40) + 2);
	assert_int_equal(histogram_kth(&h, 2), 7);
	assert_int_equal(histogram_kth(&h, ((uint64_t)1 << 40) + 1), 7);
	assert_true(histogram_kth(&h, ((uint64_t)1 << 40) + 2) > 4900);
	histogram_free(&h);
}

/* the same of one between the least and the greatest; so has the sum more */
static void test_wide_inner(void **state)
{
	struct histogram h = { 0 };

	(void)state;
	histogram_add(&h, 3);
	histogram_add(&h, UINT64_MAX);
	histogram_add(&h, UINT64_MAX / 2);
	assert_int_equal(histogram_add_times(&h, 5000, UINT32_MAX - 1), 0);
	assert_int_equal(histogram_add(&h, 5000), 0);
	assert_null(h.wide);
	assert_int_equal(histogram_add(&h, 5000), 0);
	assert_non_null(h.wide);
	assert_int_equal(histogram_add(&h, 5000), 0);
	assert_int_equal(h.count, UINT32_MAX + (uint64_t)5);
	assert_int_equal(histogram_kth(&h, 2), histogram_kth(&h, h.count - 2));
	assert_true(h.min == 3 && h.max == UINT64_MAX);
	/* UINT64_MAX, half of that, and what is below 2^63 */
	assert_int_equal(h.sum.high, 1);
	assert_int_equal(h.sum.low, UINT64_MAX / 2 - 1 + 3 +
			 5000 * (UINT32_MAX + (uint64_t)2));
	histogram_free(&h);
}

/* 2^64 numbers are refused, and change nothing */
static void test_too_many(void **state)
{
	struct histogram h = { 0 }, other = { 0 };

	(void)state;
	assert_int_equal(histogram_add_times(&h, UINT64_MAX, UINT64_MAX), 0);
	assert_true(wide_same(h.sum,
			      wide_product(UINT64_MAX, UINT64_MAX)));
	assert_int_equal(histogram_add(&h, 1), -EOVERFLOW);
	histogram_add(&other, 1);
	assert_int_equal(histogram_merge(&h, &other), -EOVERFLOW);
	assert_int_equal(histogram_merge(&other, &h), -EOVERFLOW);
	assert_int_equal(other.count, 1);
	assert_true(h.min == UINT64_MAX && h.count == UINT64_MAX);
	histogram_free(&h);
	histogram_free(&other);
}

/* what has been reserved is there already */
static void test_reserve(void **state)
{
	struct histogram h = { 0 };
	const uint64_t *cells;

	(void)state;
	assert_int_equal(histogram_reserve(&h, 0, UINT64_MAX), 0);
	cells = h.wide;
	histogram_add(&h, 0);
	histogram_add(&h, UINT64_MAX);
	histogram_add_times(&h, 9, (uint64_t)1 << 33);
	assert_ptr_equal(cells, h.wide);
	assert_int_equal(h.cells, HISTOGRAM_CELLS);
	assert_int_equal(h.min, 0);
	assert_int_equal(histogram_kth(&h, 2), 9);
	histogram_free(&h);
}

/* parts merged in any order are the whole */
static void test_merge(void **state)
{
	enum { PARTS = 37, COUNT = 5000 };
	struct histogram parts[PARTS] = { 0 }, whole = { 0 };
	uint64_t seed = 11;

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		uint64_t v = any_number(&seed);

		histogram_add(&whole, v);
		histogram_add(&parts[chance(&seed) % PARTS], v);
	}
	for (uint32_t left = PARTS; left > 1; left--) {
		uint32_t to = chance(&seed) % (left - 1);

		assert_int_equal(histogram_merge(&parts[to], &parts[left - 1]),
				 0);
		histogram_free(&parts[left - 1]);
	}
	assert_same(&parts[0], &whole);
	histogram_free(&parts[0]);
	histogram_free(&whole);
}

/* sums that need 64 bits, and a histogram with itself */
static void test_merge_wide(void **state)
{
	struct histogram a = { 0 }, b = { 0 };

	(void)state;
	histogram_add_times(&a, 6, 3000000000);
	histogram_add_times(&a, 900, 1);
	assert_int_equal(histogram_merge(&a, &a), 0);
	histogram_add_times(&b, 6, 6000000000);
	histogram_add_times(&b, 900, 2);
	assert_same(&a, &b);
	histogram_free(&b);
	assert_int_equal(histogram_merge(&b, &a), 0);
	assert_same(&b, &a);
	histogram_free(&a);
	histogram_free(&b);
}

static void test_rank(void **state)
{
	(void)state;
	assert_int_equal(histogram_rank(0, P50), 0);
	assert_int_equal(histogram_rank(1, P50), 1);
	assert_int_equal(histogram_rank(100, P50), 50);
	assert_int_equal(histogram_rank(101, P50), 51);
	assert_int_equal(histogram_rank(1000, P99_9), 999);
	assert_int_equal(histogram_rank(1001, P99_9), 1000);
	assert_int_equal(histogram_rank(719, P99_9), 719);
	assert_int_equal(histogram_rank(5, 0), 1);
	assert_true(histogram_rank(UINT64_MAX, HISTOGRAM_ALL) == UINT64_MAX);
	assert_true(histogram_rank(UINT64_MAX, P50) == (uint64_t)1 << 63);
}

/* p90 of 9 would be the maximum, of 10 not */
static void test_above(void **state)
{
	(void)state;
	assert_int_equal(histogram_above(9, P90), 0);
	assert_int_equal(histogram_above(10, P90), 1);
	assert_int_equal(histogram_above(1000, P99), 10);
	assert_int_equal(histogram_above(999, P99_9), 0);
	assert_int_equal(histogram_above(5, HISTOGRAM_ALL), 0);
	assert_true(histogram_above(UINT64_MAX, 0) == UINT64_MAX);
}

/* which of its cell's numbers the k-th smallest is; also after merges */
static void test_find(void **state)
{
	struct histogram h = { .count = 0 }, copy = { .count = 0 };
	uint64_t place;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(histogram_add(&h, i / 10), 0);
	assert_int_equal(histogram_add(&h, 1 << 20), 0);
	assert_int_equal(histogram_merge(&copy, &h), 0);
	for (uint64_t k = 1; k <= 1000; k++) {
		assert_int_equal(histogram_find_kth(&copy, k, &place),
				 (k - 1) / 10);
		assert_int_equal(place, (k - 1) % 10 + 1);
	}
	assert_int_equal(histogram_find_kth(&copy, 1001, &place),
			 histogram_cell(1 << 20));
	assert_int_equal(place, 1);

	assert_int_equal(histogram_merge(&copy, &h), 0);
	assert_int_equal(histogram_find_kth(&copy, 40, &place), 1);
	assert_int_equal(place, 20);
	assert_int_equal(histogram_add(&copy, 50), 0);
	assert_int_equal(copy.count, 2003);
	histogram_free(&h);
	histogram_free(&copy);
}

static void test_squares(void **state)
{
	struct histogram h = { .count = 0 };

	(void)state;
	assert_int_equal(histogram_add(&h, 10), 0);
	assert_int_equal(histogram_add_times(&h, 14, 3), 0);
	assert_true(histogram_squares(&h, 12) == 16);
	/* the middle of a cell of 4096 numbers */
	assert_int_equal(histogram_add(&h, 1 << 19), 0);
	assert_true(histogram_squares(&h, (1 << 19) + 2047.5) >
		    4 * (double)(1 << 19) * (1 << 19) &&
		    histogram_cell_low(histogram_cell(1 << 19)) == 1 << 19);
	histogram_free(&h);
	/* as with cells of 64 bits */
	assert_int_equal(histogram_reserve(&h, 0, 100), 0);
	assert_int_equal(histogram_add_times(&h, 14, 3), 0);
	assert_true(histogram_squares(&h, 12) == 12);
	histogram_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_squares),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_wide_inner),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_reserve),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_merge_wide),
		cmocka_unit_test(test_rank),
		cmocka_unit_test(test_above),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
