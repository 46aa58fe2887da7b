/* SPDX-License-Identifier: GPL-2.0-only */
/* What a save file has, as a run of a comparison. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/histogram.h"
#include "compare/comparison.h"
#include "make.h"
#include "request/io.h"
#include "stat/saved.h"
#include "tools/btstat/saved_run.h"

enum { WIDTH = 1000000, SLICES = 300, FROM = 7 * WIDTH };

static struct comparison *new_comparison(void)
{
	struct comparison_options o = {
		.compare = { .runs = { 1, 1 }, .percentiles = { 50000 } },
		.phase = "D2C", .name = { "a", "b" },
	};
	struct comparison *c;

	assert_int_equal(comparison_new(&c, &o), 0);
	return c;
}

static struct saved *new_set(void)
{
	const struct saved_trace t = { "", "sda", FROM + 300,
				       FROM + SLICES * WIDTH - 500, 1, 0, 0,
				       0 };
	struct saved *s;

	assert_int_equal(saved_new(&s), 0);
	assert_int_equal(saved_add_trace(s, &t), 0);
	return s;
}

/* the end of an interval: the last one ends with the trace */
static uint64_t end_of(unsigned int slice)
{
	return FROM + (slice + 1) * WIDTH - (slice == SLICES - 1 ? 500 : 0);
}

/* as many ios as differ from slice to slice, in a set and in a comparison */
static void add(struct saved *s, struct comparison *c, enum io_op op,
		const char *name, unsigned int slice, uint64_t ns)
{
	struct saved_key key = { "", "sda", name, "d2c", FROM + slice * WIDTH };
	struct histogram h = { .count = 0 };

	for (unsigned int i = 0; i < 4 + slice * 7 % 5; i++)
		assert_int_equal(histogram_add(&h, ns + i * slice * 31 % 997),
				 0);
	assert_int_equal(saved_add(s, &key, &h), 0);
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		assert_int_equal(comparison_histogram(c, side, 0, op, key.at,
						      end_of(slice), &h), 0);
	key.phase = "q2c";
	assert_int_equal(saved_add(s, &key, &h), 0);
	histogram_free(&h);
}

static void assert_same(struct comparison *a, struct comparison *b)
{
	struct buf one, two;

	assert_int_equal(buf_init(&one, -1, 1 << 16), 0);
	assert_int_equal(buf_init(&two, -1, 1 << 16), 0);
	assert_int_equal(comparison_end(a), 0);
	assert_int_equal(comparison_end(b), 0);
	comparison_csv(a, &one, true);
	comparison_csv(b, &two, true);
	assert_true(one.len > 100);
	assert_int_equal(one.len, two.len);
	assert_memory_equal(one.data, two.data, one.len);
	buf_free(&one);
	buf_free(&two);
	comparison_free(a);
	comparison_free(b);
}

/* writes begin before reads, which are in each third interval only */
static void test_intervals(void **state)
{
	struct comparison *want = new_comparison(), *got = new_comparison();
	struct comparison *rest = new_comparison();
	struct saved *s = new_set();

	(void)state;
	for (unsigned int i = 0; i < SLICES; i++) {
		if (i % 2 == 0 || i == SLICES - 1)
			add(s, want, IO_WRITE, "write", i, 9000);
		if (i % 3 == 1)
			add(s, want, IO_READ, "read", i, 4000);
	}
	add(s, rest, IO_READ, "zone", 5, 1);
	comparison_free(rest);
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		assert_int_equal(saved_run_add(s, "d2c", got, side, 0), 0);
	assert_int_equal(saved_run_left_out(s, "d2c"), 4);
	assert_int_equal(saved_run_left_out(s, "i2d"), 0);
	assert_same(got, want);
	saved_free(s);
}

/* of no interval: a unit in one piece, from the trace's start to its end */
static void test_whole(void **state)
{
	struct comparison *want = new_comparison(), *got = new_comparison();
	struct saved_key key = { "", "sda", "read", "d2c", SAVED_ALWAYS };
	struct histogram h = { .count = 0 };
	struct saved *s = new_set();

	(void)state;
	assert_int_equal(histogram_add_times(&h, 77, 500), 0);
	assert_int_equal(saved_add(s, &key, &h), 0);
	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		assert_int_equal(saved_run_add(s, "d2c", got, side, 0), 0);
		assert_int_equal(comparison_histogram(want, side, 0, IO_READ,
						      FROM + 300,
						      end_of(SLICES - 1), &h),
				 0);
	}
	assert_same(got, want);
	histogram_free(&h);
	saved_free(s);
}

/* times that files may have, and no trace has */
static void test_hostile(void **state)
{
	static const uint64_t times[] = { 0, 1, UINT64_MAX - 1, SAVED_ALWAYS };
	struct histogram h = { .count = 0 };

	(void)state;
	assert_int_equal(histogram_add_times(&h, UINT64_MAX, 3), 0);
	for (unsigned int n = 1; n <= 4; n++) {
		struct comparison *c = new_comparison();
		struct saved *s;

		assert_int_equal(saved_new(&s), 0);
		for (unsigned int i = 0; i < n; i++) {
			struct saved_key key = { "", "", "read", "d2c",
						 times[i] };

			assert_int_equal(saved_add(s, &key, &h), 0);
		}
		assert_int_equal(saved_run_add(s, "d2c", c, COMPARE_A, 0), 0);
		assert_int_equal(saved_run_add(s, "d2c", c, COMPARE_B, 0), 0);
		assert_int_equal(comparison_end(c), 0);
		assert_int_equal(comparison_gate(c), COMPARISON_UNDECIDED);
		comparison_free(c);
		saved_free(s);
	}
	histogram_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
