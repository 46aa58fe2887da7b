/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison from ios to verdicts; compare_pairs.c is about its honesty. */
#include <errno.h>
#include <math.h>

#include "base/histogram.h"
#include "bench/process.h"
#include "compare/compare.h"
#include "make.h"

static struct compare *begin(unsigned int a, unsigned int b, double least)
{
	struct compare_options o = { .runs = { a, b }, .least = least };
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

static void add(struct compare *c, enum compare_side side, unsigned int run,
		enum io_op op, double end_s, double span)
{
	struct io io = {
		.op = op, .bytes = 4096, .total = (uint64_t)span,
		.time = (uint64_t)((end_s + 1000) * 1e9) - (uint64_t)span,
		.issued = IO_NONE, .served = IO_NONE,
	};

	assert_int_equal(compare_io(c, side, run, &io, io.total), 0);
}

/* a made recording of that process into a run */
static void record(struct compare *c, enum compare_side side, unsigned int run,
		   const char *process, struct random *r, double scale)
{
	const struct process *p = PROCESSES;
	struct process_run x;

	while (strcmp(p->name, process))
		p++;
	process_record(&x, p, r, 20, scale);
	assert_true(x.count > 0);
	for (unsigned int i = 0; i < x.count; i++)
		add(c, side, run, IO_READ, x.ios[i].end, x.ios[i].span);
	free(x.ios);
}

static void compare_slower(struct compare *c)
{
	struct random r;

	random_init(&r, 4);
	record(c, COMPARE_A, 0, "independent", &r, 1);
	record(c, COMPARE_B, 0, "independent", &r, 1.05);
}

/* not by bytes, as there are some between members */
static void check_same_row(const struct compare_row *a,
			   const struct compare_row *b)
{
	assert_int_equal(a->percentile, b->percentile);
	assert_memory_equal(a->value, b->value, sizeof(a->value));
	assert_true(a->change == b->change);
	assert_true(a->low == b->low && a->high == b->high);
	assert_int_equal(a->verdict, b->verdict);
	assert_true(a->p == b->p);
}

static void check_same(const struct compare_result *a,
		       const struct compare_result *b)
{
	assert_int_equal(a->unit, b->unit);
	assert_int_equal(a->tables, b->tables);
	for (unsigned int i = 0; i < a->tables; i++) {
		const struct compare_table *of = &a->table[i];

		assert_int_equal(of->rows, b->table[i].rows);
		for (unsigned int k = 0; k < of->rows; k++)
			check_same_row(&of->row[k], &b->table[i].row[k]);
	}
}

/* 5 % is told when ios are independent; the same ios give the same result */
static void test_told(void **state)
{
	struct compare *c = begin(1, 1, 0.04), *again = begin(1, 1, 0.04);
	const struct compare_result *r, *other;
	const struct compare_row *row;

	(void)state;
	compare_slower(c);
	compare_slower(again);
	r = end(c);
	other = end(again);
	check_same(r, other);
	assert_int_equal(r->unit, COMPARE_BY_SLICE);
	assert_int_equal(r->tables, 1);
	assert_int_equal(r->table[0].state, COMPARE_JUDGED);
	assert_int_equal(r->table[0].units[COMPARE_B], 128);
	assert_int_equal(r->table[0].rows, 6);
	row = r->table[0].row;
	assert_int_equal(row[COMPARE_MEAN].verdict, COMPARE_SLOWER);
	assert_true(row[COMPARE_MEAN].p < 0.05);
	assert_true(fabs(row[COMPARE_MEAN].change - 0.05) < 0.02);
	assert_true(fabs(row[COMPARE_MEAN].value[COMPARE_A] - 216657) < 4000);
	assert_int_equal(row[COMPARE_RATE].verdict, COMPARE_SAME);
	assert_true(fabs(row[COMPARE_RATE].value[COMPARE_A] - 1000) < 30);
	assert_int_equal(row[5].percentile, 99900);
	assert_int_equal(row[5].verdict, COMPARE_NOT_SIGNIFICANT);
	compare_free(again);
	compare_free(c);
}

/* runs of a tenth of a second, each a bit different; B's take so much longer */
static struct compare *compare_runs(unsigned int a, unsigned int b,
				    double longer)
{
	struct compare *c = begin(a, b, 0);

	for (unsigned int run = 0; run < a + b; run++)
		for (unsigned int i = 0; i < 100; i++)
			add(c, run < a ? COMPARE_A : COMPARE_B,
			    run < a ? run : run - a, IO_WRITE, i * 0.001,
			    (1000 + run * 37 % 50 + i) *
			    (run < a ? 1 : longer));
	return c;
}

static void test_runs(void **state)
{
	struct compare *c = compare_runs(4, 4, 1.5);
	const struct compare_result *r = end(c);

	(void)state;
	assert_int_equal(r->unit, COMPARE_BY_RUN);
	assert_int_equal(r->table[0].units[COMPARE_A], 4);
	assert_int_equal(r->table[0].op, IO_WRITE);
	assert_false(r->table[0].all);
	assert_int_equal(r->table[0].row[0].verdict, COMPARE_SLOWER);
	assert_true(fabs(r->table[0].row[0].p - 2.0 / 70) < 1e-9);
	assert_int_equal(r->table[0].row[1].verdict, COMPARE_NOT_SIGNIFICANT);
	compare_free(c);
	c = compare_runs(4, 5, 0.5);
	assert_int_equal(end(c)->table[0].row[0].verdict, COMPARE_FASTER);
	compare_free(c);
}

/* fewer ios a second are slower */
static void test_rate(void **state)
{
	struct compare *c = begin(4, 4, 0);
	const struct compare_row *row;

	(void)state;
	for (unsigned int run = 0; run < 4; run++) {
		for (unsigned int i = 0; i < 100; i++) {
			double at = i * (0.001 + run * 0.0001);

			add(c, COMPARE_A, run, IO_READ, at, 1000);
			add(c, COMPARE_B, run, IO_READ, at * 2, 1000);
		}
	}
	row = end(c)->table[0].row;
	assert_int_equal(row[COMPARE_RATE].verdict, COMPARE_SLOWER);
	assert_true(fabs(row[COMPARE_RATE].change + 0.5) < 1e-6);
	assert_int_equal(row[COMPARE_MEAN].verdict, COMPARE_NOT_SIGNIFICANT);
	compare_free(c);
}

/* three runs: intervals; fewer on a side: values */
static void test_few_runs(void **state)
{
	struct compare *c = compare_runs(3, 4, 1.5);
	const struct compare_result *r = end(c);

	(void)state;
	assert_int_equal(r->unit, COMPARE_BY_NONE);
	assert_int_equal(r->table[0].state, COMPARE_FEW_RUNS);
	assert_true(r->table[0].row[0].interval);
	assert_true(r->table[0].row[0].low < 0.5);
	assert_true(r->table[0].row[0].high > 0.5);
	assert_int_equal(r->table[0].row[0].verdict, COMPARE_NO_VERDICT);
	compare_free(c);
	c = compare_runs(4, 1, 1.5);
	r = end(c);
	assert_int_equal(r->table[0].state, COMPARE_FEW_RUNS);
	assert_false(r->table[0].row[0].interval);
	assert_true(fabs(r->table[0].row[0].change - 0.5) < 0.05);
	compare_free(c);
}

/* ios of a run that get slower by the second, and B's that many times more */
static struct compare *compare_drift(double times, double least)
{
	struct compare *c = begin(1, 1, least);

	for (unsigned int i = 0; i < 4000; i++) {
		double span = 100000 * (1 + i / 4000.0) + i * 7919 % 1000;

		add(c, COMPARE_A, 0, IO_READ, i * 0.001, span);
		add(c, COMPARE_B, 0, IO_READ, i * 0.001, span * times);
	}
	return c;
}

/*
 * What drifts is not judged; but 4.1 times as slow is above everything that the
 * other one ever was.  1.5 times is not.
 */
static void test_separated(void **state)
{
	struct compare *c = compare_drift(4.1, 0.05);
	const struct compare_table *t = end(c)->table;

	(void)state;
	assert_int_equal(t->state, COMPARE_DRIFTS);
	assert_int_equal(t->units[COMPARE_A], 16);
	for (unsigned int row = 0; row < t->rows; row++) {
		assert_int_equal(t->row[row].verdict, row == COMPARE_RATE ?
				 COMPARE_NO_VERDICT : COMPARE_SEPARATED);
		assert_false(t->row[row].tested);
		assert_false(t->row[row].interval);
	}
	assert_false(t->power.known);
	compare_free(c);
	c = compare_drift(1.5, 0.05);
	t = end(c)->table;
	assert_int_equal(t->state, COMPARE_DRIFTS);
	assert_int_equal(t->row[COMPARE_MEAN].verdict, COMPARE_NO_VERDICT);
	compare_free(c);
}

/* operations have tables when both sides have them; rare ones are not told */
static void test_operations(void **state)
{
	struct compare *c = begin(1, 1, 0);
	const struct compare_result *r;

	(void)state;
	for (unsigned int i = 0; i < 2000; i++) {
		double at = i * 0.01, span = 1000 + i * 7 % 300;

		add(c, COMPARE_A, 0, i % 20 ? IO_READ : IO_WRITE, at, span);
		add(c, COMPARE_B, 0, i % 20 ? IO_READ : IO_WRITE, at, span * 2);
		add(c, COMPARE_B, 0, IO_DISCARD, at, 500);
	}
	r = end(c);
	assert_int_equal(r->tables, 3);
	assert_true(r->table[0].all);
	assert_int_equal(r->table[0].count[COMPARE_B], 4000);
	assert_int_equal(r->table[1].op, IO_READ);
	assert_int_equal(r->table[1].state, COMPARE_JUDGED);
	assert_int_equal(r->table[1].row[0].verdict, COMPARE_SLOWER);
	assert_int_equal(r->table[2].op, IO_WRITE);
	assert_int_equal(r->table[2].count[COMPARE_A], 100);
	assert_int_equal(r->table[2].state, COMPARE_DRIFTS);
	assert_int_equal(r->table[2].row[0].verdict, COMPARE_NO_VERDICT);
	/* 1 in 100 of 100 is no percentile */
	assert_int_equal(r->table[2].rows, 4);
	assert_true(r->work.other_work);
	compare_free(c);
}

/* the ios of 20 s as histograms of an interval each, into a run */
static void add_intervals(struct compare *c, enum compare_side side,
			  unsigned int run, unsigned int intervals,
			  unsigned int percent)
{
	const uint64_t second = 1000000000;
	struct random r;

	random_init(&r, run * 2 + side);
	for (uint64_t i = 0; i < intervals; i++) {
		struct histogram h = { 0 };

		for (unsigned int k = 0; k < 20000 / intervals; k++)
			assert_int_equal(histogram_add(&h, (1000 +
				random_below(&r, 500)) * percent / 100), 0);
		assert_int_equal(compare_histogram(c, side, run, IO_READ,
			i * 20 * second / intervals,
			(i + 1) * 20 * second / intervals, &h), 0);
		histogram_free(&h);
	}
}

/* what save files have: intervals are slices, if they are enough */
static void test_histograms(void **state)
{
	static const struct {
		unsigned int intervals, slices;
		enum compare_state state;
	} rows[] = {
		{ 1000, 128, COMPARE_JUDGED }, { 128, 128, COMPARE_JUDGED },
		{ 100, 32, COMPARE_JUDGED }, { 32, 32, COMPARE_JUDGED },
		{ 20, 1, COMPARE_DRIFTS }, { 1, 1, COMPARE_DRIFTS },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct compare *c = begin(1, 1, 0);
		const struct compare_table *t;

		add_intervals(c, COMPARE_A, 0, rows[i].intervals, 100);
		add_intervals(c, COMPARE_B, 0, rows[i].intervals, 110);
		t = end(c)->table;
		assert_int_equal(t->state, rows[i].state);
		assert_int_equal(t->units[COMPARE_A], rows[i].slices);
		assert_int_equal(t->row[0].verdict,
				 t->state == COMPARE_JUDGED ? COMPARE_SLOWER :
				 COMPARE_NO_VERDICT);
		assert_true(fabs(t->row[COMPARE_RATE].change) < 1e-9);
		compare_free(c);
	}
}

/* a histogram per run is enough when runs are the units */
static void test_saved_runs(void **state)
{
	struct compare *c = begin(4, 4, 0);
	const struct compare_result *r;

	(void)state;
	for (unsigned int run = 0; run < 4; run++) {
		add_intervals(c, COMPARE_A, run, 1, 100 + run);
		add_intervals(c, COMPARE_B, run, 1, 120 + run);
	}
	r = end(c);
	assert_int_equal(r->table[0].row[0].verdict, COMPARE_SLOWER);
	assert_true(fabs(r->table[0].row[1].value[COMPARE_A] - 1000) < 1e-6);
	assert_false(r->work.other_work);
	assert_true(r->work.depth[COMPARE_A] == 0);
	assert_int_equal(r->work.count[COMPARE_B], 80000);
	compare_free(c);
}

/* sides with nothing in common, nothing at all, all at once, all zeros */
static void test_degenerate(void **state)
{
	struct compare *c = begin(1, 1, 0.05);
	const struct compare_row *row;

	(void)state;
	assert_int_equal(end(c)->tables, 0);
	compare_free(c);
	c = begin(1, 1, 0.05);
	add(c, COMPARE_A, 0, IO_READ, 1, 10);
	assert_int_equal(end(c)->tables, 0);
	compare_free(c);
	c = begin(1, 1, 0.05);
	for (unsigned int i = 0; i < 1000; i++)
		for (unsigned int side = 0; side < COMPARE_SIDES; side++)
			add(c, side, 0, IO_READ, 1, 10);
	assert_int_equal(end(c)->table[0].state, COMPARE_DRIFTS);
	compare_free(c);
	c = begin(1, 1, 0.05);
	for (unsigned int i = 0; i < 1000; i++)
		for (unsigned int side = 0; side < COMPARE_SIDES; side++)
			add(c, side, 0, IO_READ, i * 0.001, 0);
	row = end(c)->table[0].row;
	assert_int_equal(row[COMPARE_MEAN].verdict, COMPARE_NOT_SIGNIFICANT);
	assert_true(row[COMPARE_MEAN].value[COMPARE_A] == 0);
	assert_false(row[COMPARE_MEAN].comparable);
	assert_true(row[COMPARE_RATE].comparable);
	assert_true(row[COMPARE_PERCENTILE].value[COMPARE_B] == 0);
	assert_int_equal(row[COMPARE_PERCENTILE].verdict, COMPARE_SAME);
	compare_free(c);
}

/* as many and as large numbers as a save file can claim */
static void test_huge(void **state)
{
	struct compare *c = begin(1, 1, 0);
	struct histogram h = { 0 };

	(void)state;
	assert_int_equal(histogram_add_times(&h, UINT64_MAX, UINT64_MAX / 64),
			 0);
	for (uint64_t i = 0; i < 64; i++)
		for (unsigned int side = 0; side < COMPARE_SIDES; side++)
			assert_int_equal(compare_histogram(c, side, 0, IO_READ,
				i << 58, (i + 1) << 58, &h), 0);
	assert_int_equal(end(c)->table[0].row[COMPARE_MEAN].verdict,
			 COMPARE_NOT_SIGNIFICANT);
	histogram_free(&h);
	compare_free(c);
}

static void test_refused(void **state)
{
	static const unsigned int runs[][2] = {
		{ 0, 1 }, { 1, 0 }, { 1, COMPARE_RUNS_MAX + 1 },
	};
	struct compare *c;

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct compare_options o = {
			.runs = { runs[i][0], runs[i][1] }
		};

		assert_int_equal(compare_new(&c, &o), -EINVAL);
	}
	compare_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_few_runs),
		cmocka_unit_test(test_separated),
		cmocka_unit_test(test_operations),
		cmocka_unit_test(test_histograms),
		cmocka_unit_test(test_saved_runs),
		cmocka_unit_test(test_degenerate),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
