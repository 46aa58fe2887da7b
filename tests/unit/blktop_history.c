/* SPDX-License-Identifier: GPL-2.0-only */
/* blktop's last intervals: what is kept, and the map of them. */
#include "make.h"
#include "stat/heat.h"
#include "stat/scale.h"
#include "tools/blktop/history.h"

enum { MS = 1000000 };

/* the n-th interval of 10 ms, with a table of rows */
static struct sample *make(uint64_t n, unsigned int rows)
{
	struct sample *s = sample_new();
	struct sample_table *t = &s->tables[0];

	assert_non_null(s);
	s->number = n;
	s->depth.from = n * 10 * MS;
	s->depth.to = (n + 1) * 10 * MS;
	t->rows = calloc(rows + 1, sizeof(*t->rows));
	assert_non_null(t->rows);
	t->count = rows;
	s->table_count = 1;
	return s;
}

static void test_bounds(void **state)
{
	struct history h = { .count = 0 };

	(void)state;
	assert_null(history_get(&h, 0));
	for (uint64_t i = 0; i < HISTORY_SAMPLES + 10; i++)
		history_add(&h, make(i, 1));
	assert_int_equal(h.count, HISTORY_SAMPLES);
	assert_int_equal(history_get(&h, 0)->number, HISTORY_SAMPLES + 9);
	assert_int_equal(history_get(&h, HISTORY_SAMPLES - 1)->number, 10);
	assert_null(history_get(&h, HISTORY_SAMPLES));
	/* one that has more rows than there may be is there by itself */
	history_add(&h, make(1000, HISTORY_ROWS + 1));
	assert_int_equal(h.count, 1);
	history_add(&h, make(1001, HISTORY_ROWS));
	history_add(&h, make(1002, 0));
	assert_int_equal(h.count, 2);
	history_free(&h);
	assert_null(history_get(&h, 0));
}

/* times in cells of 1 ms and 10 ms: six steps a decade */
static void test_map(void **state)
{
	struct history h = { .count = 0 };
	struct sample *s;
	struct heat_map m;

	(void)state;
	assert_int_equal(history_map(&h, 0, 10, 10, true, &m), 0);
	assert_int_equal(m.rows, 0);
	history_add(&h, make(0, 0));
	s = make(1, 0);
	s->times.cells[12] = 3;		/* 1 ms */
	s->errors = 1;
	history_add(&h, s);
	s = make(2, 0);
	s->times.cells[18] = 5;		/* 10 ms */
	s->times.cells[17] = 1;
	history_add(&h, s);

	assert_int_equal(history_map(&h, 0, 10, 10, true, &m), 0);
	/* two columns each, and unused rows below and above */
	assert_int_equal(history_shown(&h, 0, 10), 3);
	assert_int_equal(history_stretch(&h, 0, 10), 2);
	assert_int_equal(m.columns, 6);
	assert_int_equal(m.from, 0);
	assert_int_equal(m.width, 5 * MS);
	assert_int_equal(m.rows, 10);
	assert_int_equal(steps_low(m.steps, m.step + 2), 1 * MS);
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(m.counts[2 * 6 + 2 + i], 3);
		assert_int_equal(m.counts[8 * 6 + 4 + i], 5);
		assert_int_equal(m.marks[2 + i], HEAT_ERROR);
	}
	assert_int_equal(m.total, 2 * 9);
	assert_int_equal(m.most, 5);
	assert_int_equal(m.marks[1] | m.marks[4], 0);
	heat_map_free(&m);

	/* less room: coarser steps, the last columns */
	assert_int_equal(history_map(&h, 0, 2, 2, true, &m), 0);
	assert_int_equal(m.columns, 2);
	assert_int_equal(m.from, 10 * MS);
	assert_int_equal(m.steps, STEPS_1);
	assert_int_equal(m.rows, 2);
	assert_int_equal(m.counts[0 * 2 + 1], 1);
	assert_int_equal(m.counts[1 * 2 + 1], 5);
	heat_map_free(&m);

	/* up to the one before */
	assert_int_equal(history_map(&h, 1, 10, 10, false, &m), 0);
	assert_int_equal(m.columns, 8);
	assert_int_equal(m.total, 4 * 3);
	assert_int_equal(m.steps, STEPS_3);
	assert_int_equal(m.rows, 10);
	heat_map_free(&m);
	history_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
