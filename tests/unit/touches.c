/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of a device over time: each is where it was, however much both grow. */
#include "make.h"
#include "stat/raster.h"
#include "stat/touches.h"

/* whether the bit of that class, time and sector is set */
static bool has(const struct touches *t, unsigned int class, uint64_t time,
		uint64_t sector)
{
	unsigned int column = (unsigned int)((time - t->from) / t->width);
	uint64_t row = (sector - t->base) / t->height;
	struct touches_run run = { 0, 0 };

	assert_true(column < TOUCHES_COLUMNS && row < t->rows);
	while (touches_next(t, class, column, &run))
		if (row >= run.from && row < run.to)
			return true;
	return false;
}

static unsigned int bits_of(const struct touches *t)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < TOUCHES_CLASSES; i++)
		for (unsigned int k = 0; k < TOUCHES_COLUMNS; k++)
			for (struct touches_run r = { 0, 0 };
			     touches_next(t, i, k, &r);)
				n += r.to - r.from;
	return n;
}

static void test_places(void **state)
{
	const struct raster_mark one = { 5000, 800, 808, 2 };
	const struct raster_mark later = { 3600000000000, 800, 808, 1 };
	const struct raster_mark far = { 6000, 4000000000, 4000000008, 0 };
	const struct raster_mark below = { 7000, 3, 8, 0 };
	struct touches t;

	(void)state;
	touches_init(&t, 4000);
	assert_int_equal(bits_of(&t), 0);
	assert_int_equal(touches_add(&t, &one), 0);
	assert_int_equal(touches_add(&t, &one), 0);
	assert_int_equal(bits_of(&t), 1);
	assert_int_equal(touches_add(&t, &later), 0);
	assert_int_equal(touches_add(&t, &far), 0);
	assert_int_equal(touches_add(&t, &below), 0);
	assert_true(has(&t, 2, 5000, 800));
	assert_true(has(&t, 1, 3600000000000, 800));
	assert_true(has(&t, 0, 6000, 4000000000));
	assert_true(has(&t, 0, 7000, 3));
	assert_false(has(&t, 1, 5000, 800));
	assert_false(has(&t, 0, 6000, 1000000000));
	assert_int_equal(bits_of(&t), 4);
	assert_true(t.width > 3600000000000 / TOUCHES_COLUMNS);
	assert_true(t.width <= 3600000000000 / (TOUCHES_COLUMNS / 2));
	assert_true(t.height <= 4000000008 / (TOUCHES_ROWS / 4));
	touches_free(&t);
}

static void test_ranges(void **state)
{
	const struct raster_mark wide = { 0, 0, 8 * 100, 0 };
	const struct raster_mark word = { 1 << 20, 8 * 64, 8 * 128, 1 };
	const struct raster_mark all = { 0, 0, UINT64_MAX, 0 };
	const struct raster_mark last = { 0, UINT64_MAX, 0, 2 };
	const struct raster_mark early = { 0, 0, 8, 0 };
	struct touches_run run = { 0, 0 };
	struct touches t;

	(void)state;
	touches_init(&t, 0);
	assert_int_equal(touches_add(&t, &wide), 0);
	assert_true(touches_next(&t, 0, 0, &run));
	assert_true(run.from == 0 && run.to == 100);
	assert_false(touches_next(&t, 0, 0, &run));
	assert_int_equal(touches_add(&t, &word), 0);
	assert_int_equal(bits_of(&t), 164);
	assert_int_equal(touches_add(&t, &all), 0);
	assert_int_equal(touches_add(&t, &last), 0);
	assert_int_equal(bits_of(&t), TOUCHES_ROWS + 2);
	touches_free(&t);
	/* what was before is left out */
	touches_init(&t, 1);
	assert_int_equal(touches_add(&t, &early), 0);
	assert_int_equal(bits_of(&t), 0);
	touches_free(&t);
}

static void test_fewer_rows(void **state)
{
	const struct raster_mark marks[] = {
		{ 0, 1000000, 1000008, 0 }, { 1, 1000, 1008, 1 },
		{ 2, 900000, 900800, 2 },
	};
	struct touches t;

	(void)state;
	touches_init(&t, 0);
	assert_int_equal(touches_limit(&t, TOUCHES_ROWS / 2), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(touches_add(&t, &marks[i]), 0);
	for (unsigned int rows = t.rows; rows >= TOUCHES_ROWS_MIN; rows /= 2) {
		assert_int_equal(touches_limit(&t, rows), 0);
		assert_int_equal(t.rows, rows);
		for (int i = 0; i < 3; i++)
			assert_true(has(&t, marks[i].class, marks[i].time,
					marks[i].end - 1));
		assert_false(has(&t, 0, 0, 500000));
	}
	assert_int_equal(touches_limit(&t, TOUCHES_ROWS), 0);
	assert_int_equal(t.rows, TOUCHES_ROWS_MIN);
	touches_free(&t);
}

/* All marks of a long series are there, and nothing beside them. */
static void test_many(void **state)
{
	enum { MARKS = 5000 };
	static struct raster_mark marks[MARKS];
	uint64_t seed = 7;
	struct touches t;

	(void)state;
	touches_init(&t, 0);
	for (int i = 0; i < MARKS; i++) {
		uint64_t sector = (uint64_t)chance(&seed) << 3;

		/* ever further, in both */
		sector >>= 30 - i * 30 / MARKS;
		marks[i] = (struct raster_mark){ (uint64_t)i * i * 1000, sector,
						 sector + chance(&seed) % 64,
						 chance(&seed) % 3 };
		assert_int_equal(touches_add(&t, &marks[i]), 0);
	}
	for (int i = 0; i < MARKS; i++)
		assert_true(has(&t, marks[i].class, marks[i].time,
				marks[i].sector));
	assert_in_range(bits_of(&t), MARKS / 2, 2 * MARKS);
	touches_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_fewer_rows),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
