/* SPDX-License-Identifier: GPL-2.0-only */
/* A run as slices: nothing gets lost when slices become longer. */
#include "compare/slices.h"
#include "make.h"

static uint64_t count_all(const struct compare_slices *s)
{
	uint64_t count = 0;

	for (unsigned int op = 0; op < IO_OPS; op++)
		for (unsigned int i = 0; s->of[op] && i < s->limit; i++)
			count += s->of[op][i].count;
	return count;
}

static uint64_t add_times(const struct compare_slices *s)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < compare_slices_used(s); i++)
		ns += compare_slices_ns(s, i);
	return ns;
}

/* a second, an io each 10 us: slices are equal, and each has its numbers */
static void test_long(void **state)
{
	enum { COUNT = 100000 };
	const uint64_t start = 5000000000;
	struct compare_slices s;
	unsigned int used;

	(void)state;
	compare_slices_init(&s, false);
	for (uint64_t i = 0; i < COUNT; i++)
		assert_int_equal(compare_slices_add(&s, i % 2, start +
						    i * 10000, i), 0);
	used = compare_slices_used(&s);
	assert_in_range(used, COMPARE_SLICES / 2 + 1, COMPARE_SLICES);
	assert_int_equal(count_all(&s), COUNT);
	assert_int_equal(compare_slices_length(&s), 99999 * 10000 + 1);
	assert_int_equal(add_times(&s), compare_slices_length(&s));
	for (unsigned int i = 0; i + 1 < used; i++) {
		uint64_t numbers = s.of[0][i].count + s.of[1][i].count;

		assert_in_range(numbers, compare_slices_ns(&s, i) / 10000,
				compare_slices_ns(&s, i) / 10000 + 1);
	}
	/* the numbers are in the order of time, and so are the slices */
	assert_true(s.of[0][0].max < s.of[0][1].min);
	compare_slices_free(&s);
}

/* a time from the other end of the world, and one before the first */
static void test_far(void **state)
{
	struct compare_slices s;

	(void)state;
	compare_slices_init(&s, false);
	assert_int_equal(compare_slices_used(&s), 0);
	assert_int_equal(compare_slices_length(&s), 0);
	assert_int_equal(compare_slices_add(&s, IO_READ, 1000, 7), 0);
	assert_int_equal(compare_slices_length(&s), 1);
	assert_int_equal(compare_slices_add(&s, IO_READ, UINT64_MAX, 8), 0);
	assert_int_equal(compare_slices_add(&s, IO_READ, 10, 9), 0);
	assert_int_equal(compare_slices_used(&s), COMPARE_SLICES);
	assert_int_equal(s.of[IO_READ][0].count, 2);
	assert_int_equal(s.of[IO_READ][COMPARE_SLICES - 1].count, 1);
	assert_int_equal(add_times(&s), compare_slices_length(&s));
	compare_slices_free(&s);
}

static void test_whole(void **state)
{
	struct compare_slices s;

	(void)state;
	compare_slices_init(&s, true);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(compare_slices_add(&s, IO_WRITE, i << 40, i),
				 0);
	assert_int_equal(compare_slices_used(&s), 1);
	assert_int_equal(s.of[IO_WRITE][0].count, 1000);
	assert_int_equal(add_times(&s), ((uint64_t)999 << 40) + 1);
	compare_slices_free(&s);
}

/* an hour in histograms of 1 s: slices are 4 s */
static void test_histograms(void **state)
{
	const uint64_t second = 1000000000, start = 77 * second + 5;
	struct histogram h = { 0 };
	struct compare_slices s;

	(void)state;
	compare_slices_init(&s, false);
	assert_int_equal(histogram_add(&h, 100), 0);
	assert_int_equal(histogram_add(&h, 900), 0);
	for (unsigned int i = 0; i < 3600; i++)
		assert_int_equal(compare_slices_add_all(&s, IO_READ, start +
			i * second, start + (i + 1) * second, &h), 0);
	assert_int_equal(compare_slices_used(&s), 900);
	assert_int_equal(compare_slices_length(&s), 3600 * second);
	for (unsigned int i = 0; i < 900; i++) {
		assert_int_equal(compare_slices_ns(&s, i), 4 * second);
		assert_int_equal(s.of[IO_READ][i].count, 8);
	}
	histogram_free(&h);
	compare_slices_free(&s);
}

/* each slice has tiny and huge numbers: memory stays within its bound */
static void test_memory(void **state)
{
	struct compare_slices s;

	(void)state;
	compare_slices_init(&s, false);
	for (uint64_t i = 0; i < COMPARE_SLICES; i++) {
		for (unsigned int op = 0; op < IO_OPS; op++) {
			uint64_t when = i << 13;

			assert_int_equal(compare_slices_add(&s, op, when, 0),
					 0);
			assert_int_equal(compare_slices_add(&s, op, when,
							    UINT64_MAX), 0);
			assert_true(s.cells <= COMPARE_SLICES_CELLS +
				    HISTOGRAM_CELLS || compare_slices_used(&s) <
				    2 * COMPARE_SLICES_LEAST);
		}
	}
	assert_in_range(compare_slices_used(&s), COMPARE_SLICES_LEAST,
			COMPARE_SLICES / 2);
	assert_int_equal(count_all(&s), COMPARE_SLICES * IO_OPS * 2);
	compare_slices_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_histograms),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
