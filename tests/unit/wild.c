/* SPDX-License-Identifier: GPL-2.0-only */
/* Ios whose numbers fit together in no way do no harm to tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "request/io.h"
#include "run/device.h"
#include "run/marks.h"
#include "stat/coverage.h"
#include "stat/group.h"
#include "stat/heat.h"
#include "stat/series.h"

enum { IOS = 10000, DISKS = 50 };

/* small ones, and those at the ends of what there is */
static uint64_t wild(struct random *r)
{
	return random_below(r, 4) ? random_next(r) >> random_below(r, 64) :
				    UINT64_MAX - random_below(r, 3);
}

static struct io wild_io(struct random *r, const struct device *disks,
			 uint64_t id)
{
	struct io io = {
		.id = id, .rq = random_below(r, 4) ? id : wild(r),
		.kind = random_below(r, IO_KINDS),
		.op = random_below(r, IO_OPS),
		.link = random_below(r, IO_LINKS),
		.merge = random_below(r, IO_MERGES),
		.ended = random_below(r, 2) ? IO_ENDED_C :
					      random_below(r, IO_ENDINGS),
		.birth = random_below(r, 4) ? 'Q' : 'D',
		.gap = !random_below(r, 16),
		.disk = &disks[random_below(r, DISKS)],
		.origin = (uint16_t)wild(r), .error = (uint16_t)wild(r),
		.sector = wild(r), .bytes = wild(r), .cgroup = wild(r),
		.categories = (uint32_t)wild(r), .pid = (uint32_t)wild(r),
		.cpu = (uint32_t)wild(r), .cpu_c = (uint32_t)wild(r),
		.time = wild(r), .total = wild(r), .issued = wild(r),
		.served = wild(r), .has = (uint32_t)random_next(r),
		.depth = (uint32_t)wild(r), .events = (uint32_t)wild(r),
	};

	for (int i = 0; i < IO_PHASES; i++)
		io.phase[i] = wild(r);
	return io;
}

static void make_disks(struct device disks[DISKS])
{
	for (uint32_t i = 0; i < DISKS; i++)
		disks[i] = (struct device){ .id = i };
}

static uint64_t counted(const struct group *g, enum group_order order)
{
	unsigned int count = 0;
	struct group_row **rows = group_rows(g, order, &count);
	uint64_t sum = 0;

	assert_non_null(rows);
	assert_true(count <= GROUP_ROWS + 1);
	for (unsigned int i = 0; i < count; i++) {
		assert_true(rows[i]->measured + rows[i]->unmeasured <=
			    rows[i]->count);
		sum += rows[i]->count;
	}
	free(rows);
	return sum;
}

/* each is in one row, by whatever keys */
static void test_group(void **state)
{
	struct mark list[] = { { .time = 5 }, { .time = 1ULL << 62 } };
	const struct marks marks = { .list = list, .count = 2 };
	struct device disks[DISKS];
	struct random r;

	(void)state;
	make_disks(disks);
	random_init(&r, 1);
	for (unsigned int key = 0; key < GROUP_KEYS; key++) {
		struct group_options o = {
			.keys = { key, (key + 1) % GROUP_KEYS },
			.key_count = 1 + key % 2, .measures = UINT32_MAX >>
				(32 - MEASURES), .places = true,
			.depth = key == GROUP_DEVICE, .interval = 1 + key,
			.under = { 1000 }, .under_count = 1,
			.marks = &marks,
		};
		struct group *g;

		assert_int_equal(group_new(&g, &o), 0);
		for (uint64_t i = 1; i <= IOS; i++) {
			struct io io = wild_io(&r, disks, i);

			assert_int_equal(group_add(g, &io, io.bytes), 0);
			assert_int_equal(group_under_way(g, &io, io.issued,
							 io.served), 0);
		}
		assert_int_equal(group_end(g), 0);
		assert_int_equal(counted(g, GROUP_BY_KEYS), IOS);
		assert_int_equal(counted(g, GROUP_BY_TIME), IOS);
		group_free(g);
	}
}

static void test_coverage(void **state)
{
	struct coverages c = { .count = 0 };
	struct coverage all = { 0 };
	struct device disks[DISKS];
	struct random r;

	(void)state;
	make_disks(disks);
	random_init(&r, 2);
	for (uint64_t i = 1; i <= IOS; i++) {
		struct io io = wild_io(&r, disks, i);

		assert_int_equal(coverages_add(&c, &io), 0);
	}
	for (uint32_t i = 0; i < DISKS; i++) {
		struct coverage one = coverages_get(&c, i);

		assert_true(coverage_measured(&one) <= one.ios);
		assert_true(coverage_gone(&one, UINT64_MAX) > 0);
		coverage_merge(&all, &one);
	}
	assert_int_equal(all.complete + all.open + all.lost + all.evicted +
			 all.gap, all.ios);
	coverages_free(&c);
}

static void test_heat(void **state)
{
	struct heat_size size = HEAT_SIZE;
	struct random r;
	struct heat *h = NULL;

	(void)state;
	random_init(&r, 3);
	assert_int_equal(heat_new(&h, &size), 0);
	for (int i = 0; i < IOS; i++) {
		assert_int_equal(heat_add(h, wild(&r), wild(&r)), 0);
		heat_mark(h, wild(&r), HEAT_LOST);
	}
	heat_end(h, wild(&r));
	heat_free(h);
}

/* no row is lost by what is added, and none comes twice */
static void test_series(void **state)
{
	struct series_row row;
	struct series *s = NULL;
	struct random r;
	uint64_t ios = 0, added = 0, begin = 0;

	(void)state;
	random_init(&r, 4);
	assert_int_equal(series_new(&s, 0, 1000, 5), 0);
	for (int i = 0; i < IOS; i++) {
		uint64_t end = wild(&r);

		for (; series_next(s, wild(&r), wild(&r), &row); ios += row.ios) {
			assert_true(row.depth.from >= begin);
			begin = row.depth.to;
		}
		assert_int_equal(series_add(s, end, wild(&r), wild(&r), false),
				 0);
		assert_int_equal(series_add_request(s, wild(&r), wild(&r)), 0);
		added++;
	}
	while (series_last(s, UINT64_MAX, &row))
		ios += row.ios;
	assert_int_equal(ios, added);
	series_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_heat),
		cmocka_unit_test(test_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
