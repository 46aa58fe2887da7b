/* SPDX-License-Identifier: GPL-2.0-only */
/* Heat maps: what is counted at the edge of time is what a map has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stat/heat.h"

#define MS 1000000ull

static uint64_t chance(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return *seed >> 33;
}

static struct heat *make(unsigned int columns, enum steps steps, uint64_t from)
{
	struct heat_size size = { columns, steps, from };
	struct heat *h = NULL;

	assert_int_equal(heat_new(&h, &size), 0);
	return h;
}

static uint64_t at(const struct heat_map *m, unsigned int row,
		   unsigned int column)
{
	assert_true(row < m->rows && column < m->columns);
	return m->counts[row * m->columns + column];
}

/* Random spans over random traces: each cell of a map is the count of those
 * that ended in its time and are of its step. */
static void compare(uint64_t seed, unsigned int columns, unsigned int rows)
{
	enum { SPANS = 300 };
	uint64_t length = 1ull << chance(&seed) % 50;
	uint64_t times[SPANS], spans[SPANS];
	struct heat *h = make(256, STEPS_6, 7);
	struct heat_map m;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < SPANS; i++) {
		times[i] = 7 + chance(&seed) * chance(&seed) % length;
		spans[i] = chance(&seed) % (1ull << chance(&seed) % 30);
		assert_int_equal(heat_add(h, times[i], spans[i]), 0);
	}
	assert_int_equal(heat_map_make(&m, h, columns, rows), 0);
	assert_true(m.columns <= columns && m.rows <= rows);
	for (unsigned int i = 0; i < SPANS; i++) {
		unsigned int row = steps_find(m.steps, spans[i]) - m.step;
		uint64_t column = (times[i] - 7) / m.width;

		assert_true(row < m.rows && column < m.columns);
		m.counts[row * m.columns + column]--;
	}
	for (unsigned int i = 0; i < m.rows * m.columns; i++)
		sum |= m.counts[i];
	assert_int_equal(sum, 0);
	assert_int_equal(m.total, SPANS);
	heat_map_free(&m);
	heat_free(h);
}

static void test_random(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 200; i++)
		compare(i, 1 + i % 100, 1 + i % 17);
}

/* 2,048 columns are shown as 68 to 72, whatever the length is */
static void test_width(void **state)
{
	(void)state;
	for (uint64_t end = 5000; end < 1ull << 60; end += end / 3) {
		struct heat *h = make(2048, STEPS_6, 0);
		struct heat_map m;

		heat_add(h, 0, 1);
		heat_end(h, end);
		assert_int_equal(heat_map_make(&m, h, 72, 12), 0);
		assert_in_range(m.columns, 68, 72);
		assert_true(heat_map_end(&m) > end);
		assert_true(heat_map_end(&m) - m.width <= end);
		heat_map_free(&m);
		heat_free(h);
	}
}

/* rows by room: finer and coarser ones have the same counts */
static void test_rows(void **state)
{
	static const struct {
		unsigned int room, rows;
		enum steps steps;
	} wants[] = {
		{ 24, 13, STEPS_6 }, { 13, 13, STEPS_6 }, { 12, 7, STEPS_3 },
		{ 6, 3, STEPS_1 }, { 2, 2, STEPS_HALF },
		{ 1, 1, STEPS_QUARTER },
	};
	struct heat *h = make(16, STEPS_6, 0);
	struct heat_map m;

	(void)state;
	heat_add(h, 1, 100000);
	heat_add(h, 2, 500000);
	heat_add(h, 3, 10 * MS);
	for (unsigned int i = 0; i < sizeof(wants) / sizeof(*wants); i++) {
		assert_int_equal(heat_map_make(&m, h, 16, wants[i].room), 0);
		assert_int_equal(m.steps, wants[i].steps);
		assert_int_equal(m.rows, wants[i].rows);
		assert_int_equal(m.total, 3);
		assert_int_equal(at(&m, m.rows - 1, 3), 1);
		assert_int_equal(at(&m, 0, 1), 1);
		heat_map_free(&m);
	}
	heat_free(h);
}

static void test_fine_rows(void **state)
{
	struct heat *h = make(16, STEPS_24, 0);
	struct heat_map m;

	(void)state;
	heat_add(h, 1, 1099);
	heat_add(h, 1, 1100);
	heat_add(h, 1, 1450);
	assert_int_equal(heat_map_make(&m, h, 16, 24), 0);
	assert_int_equal(m.steps, STEPS_24);
	assert_int_equal(m.rows, 5);
	assert_int_equal(at(&m, 0, 1), 1);
	assert_int_equal(at(&m, 1, 1), 1);
	assert_int_equal(at(&m, 4, 1), 1);
	heat_map_free(&m);
	heat_free(h);
}

/* marks stay where they are while columns grow, and those in one add up */
static void test_marks(void **state)
{
	struct heat *h = make(8, STEPS_6, 100);
	struct heat_map m;

	(void)state;
	heat_mark(h, 99, HEAT_LOST);
	heat_mark(h, 103, HEAT_ERROR);
	heat_mark(h, 130, HEAT_REQUEUE);
	heat_add(h, 99, 5);
	heat_add(h, 163, 5);
	assert_int_equal(heat_map_make(&m, h, 8, 12), 0);
	assert_int_equal(m.columns, 8);
	assert_int_equal(m.width, 8);
	assert_int_equal(m.total, 1);
	assert_int_equal(m.all_marks, HEAT_ERROR | HEAT_REQUEUE);
	assert_int_equal(m.marks[0], HEAT_ERROR);
	assert_int_equal(m.marks[3], HEAT_REQUEUE);
	heat_map_free(&m);
	assert_int_equal(heat_map_make(&m, h, 1, 12), 0);
	assert_int_equal(m.columns, 1);
	assert_int_equal(m.marks[0], HEAT_ERROR | HEAT_REQUEUE);
	heat_map_free(&m);
	heat_free(h);
}

/* times and spans that no trace should have */
static void test_extremes(void **state)
{
	struct heat *h = make(2, STEPS_6, 0);
	struct heat_map m;

	(void)state;
	assert_int_equal(heat_map_make(&m, h, 72, 12), 0);
	assert_int_equal(m.rows, 0);
	heat_map_free(&m);
	heat_add(h, UINT64_MAX, 0);
	heat_add(h, 0, UINT64_MAX);
	assert_int_equal(heat_map_make(&m, h, 1, 12), 0);
	assert_int_equal(m.columns, 1);
	assert_int_equal(m.width, UINT64_MAX);
	assert_int_equal(heat_map_end(&m), UINT64_MAX);
	assert_int_equal(m.total, 2);
	assert_int_equal(m.rows, 10);
	heat_map_free(&m);
	assert_int_equal(heat_map_make(&m, h, 72, 12), 0);
	assert_int_equal(m.columns, 2);
	assert_int_equal(at(&m, m.rows - 1, 0), 1);
	assert_int_equal(at(&m, 0, 1), 1);
	heat_map_free(&m);
	heat_free(h);
}

/* the logarithm of the count decides: as computed by its formula */
static void test_shades(void **state)
{
	static const struct {
		uint64_t most;
		uint64_t want[4];
	} wants[] = {
		{ 1, { 1, 2, 2, 2 } },
		{ 3, { 1, 2, 2, 3 } },
		{ 51, { 1, 2, 8, 27 } },
		{ 64, { 1, 2, 8, 32 } },
		{ 1000000, { 1, 10, 1000, 100000 } },
	};
	uint64_t start[9];

	(void)state;
	for (unsigned int i = 0; i < sizeof(wants) / sizeof(*wants); i++) {
		struct heat_map m = { .most = wants[i].most };

		heat_map_shades(&m, 4, start);
		for (unsigned int k = 0; k < 4; k++)
			assert_int_equal(start[k], wants[i].want[k]);
	}
	heat_map_shades(&(struct heat_map){ .most = UINT64_MAX }, 9, start);
	assert_int_equal(start[1], 16);
	/* powers are no integers, and valgrind's have 53 bits */
	assert_in_range(start[8], (1ull << 60) - 64, 1ull << 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_fine_rows),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_shades),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
