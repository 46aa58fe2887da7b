/* SPDX-License-Identifier: GPL-2.0-only */
/* The work of both sides: shares, depth, and what other work does to a mean. */
#include <math.h>

#include "base/histogram.h"
#include "compare/work.h"
#include "make.h"

static const uint64_t SECONDS[COMPARE_SIDES] = { 2000000000, 4000000000 };

static void add(struct compare_works *w, enum compare_side side,
		unsigned int times, enum io_op op, uint64_t bytes,
		uint64_t total)
{
	struct io io = {
		.id = 1, .rq = 1, .op = op, .bytes = bytes, .total = total,
		.issued = 1000, .served = 1000 + total / 2,
		.has = 1U << IO_Q2G | 1U << IO_D2C,
	};

	io.phase[IO_Q2G] = io.phase[IO_D2C] = total / 2;
	while (times--)
		compare_works_add(w, side, &io, total);
}

static void assert_near(double got, double want)
{
	if (fabs(got - want) > 1e-9 * fmax(1, fabs(want)))
		fail_msg("%.9g, not %.9g", got, want);
}

/* the same work, twice as slow, at half the rate */
static void test_speed(void **state)
{
	struct compare_works *w = compare_works_new();
	struct compare_work sum;

	(void)state;
	add(w, COMPARE_A, 100, IO_READ, 4096, 1000000);
	add(w, COMPARE_B, 100, IO_READ, 4096, 2000000);
	compare_works_sum(w, SECONDS, &sum);
	assert_near(sum.other, 0);
	assert_false(sum.other_work);
	assert_near(sum.rate[COMPARE_A], 50);
	assert_near(sum.rate[COMPARE_B], 25);
	assert_true(sum.other_rate);
	/* half of each at the device: 100 x 0.5 ms in 2 s, 100 x 1 ms in 4 */
	assert_near(sum.depth[COMPARE_A], 0.025);
	assert_near(sum.depth[COMPARE_B], 0.025);
	assert_false(sum.other_depth);
	assert_near(sum.by_work, 0);
	assert_near(sum.by_speed, 1000000);
	assert_near(sum.total.mean[COMPARE_B], 2000000);
	assert_near(sum.phase[IO_D2C].mean[COMPARE_B], 1000000);
	assert_int_equal(sum.phase[IO_Q2G].count[COMPARE_A], 100);
	assert_int_equal(sum.phase[IO_I2D].count[COMPARE_A], 0);
	compare_works_free(w);
}

/* a class that only one side has: the change is all by work */
static void test_mix(void **state)
{
	struct compare_works *w = compare_works_new();
	struct compare_work sum;

	(void)state;
	add(w, COMPARE_A, 100, IO_READ, 4096, 1000000);
	add(w, COMPARE_B, 50, IO_READ, 4096, 1000000);
	add(w, COMPARE_B, 50, IO_READ, 4097, 9000000);
	compare_works_sum(w, SECONDS, &sum);
	assert_near(sum.other, 0.5);
	assert_true(sum.other_work);
	assert_near(sum.mean[COMPARE_B], 5000000);
	assert_near(sum.by_work, 4000000);
	assert_near(sum.by_speed, 0);
	compare_works_free(w);
}

/* the same the other way round */
static void test_less(void **state)
{
	struct compare_works *w = compare_works_new();
	struct compare_work sum;

	(void)state;
	add(w, COMPARE_A, 50, IO_READ, 4096, 1000000);
	add(w, COMPARE_A, 50, IO_WRITE, 4096, 9000000);
	add(w, COMPARE_B, 100, IO_READ, 4096, 1000000);
	compare_works_sum(w, SECONDS, &sum);
	assert_near(sum.other, 0.5);
	assert_near(sum.by_work, -4000000);
	assert_near(sum.by_speed, 0);
	compare_works_free(w);
}

/* the two parts are the change, whatever is mixed */
static void test_parts(void **state)
{
	struct compare_works *w = compare_works_new();
	struct compare_work sum;

	(void)state;
	for (unsigned int i = 0; i < 40; i++) {
		add(w, COMPARE_A, i * 7 % 11, i % 3, 512U << i % 9,
		    1000 * (1 + i * 31 % 17));
		add(w, COMPARE_B, i * 5 % 13, i % 4, 512U << i % 7,
		    1000 * (1 + i * 29 % 19));
	}
	compare_works_sum(w, SECONDS, &sum);
	assert_true(fabs(sum.by_work) > 1 && fabs(sum.by_speed) > 1);
	assert_near(sum.by_work + sum.by_speed,
		    sum.mean[COMPARE_B] - sum.mean[COMPARE_A]);
	compare_works_free(w);
}

/* beside what was saved sizes and depths do not matter */
static void test_bare(void **state)
{
	struct compare_works *w = compare_works_new();
	struct histogram h = { 0 };
	struct compare_work sum;

	(void)state;
	add(w, COMPARE_A, 100, IO_READ, 4096, 1000000);
	add(w, COMPARE_A, 100, IO_WRITE, 8192, 3000000);
	assert_int_equal(histogram_add_times(&h, 2000000, 100), 0);
	compare_works_add_all(w, COMPARE_B, IO_READ, &h);
	compare_works_add_all(w, COMPARE_B, IO_WRITE, &h);
	compare_works_sum(w, SECONDS, &sum);
	assert_near(sum.other, 0);
	assert_false(sum.other_work || sum.other_depth);
	assert_near(sum.mean[COMPARE_B], 2000000);
	assert_near(sum.by_speed, 0);
	histogram_free(&h);
	compare_works_free(w);
}

/* sizes at the edges, a side without ios, and no time at all */
static void test_edges(void **state)
{
	static const uint64_t none[COMPARE_SIDES] = { 0, 0 };
	struct compare_works *w = compare_works_new();
	struct compare_work sum;

	(void)state;
	add(w, COMPARE_A, 1, IO_FLUSH_OP, 0, 5);
	add(w, COMPARE_A, 1, IO_WRITE, 1, 5);
	add(w, COMPARE_A, 1, IO_WRITE, UINT64_MAX, UINT64_MAX);
	add(w, COMPARE_A, 1, IO_WRITE, UINT64_MAX, UINT64_MAX);
	compare_works_sum(w, none, &sum);
	assert_near(sum.rate[COMPARE_A], 0);
	assert_near(sum.depth[COMPARE_A], 0);
	assert_near(sum.other, 0.5);
	assert_near(sum.mean[COMPARE_A], 0x1p65 / 3);
	assert_near(sum.mean[COMPARE_B], 0);
	compare_works_free(w);
}

/* flushes are work of their kind, but in no total (T15) */
static void test_flushes(void **state)
{
	struct compare_works *w = compare_works_new();
	struct compare_work sum;

	(void)state;
	add(w, COMPARE_A, 100, IO_WRITE, 4096, 1000);
	add(w, COMPARE_B, 100, IO_WRITE, 4096, 1000);
	add(w, COMPARE_B, 300, IO_FLUSH_OP, 0, 9000000);
	compare_works_sum(w, SECONDS, &sum);
	assert_int_equal(sum.count[COMPARE_B], 100);
	assert_near(sum.rate[COMPARE_B], 25);
	assert_near(sum.mean[COMPARE_B], 1000);
	assert_near(sum.by_work, 0);
	assert_near(sum.other, 0.75);
	compare_works_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_speed),
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_less),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_bare),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_flushes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
