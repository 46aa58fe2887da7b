/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts by time and offset: none is lost, each is where its cell says. */
#include "make.h"
#include "stat/raster.h"

struct sums {
	const struct raster *r;
	uint64_t count, cells;
	uint64_t found;		/* in the cell of this: */
	struct raster_mark wanted;
};

static void add_up(void *ctx, const struct raster_cell *c)
{
	struct sums *s = ctx;
	const struct raster_mark *w = &s->wanted;

	s->cells++;
	s->count += c->count;
	if (w->time >= c->time && w->time - c->time < s->r->width &&
	    w->sector >= c->sector && w->sector - c->sector < s->r->height &&
	    c->class == w->class)
		s->found += c->count;
}

static struct sums sums_of(const struct raster *r, struct raster_mark wanted)
{
	struct sums s = { .r = r, .wanted = wanted };

	raster_each(r, add_up, &s);
	return s;
}

static void test_marks(void **state)
{
	const struct raster_mark one = { 5000, 800, 808, 2 };
	const struct raster_mark far = { 1000000000, 4000000000, 4000000008,
					 1 };
	const struct raster_mark below = { 6000, 3, 8, 0 };
	struct raster r;
	struct sums s;

	(void)state;
	raster_init(&r, 4000);
	assert_int_equal(raster_add(&r, &one), 0);
	assert_int_equal(raster_add(&r, &one), 0);
	s = sums_of(&r, one);
	assert_true(s.count == 2 && s.cells == 1 && s.found == 2);
	assert_int_equal(raster_add(&r, &far), 0);
	assert_int_equal(raster_add(&r, &below), 0);
	s = sums_of(&r, one);
	assert_true(s.count == 4 && s.cells == 3 && s.found == 2);
	assert_int_equal(sums_of(&r, far).found, 1);
	assert_int_equal(sums_of(&r, below).found, 1);
	assert_true(r.low == 3 && r.high == 4000000008);
	assert_true(r.height <= 4000000008 / (RASTER_SIDE / 4));
	raster_free(&r);
}

/* counts have 64 bits, also where a pointer has 32; when cells merge, too */
static void test_large(void **state)
{
	const struct raster_mark near = { 0, 0, 8, 0 };
	const struct raster_mark far = { UINT64_C(1) << 40, 0, 8, 0 };
	struct raster r;

	(void)state;
	raster_init(&r, 0);
	assert_int_equal(raster_add(&r, &near), 0);
	r.counts[0] = UINT32_MAX;
	assert_int_equal(raster_add(&r, &near), 0);
	assert_int_equal(sums_of(&r, near).found, UINT64_C(1) << 32);
	assert_int_equal(raster_add(&r, &far), 0);
	assert_int_equal(sums_of(&r, near).found, UINT64_C(1) << 32);
	assert_int_equal(sums_of(&r, far).found, 1);
	raster_free(&r);
}

static void test_ranges(void **state)
{
	const struct raster_mark wide = { 0, 0, 8 * 100, 0 };
	const struct raster_mark all = { 1, 0, UINT64_MAX, 0 };
	const struct raster_mark last = { 2, UINT64_MAX, 0, 0 };
	const struct raster_mark early = { 0, 0, 8, 0 };
	struct raster r;

	(void)state;
	raster_init(&r, 0);
	assert_int_equal(raster_add(&r, &wide), 0);
	assert_int_equal(sums_of(&r, wide).count, 100);
	assert_int_equal(raster_add(&r, &all), 0);
	assert_int_equal(raster_add(&r, &last), 0);
	assert_int_equal(sums_of(&r, wide).count, 100 + RASTER_SIDE + 1);
	raster_free(&r);
	/* what was before is left out */
	raster_init(&r, 1);
	assert_int_equal(raster_add(&r, &early), 0);
	assert_false(r.any);
	raster_free(&r);
}

/* So many different cells that they become larger. */
static void test_bound(void **state)
{
	enum { MARKS = 700000 };
	uint64_t seed = 11;
	struct raster_mark m = { 0 };
	struct raster r;
	struct sums s;

	(void)state;
	raster_init(&r, 0);
	for (int i = 0; i < MARKS; i++) {
		m.time = (uint64_t)chance(&seed) << 4;
		m.sector = chance(&seed);
		m.end = m.sector + 1;
		m.class = chance(&seed) % 3;
		assert_int_equal(raster_add(&r, &m), 0);
	}
	s = sums_of(&r, m);
	assert_int_equal(s.count, MARKS);
	assert_true(s.cells <= RASTER_CELLS && r.side < RASTER_SIDE);
	assert_true(s.found > 0);
	raster_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
