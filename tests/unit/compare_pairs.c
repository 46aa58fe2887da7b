/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pairs of recordings of one process, which do not differ: what a comparison
 * says of them.  bench/compare has more of both.
 */
#include "analysis/compare.h"
#include "bench/process.h"
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

/* a made recording of that process */
static void record(struct compare *c, enum compare_side side,
		   const char *process, struct random *r)
{
	const struct process *p = PROCESSES;
	struct process_run x;

	while (strcmp(p->name, process))
		p++;
	process_record(&x, p, r, 20, 1);
	assert_true(x.count > 0);
	for (unsigned int i = 0; i < x.count; i++) {
		uint64_t span = (uint64_t)x.ios[i].span;
		struct io io = {
			.op = IO_READ, .bytes = 4096, .total = span,
			.time = (uint64_t)((x.ios[i].end + 1000) * 1e9) - span,
			.issued = IO_NONE, .served = IO_NONE,
		};

		assert_int_equal(compare_io(c, side, 0, &io, span), 0);
	}
	free(x.ios);
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
	s->cannot += t->state == COMPARE_CANNOT_TELL;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_honest),
		cmocka_unit_test(test_drift),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
