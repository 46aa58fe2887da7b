/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples of units are what a plain count of their numbers gives. */
#include <math.h>

#include "base/random.h"
#include "compare/lag.h"
#include "compare/slices.h"
#include "compare/units.h"
#include "make.h"

enum { NUMBERS = 6000, LENGTH = 1 << 20 };

/* numbers with their times, of which a run is made */
struct made {
	uint64_t when[NUMBERS], value[NUMBERS];
	struct compare_slices run;
};

static const struct compare_rows ROWS = {
	5, { 0, 0, 50000, 90000, 99000 }
};

static void make_run(struct made *m, uint64_t seed)
{
	struct random r;

	random_init(&r, seed);
	compare_slices_init(&m->run, false);
	for (unsigned int i = 0; i < NUMBERS; i++) {
		/* the first and the last say how long the run is */
		m->when[i] = i ? (uint64_t)random_below(&r, LENGTH) : 0;
		m->when[i] = i == 1 ? LENGTH - 1 : m->when[i];
		m->value[i] = random_below(&r, 1U << (4 + i % 20));
		assert_int_equal(compare_slices_add(&m->run, IO_READ,
						    m->when[i], m->value[i]),
				 0);
	}
}

static void make_pair(struct made *a, struct made *b, unsigned int slices,
		      struct compare_units *u)
{
	struct compare_units_source source = {
		.number = { 1, 1 }, .slices = slices, .ops = 1U << IO_READ,
	};

	make_run(a, 1);
	make_run(b, 2);
	source.runs[COMPARE_A] = &a->run;
	source.runs[COMPARE_B] = &b->run;
	assert_int_equal(compare_units_make(u, &source), 0);
}

/* Numbers in a slice of slices, as the halves of a run's length are. */
static unsigned int collect(const struct made *m, unsigned int slice,
			    unsigned int slices, uint64_t *into)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < NUMBERS; i++)
		if (m->when[i] * slices / LENGTH == slice)
			into[count++] = m->value[i];
	return count;
}

static int ascending(const void *one, const void *other)
{
	uint64_t x = *(const uint64_t *)one, y = *(const uint64_t *)other;

	return (x > y) - (x < y);
}

static void assert_near(double got, double want, double off)
{
	if (fabs(got - want) > off)
		fail_msg("%.6f, not %.6f", got, want);
}

static void check_sample(const struct compare_sample *s, uint64_t *numbers,
			 unsigned int count, double ns)
{
	double sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += (double)numbers[i];
	qsort(numbers, count, sizeof(*numbers), ascending);
	assert_near(s->value[COMPARE_MEAN], log(sum / count), 1e-9);
	assert_near(s->value[COMPARE_RATE], log(count / ns * 1e9), 1e-9);
	for (unsigned int i = COMPARE_PERCENTILE; i < ROWS.count; i++) {
		uint64_t rank = (count * (uint64_t)ROWS.percentile[i] + 99999) /
				100000;
		double want = (double)numbers[rank - 1];

		assert_near(s->value[i], log(want ? want : 0.5), 0.004);
	}
	assert_int_equal(s->absent, 0);
}

/* the third of A's slices, twice, and the last of B's */
static void test_sample(void **state)
{
	struct made *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));
	uint64_t *numbers = malloc(3 * NUMBERS * sizeof(*numbers));
	const uint16_t list[] = { 2, 31, 2 };
	struct compare_sample s;
	struct compare_units u;
	unsigned int count;

	(void)state;
	make_pair(a, b, 16, &u);
	assert_int_equal(u.all, 32);
	compare_units_sample(&u, &ROWS, list, 3, &s);
	count = collect(a, 2, 16, numbers);
	count += collect(b, 15, 16, numbers + count);
	count += collect(a, 2, 16, numbers + count);
	check_sample(&s, numbers, count, 3.0 * LENGTH / 16);
	compare_units_free(&u);
	compare_slices_free(&a->run);
	compare_slices_free(&b->run);
	free(numbers);
	free(a);
	free(b);
}

/* half as many slices are what is made of the run at once */
static void test_halve(void **state)
{
	struct made *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));
	struct compare_units fine, coarse;

	(void)state;
	make_pair(a, b, 32, &fine);
	compare_slices_free(&a->run);
	compare_slices_free(&b->run);
	make_pair(a, b, 16, &coarse);
	compare_units_halve(&fine);
	assert_int_equal(fine.all, coarse.all);
	assert_int_equal(fine.cells, coarse.cells);
	assert_memory_equal(fine.upto, coarse.upto, (size_t)fine.cells *
			    fine.all * sizeof(*fine.upto));
	for (unsigned int i = 0; i < fine.all; i++) {
		assert_int_equal(fine.count[i], coarse.count[i]);
		assert_near(fine.sum[i], coarse.sum[i], 1e-6);
		assert_near(fine.ns[i], coarse.ns[i], 1e-6);
	}
	compare_units_free(&fine);
	compare_units_free(&coarse);
	compare_slices_free(&a->run);
	compare_slices_free(&b->run);
	free(a);
	free(b);
}

/* units without numbers show nothing, and zeros have no mean's logarithm */
static void test_nothing(void **state)
{
	struct compare_slices runs[2][2];
	struct compare_units_source source = {
		.runs = { runs[0], runs[1] }, .number = { 2, 2 },
		.ops = 1U << IO_WRITE,
	};
	const uint16_t empty[] = { 1 }, zeros[] = { 0 };
	struct compare_sample s;
	struct compare_units u;

	(void)state;
	for (unsigned int i = 0; i < 4; i++)
		compare_slices_init(&runs[i / 2][i % 2], true);
	assert_int_equal(compare_slices_add(&runs[0][0], IO_WRITE, 1, 0), 0);
	assert_int_equal(compare_slices_add(&runs[0][0], IO_WRITE, 9, 0), 0);
	assert_int_equal(compare_units_make(&u, &source), 0);
	compare_units_sample(&u, &ROWS, empty, 1, &s);
	assert_int_equal(s.absent, 31);
	compare_units_sample(&u, &ROWS, zeros, 1, &s);
	assert_int_equal(s.absent, 1U << COMPARE_MEAN);
	assert_near(s.value[COMPARE_RATE], log(2 / 9e-9), 1e-9);
	assert_near(s.value[COMPARE_PERCENTILE], log(0.5), 1e-9);
	compare_units_free(&u);
	for (unsigned int i = 0; i < 4; i++)
		compare_slices_free(&runs[i / 2][i % 2]);
}

/* --- neighbours ---------------------------------------------------------- */

enum { SLICES = 128, EACH = 50 };

/* a run in which every so many slices all takes twice as long, by turns */
static void make_steps(struct compare_slices *run, unsigned int slices)
{
	compare_slices_init(run, false);
	for (unsigned int i = 0; i < SLICES * EACH; i++) {
		uint64_t when = ((uint64_t)i << 20) / EACH;
		bool slow = i / EACH / slices % 2;

		assert_int_equal(compare_slices_add(run, IO_READ, when,
						    (100 + i % 7) << slow), 0);
	}
}

static bool settles(unsigned int slices, unsigned int *left)
{
	struct compare_slices run;
	struct compare_units_source source = {
		.runs = { &run, &run }, .number = { 1, 1 },
		.slices = SLICES, .ops = 1U << IO_READ,
	};
	double correlation[COMPARE_ROWS];
	struct compare_units u;
	bool settled;

	make_steps(&run, slices);
	assert_int_equal(compare_units_make(&u, &source), 0);
	settled = compare_lag_settle(&u, &ROWS, correlation);
	*left = u.side[COMPARE_A];
	assert_int_equal(u.side[COMPARE_B], *left);
	if (settled)
		assert_true(compare_lag_largest(&ROWS, correlation) <=
			    0.5 + 0.5 / sqrt(2 * *left));
	compare_units_free(&u);
	compare_slices_free(&run);
	return settled;
}

/* what is alike for long leaves few slices, what always is leaves none */
static void test_lag(void **state)
{
	unsigned int left;

	(void)state;
	assert_true(settles(1, &left));
	assert_int_equal(left, 128);
	assert_true(settles(8, &left));
	assert_int_equal(left, 32);
	assert_false(settles(64, &left));
	assert_int_equal(left, 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_halve),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_lag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
