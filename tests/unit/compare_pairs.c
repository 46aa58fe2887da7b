/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pairs of recordings of one process, which do not differ: what a comparison
 * says of them.  bench/compare has more of both.
 */
#include "bench/process.h"
#include "compare/compare.h"
#include "make.h"

static struct compare *begin(void)
{
	struct compare_options o = { .runs = { 1, 1 } };
	struct compare *c;

	assert_int_equal(compare_new(&c, &o), 0);
	return c;
}

static const struct compare_result *end(struct compare *c)
{
	const struct compare_result *r;

	assert_int_equal(compare_end(c, &r), 0);
	return r;
}

/* a made recording of that process, some seconds long, as a run */
static void record_run(struct compare *c, enum compare_side side,
		       unsigned int run, const char *process, struct random *r,
		       double seconds, double scale)
{
	const struct process *p = PROCESSES;
	struct process_run x;

	while (strcmp(p->name, process))
		p++;
	process_record(&x, p, r, seconds, scale);
	assert_true(x.count > 0);
	for (unsigned int i = 0; i < x.count; i++) {
		uint64_t span = (uint64_t)x.ios[i].span;
		struct io io = {
			.op = IO_READ, .bytes = 4096, .total = span,
			.time = (uint64_t)((x.ios[i].end + 1000) * 1e9) - span,
			.issued = IO_NONE, .served = IO_NONE,
		};

		assert_int_equal(compare_io(c, side, run, &io, span), 0);
	}
	free(x.ios);
}

static void record(struct compare *c, enum compare_side side,
		   const char *process, struct random *r)
{
	record_run(c, side, 0, process, r, 20, 1);
}

/*
 * Several runs a side, whose ios take longer or shorter by the deviation
 * spread; B's also scale times as long.
 */
static struct compare *record_runs(unsigned int runs, double spread,
				   double scale, struct random *r)
{
	struct compare_options o = { .runs = { runs, runs } };
	struct compare *c;

	assert_int_equal(compare_new(&c, &o), 0);
	for (unsigned int i = 0; i < 2 * runs; i++)
		record_run(c, i < runs ? COMPARE_A : COMPARE_B, i % runs,
			   "independent", r, 0.5, (i < runs ? 1 : scale) *
			   exp(spread * process_normal(r)));
	return c;
}

static bool is_told(const struct compare_row *r)
{
	return r->verdict == COMPARE_SLOWER || r->verdict == COMPARE_FASTER;
}

struct sums {
	unsigned int pairs, alarms, cannot, intervals, held;
};

static void count(struct sums *s, const struct compare_result *r)
{
	const struct compare_table *t = &r->table[0];
	bool alarm = false;

	s->pairs++;
	s->cannot += t->state == COMPARE_DRIFTS;
	for (unsigned int i = 0; i < t->rows; i++) {
		alarm |= is_told(&t->row[i]);
		s->intervals += t->row[i].interval;
		s->held += t->row[i].interval && t->row[i].low <= 0 &&
			   t->row[i].high >= 0;
	}
	s->alarms += alarm;
}

static void compare_pairs(struct sums *s, const char *process,
			  unsigned int pairs)
{
	struct random r;

	random_init(&r, 777);
	for (unsigned int i = 0; i < pairs; i++) {
		struct compare *c = begin();

		record(c, COMPARE_A, process, &r);
		record(c, COMPARE_B, process, &r);
		count(s, end(c));
		compare_free(c);
	}
}

/*
 * What does not differ is hardly ever said to differ: of 40 tables 2 may be by
 * chance, and 8 or more are once in a thousand times.
 */
static void test_honest(void **state)
{
	struct sums s = { 0 };

	(void)state;
	compare_pairs(&s, "waves-50ms", 20);
	compare_pairs(&s, "queue", 20);
	assert_int_equal(s.pairs, 40);
	assert_true(s.alarms <= 7);
	assert_true(s.cannot <= 2);
	assert_true(s.intervals >= 6 * 38);
	assert_true(s.held >= s.intervals * 90 / 100);
}

/* what drifts is never judged, and has no intervals */
static void test_drift(void **state)
{
	struct sums s = { 0 };

	(void)state;
	compare_pairs(&s, "drift", 5);
	assert_int_equal(s.cannot, 5);
	assert_int_equal(s.alarms, 0);
	assert_int_equal(s.intervals, 0);
}

/* all ios 4.5 times as long: each percentile of each table differs (T6) */
static void test_shift(void **state)
{
	struct random r;

	(void)state;
	random_init(&r, 5);
	for (unsigned int i = 0; i < 20; i++) {
		struct compare *c = record_runs(4, 0.05, 4.5, &r);
		const struct compare_table *t = &end(c)->table[0];

		for (unsigned int row = 0; row < t->rows; row++)
			if (row != COMPARE_RATE)
				assert_int_equal(t->row[row].verdict,
						 COMPARE_SLOWER);
		compare_free(c);
	}
}

static int ascending(const void *one, const void *other)
{
	double x = *(const double *)one, y = *(const double *)other;

	return (x > y) - (x < y);
}

enum { POWER_PAIRS = 100 };

/* what tables of runs that do not differ say they detect, at the median */
static double power_of(unsigned int runs, double *needs, struct random *r)
{
	double detects[POWER_PAIRS], units[POWER_PAIRS];

	for (unsigned int i = 0; i < POWER_PAIRS; i++) {
		struct compare *c = record_runs(runs, 0.1, 1, r);
		const struct compare_power *p = &end(c)->table[0].power;

		assert_true(p->known);
		detects[i] = p->detects;
		units[i] = p->needs;
		compare_free(c);
	}
	qsort(detects, POWER_PAIRS, sizeof(*detects), ascending);
	qsort(units, POWER_PAIRS, sizeof(*units), ascending);
	*needs = units[POWER_PAIRS / 2];
	return detects[POWER_PAIRS / 2];
}

static unsigned int told_of(unsigned int runs, double change, struct random *r)
{
	unsigned int told = 0;

	for (unsigned int i = 0; i < POWER_PAIRS; i++) {
		struct compare *c = record_runs(runs, 0.1, 1 + change, r);

		told += is_told(&end(c)->table[0].row[COMPARE_MEAN]);
		compare_free(c);
	}
	return told;
}

/*
 * What a table says it detects differs in 80 of 100 tables: 92 and 65 are once
 * in a thousand times.  A change of 5 % of runs that differ by 10 % needs, by
 * the book for one row, 2 (0.1 / 0.049)^2 (1.96 + 0.84)^2 = 66 a side; here it
 * is one of six.
 */
static void test_power(void **state)
{
	static const unsigned int runs[] = { 4, 8, 12 };
	struct random r;

	(void)state;
	random_init(&r, 6);
	for (unsigned int i = 0; i < 3; i++) {
		double needs, detects = power_of(runs[i], &needs, &r);
		unsigned int told = told_of(runs[i], detects, &r);

		if (told < 65 || told > 92 || needs < 66 || needs > 130)
			fail_msg("%u runs a side detect %.3f, in fact"
				 " %u times; 5 %% needs %g", runs[i], detects,
				 told, needs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_honest),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_shift),
		cmocka_unit_test(test_power),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
