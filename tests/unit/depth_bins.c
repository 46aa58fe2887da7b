/* SPDX-License-Identifier: GPL-2.0-only */
/* How many are under way in bins: what counting every ns gives. */
#include "make.h"
#include "stat/depth_bins.h"

enum { BINS = 8, WIDTH = 16, TIME = 2000 };

struct span {
	uint64_t from, to;
};

static int by_end(const void *a, const void *b)
{
	uint64_t one = ((const struct span *)a)->to;
	uint64_t other = ((const struct span *)b)->to;

	return (one > other) - (one < other);
}

static void check(const struct depth_bins *d, const uint32_t *depth,
		  uint64_t end)
{
	for (uint64_t from = 0; from < BINS * d->width; from += d->width) {
		struct depth_bin b, own = { .length = 0 };

		for (uint64_t t = from; t < from + d->width && t < end; t++) {
			wide_add(&own.integral, depth[t]);
			if (!own.length || depth[t] < own.least)
				own.least = depth[t];
			if (depth[t] > own.most)
				own.most = depth[t];
			own.length++;
		}
		depth_bins_sum(d, from, from + d->width, &b);
		assert_true(wide_same(b.integral, own.integral));
		assert_int_equal(b.length, own.length);
		assert_int_equal(b.least, own.least);
		assert_int_equal(b.most, own.most);
	}
}

static void test_every_ns(void **state)
{
	enum { COUNT = 60 };
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 200; round++) {
		static uint32_t depth[TIME];
		struct span all[COUNT];
		uint64_t end = 100 + chance(&seed) % (TIME - 100);
		struct depth_bins d;

		memset(depth, 0, sizeof(depth));
		for (int i = 0; i < COUNT; i++) {
			all[i].from = chance(&seed) % end;
			all[i].to = all[i].from + chance(&seed) % 300;
			for (uint64_t t = all[i].from;
			     t < all[i].to && t < TIME; t++)
				depth[t]++;
		}
		qsort(all, COUNT, sizeof(*all), by_end);
		assert_int_equal(depth_bins_init(&d, 0, WIDTH, BINS), 0);
		for (int i = 0; i < COUNT; i++)
			assert_int_equal(depth_bins_add(&d, all[i].from,
							all[i].to), 0);
		depth_bins_end(&d, end);
		check(&d, depth, end);
		depth_bins_free(&d);
	}
}

/* One that began before all that were held, and one that never ends. */
static void test_late(void **state)
{
	const uint64_t count = DEPTH_BINS_HELD;
	struct depth_bins d;
	struct depth_bin b;

	(void)state;
	assert_int_equal(depth_bins_init(&d, 0, 1024, 256), 0);
	for (uint64_t i = 0; i < count; i++)
		assert_int_equal(depth_bins_add(&d, 2 * i, 2 * i + 1), 0);
	assert_int_equal(depth_bins_add(&d, 1, 2 * count + 10), 0);
	assert_int_equal(depth_bins_add(&d, 100 * 1024, UINT64_MAX), 0);
	depth_bins_end(&d, 2 * count);
	depth_bins_sum(&d, 1024, 2048, &b);
	assert_true(wide_same(b.integral, wide_of(512 + 1024)) &&
		    b.least == 1 && b.most == 2);
	depth_bins_sum(&d, 110 * 1024, 111 * 1024, &b);
	assert_true(wide_same(b.integral, wide_of(512 + 2048)) &&
		    b.least == 2 && b.most == 3);
	depth_bins_sum(&d, 0, 1024, &b);
	assert_true(wide_same(b.integral, wide_of(512 + 1023)) && b.most == 2);
	depth_bins_free(&d);
}

static void test_nothing(void **state)
{
	struct depth_bins d;
	struct depth_bin b;

	(void)state;
	assert_int_equal(depth_bins_init(&d, 50, WIDTH, BINS), 0);
	/* before the first bin, and without any length */
	assert_int_equal(depth_bins_add(&d, 10, 50), 0);
	assert_int_equal(depth_bins_add(&d, 60, 60), 0);
	depth_bins_end(&d, 70);
	depth_bins_sum(&d, 0, UINT64_MAX, &b);
	assert_true(b.length == 20 && wide_is_zero(b.integral) && !b.most);
	depth_bins_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_ns),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
