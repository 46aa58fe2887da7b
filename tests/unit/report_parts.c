/* SPDX-License-Identifier: GPL-2.0-only */
/* What a report is made of, part by part, beside plain ways to the same. */
#include "make.h"
#include "report/cube.h"
#include "report/depths.h"
#include "report/disks.h"
#include "report/lanes.h"
#include "report/streams.h"
#include "report/excerpts.h"
#include "request/io.h"
#include "run/device.h"

static uint32_t next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(*seed >> 33);
}

/* --- buckets -------------------------------------------------------------- */

/* whether ns^8 is at least 2^bucket, of ns below 2^16 */
static bool reaches(uint64_t ns, unsigned int bucket)
{
	struct wide power = wide_of(1);

	if (bucket > 127)
		return false;
	for (int i = 0; i < 8; i++)
		power = wide_times(power, ns);
	return bucket < 64 ? power.high || power.low >> bucket :
			     power.high >> (bucket - 64);
}

static void test_buckets(void **state)
{
	(void)state;
	assert_int_equal(report_bucket(0), 0);
	for (uint64_t ns = 1; ns < 65536; ns++) {
		unsigned int bucket = report_bucket(ns);

		assert_true(reaches(ns, bucket));
		assert_false(reaches(ns, bucket + 1));
	}
	assert_int_equal(report_bucket(UINT64_C(1) << 40), 320);
	assert_int_equal(report_bucket((UINT64_C(1) << 40) - 1), 319);
	assert_int_equal(report_bucket(UINT64_MAX), REPORT_BUCKETS - 1);
}

/* --- pids --------------------------------------------------------------- */

/* names come late: those of pids above 100 only when *late is set */
static const char *name_of(const void *late, uint16_t origin, uint32_t pid)
{
	static const char *const names[] = { "fio", "kworker/0:1", "fio",
					     "kworker/u8:2", "dd" };

	(void)origin;
	if (pid > 100 && !*(const bool *)late)
		return NULL;
	return names[pid % 5];
}

static void test_pids(void **state)
{
	bool late = false;
	struct report_pids p = { .name = name_of, .names = &late };

	(void)state;
	for (uint32_t pid = 0; pid < 4; pid++)
		assert_int_equal(report_pids_find(&p, 0, pid), pid);
	assert_int_equal(report_pids_find(&p, 0, 105), 4);
	assert_int_equal(report_pids_find(&p, 0, 109), 5);
	assert_int_equal(report_pids_find(&p, 1, 0), 6);
	assert_int_equal(report_pids_find(&p, 0, 105), 4);
	/* fio, kworker, and two of whom nothing is known */
	assert_int_equal(p.process_count, 4);
	assert_int_equal(p.list[2].process, 0);
	assert_int_equal(p.list[3].process, 1);
	assert_true(p.processes[1].workers);
	assert_string_equal(p.processes[1].name, "kworker/");
	assert_null(p.processes[2].name);
	late = true;
	assert_int_equal(report_pids_end(&p), 0);
	assert_int_equal(p.processes[2].same, 0);
	assert_int_equal(p.processes[3].same, 3);
	assert_string_equal(p.processes[3].name, "dd");
	report_pids_free(&p);
}

/* --- streams -------------------------------------------------------------- */

enum { PIDS = 700 };

struct streams_made {
	struct report_pids pids;
	struct report_disks disks;
	struct report_streams streams;
	struct report_folding folding;
	uint64_t wanted[2][REPORT_OPS];	/* by disk and operation */
};

static uint64_t sum_of(const struct report_folding *f, uint32_t disk,
		       uint8_t op)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < f->count; i++)
		if (f->list[i].disk == disk && f->list[i].op == op)
			sum += f->list[i].count;
	return sum;
}

static void assert_sums(const struct streams_made *m)
{
	for (uint32_t disk = 0; disk < 2; disk++)
		for (uint8_t op = 0; op < REPORT_OPS; op++)
			assert_int_equal(sum_of(&m->folding, disk, op),
					 m->wanted[disk][op]);
}

/* Sums are kept; those that did most stay as they are. */
static void test_streams(void **state)
{
	struct streams_made *m = calloc(1, sizeof(*m));
	uint32_t count, *list;
	uint64_t seed = 5;

	(void)state;
	for (uint32_t i = 0; i < PIDS; i++)
		assert_int_equal(report_pids_find(&m->pids, 0, i), i);
	m->disks.list[0].has_q = true;
	for (uint32_t i = 0; i < 100000; i++) {
		uint32_t disk = next(&seed) % 2;
		uint8_t op = (uint8_t)(next(&seed) % REPORT_OPS);
		bool no_q = next(&seed) % 4 == 0;
		uint32_t who = next(&seed) % PIDS;

		/* half of them are the first's */
		who = next(&seed) % 2 ? 0 : who;
		assert_true(report_streams_add(&m->streams, disk, op, no_q,
					       who) >= 0);
		if (!no_q || disk == 1)
			m->wanted[disk][op]++;
	}
	assert_true(m->streams.count > REPORT_STREAMS);
	assert_int_equal(report_pids_end(&m->pids), 0);
	assert_int_equal(report_folding_make(&m->folding, &m->streams,
					     &m->pids, &m->disks), 0);
	assert_sums(m);
	assert_int_equal(report_folding_fold(&m->folding, 10), 0);
	assert_sums(m);
	list = report_folding_processes(&m->folding, &count);
	assert_int_equal(count, 2);
	assert_int_equal(list[0], 0);
	assert_int_equal(list[1], REPORT_OTHERS);
	free(list);
	report_streams_free(&m->streams);
	report_pids_free(&m->pids);
	free(m);
}

/* --- disks ---------------------------------------------------------------- */

static void test_disks(void **state)
{
	struct device devices[3] = { { .id = 0 }, { .id = 1 }, { .id = 2 } };
	struct report_disks *d = calloc(1, sizeof(*d));
	struct io io = { .bytes = 4096, .birth = 'Q', .issued = IO_NONE };

	(void)state;
	/* 2 lies on 0, and both of them below 1, in a circle with it */
	for (uint32_t i = 0; i < 3; i++) {
		static const uint32_t from[] = { 12, 10, 11 };

		io.disk = &devices[i];
		io.device = 10 + i;
		io.sector = 100 * i;
		io.remapped = true;
		io.from_device = from[i];
		assert_int_equal(report_disks_add(d, &io), i);
	}
	report_disks_end(d);
	assert_int_equal(d->there, 3);
	assert_true(report_disks_over(d, 2, 0));
	assert_false(report_disks_over(d, 0, 2));
	assert_int_equal(d->list[1].lo, 100);
	assert_int_equal(d->list[1].hi, 108);
	assert_int_equal(d->order[0], 0);
	assert_int_equal(d->order[1], 1);
	assert_int_equal(d->order[2], 2);
	assert_int_equal(d->list[2].level, 2);
	free(d);
}

/* --- lanes, slowest, offsets ---------------------------------------------- */

static void test_lanes(void **state)
{
	struct report_lanes l = { .of = { { 0 } } };
	const struct report_lane *lane = &l.of[REPORT_LANE_FUA];

	(void)state;
	for (uint64_t i = 0; i < 100000; i++)
		assert_int_equal(report_lanes_add(&l, REPORT_LANE_FUA,
						  100000 - i, i), 0);
	report_lanes_end(&l);
	assert_int_equal(lane->count, 100000);
	assert_int_equal(lane->longest, 99999);
	assert_int_equal(lane->step, 8);
	assert_int_equal(lane->kept, 12500);
	for (size_t i = 1; i < lane->kept; i++)
		assert_int_equal(lane->list[i].time - lane->list[i - 1].time,
				 8);
	report_lanes_free(&l);
}

static void test_slowest(void **state)
{
	struct report_slowest *s = calloc(1, sizeof(*s));
	uint64_t seed = 3;

	(void)state;
	for (uint64_t i = 0; i < 10000; i++) {
		struct report_row row = { .id = i };

		/* each of them twice, in some order */
		report_slowest_add(s, &row, i * 7919 % 10000 / 2);
		next(&seed);
	}
	report_slowest_sort(s);
	assert_int_equal(s->count, REPORT_SLOWEST);
	for (unsigned int i = 0; i < s->count; i++) {
		assert_int_equal(s->list[i].ns, 4999 - i / 2);
		if (i % 2)
			assert_true(s->list[i].row.id > s->list[i - 1].row.id);
	}
	free(s);
}

enum { SECTORS = 1 << 16 };

/* rows that grew have what they would have, had they been so high at once */
static void test_offsets(void **state)
{
	uint32_t *wanted = calloc(SECTORS, sizeof(*wanted));
	struct report_offsets o;
	struct sparse_walk w;
	uint64_t seed = 1, total = 0;

	(void)state;
	assert_int_equal(report_offsets_init(&o, 1000000, 30000, 30100), 0);
	assert_int_equal(o.shift, 3);
	for (uint32_t i = 0; i < 20000; i++) {
		/* further and further away */
		uint32_t reach = 1 + i * (SECTORS / 2 - 1) / 20000;
		uint64_t sector = SECTORS / 2 - reach +
				  next(&seed) % (2 * reach);

		assert_int_equal(report_offsets_add(&o, i, 3, sector), 0);
		wanted[sector]++;
	}
	assert_int_equal(sparse_end(&o.cells), 0);
	assert_int_equal(report_offsets_flatten(&o, 2), 0);
	sparse_walk(&w, &o.cells, 0);
	while (sparse_next(&w)) {
		uint64_t from = o.base + ((uint64_t)(w.entry.key & 255) <<
					  o.shift);
		uint32_t sum = 0;

		assert_int_equal(w.entry.key >> REPORT_ROWS_BITS, 3);
		for (uint64_t s = from; s < from + (1u << o.shift); s++)
			sum += s < SECTORS ? wanted[s] : 0;
		assert_int_equal(w.entry.count, sum);
		total += sum;
	}
	assert_int_equal(total, 20000);
	report_offsets_free(&o);
	free(wanted);
}

/* --- depths --------------------------------------------------------------- */

enum { TIME = 20000, IOS = 4000 };

struct interval {
	uint64_t from, to;
};

static int by_end(const void *a, const void *b)
{
	const struct interval *one = a, *two = b;

	return one->to < two->to ? -1 : one->to > two->to;
}

static void make_intervals(struct interval *list, uint32_t *depth)
{
	uint64_t seed = 11;

	for (uint32_t i = 0; i < IOS; i++) {
		uint64_t from = next(&seed) % (TIME - 100);
		uint64_t length = next(&seed) % (i % 50 ? 100 : TIME - from);

		list[i] = (struct interval){ from, from + length };
		for (uint64_t t = from; t < from + length; t++)
			depth[t]++;
	}
	qsort(list, IOS, sizeof(*list), by_end);
}

static void assert_depth(const struct report_depths *d, const uint32_t *depth)
{
	const struct report_depth *one = &d->of[REPORT_DEPTH_IOS][7];
	uint64_t integral = 0, busy = 0;
	uint32_t max = 0;

	for (uint64_t bin = 0; bin < d->bins; bin++) {
		struct report_depth_bin b = { .min = UINT32_MAX };

		for (uint64_t t = bin * d->width;
		     t < (bin + 1) * d->width && t < TIME; t++) {
			b.min = depth[t] < b.min ? depth[t] : b.min;
			b.max = depth[t] > b.max ? depth[t] : b.max;
			b.integral += depth[t];
			busy += depth[t] > 0;
		}
		assert_int_equal(one->bins[bin].min, b.min);
		assert_int_equal(one->bins[bin].max, b.max);
		assert_int_equal(one->bins[bin].integral, b.integral);
		integral += b.integral;
		max = b.max > max ? b.max : max;
	}
	assert_int_equal(one->max, max);
	assert_int_equal(one->busy, busy);
	assert_true(wide_same(one->integral, wide_of(integral)));
}

/* They come in order of their ends; what has not come began at the earliest
 * when the first of those did. */
static void test_depths(void **state)
{
	struct interval *list = calloc(IOS, sizeof(*list));
	uint32_t *depth = calloc(TIME, sizeof(*depth));
	struct report_depths *d = calloc(1, sizeof(*d));

	(void)state;
	make_intervals(list, depth);
	report_depths_init(d);
	d->width = 4;
	for (uint32_t i = 0; i < IOS; i++) {
		uint64_t settled = UINT64_MAX;

		for (uint32_t k = i; i % 64 == 0 && k < IOS; k++)
			if (list[k].from < settled)
				settled = list[k].from;
		if (i % 64 == 0)
			assert_int_equal(report_depths_wait(d) ?
				report_depths_count(d, settled) : 0, 0);
		assert_int_equal(report_depths_add(d, 7, REPORT_IN_IOS |
						   REPORT_IN_ALL, list[i].from,
						   list[i].to), 0);
	}
	assert_int_equal(report_depths_end(d, TIME), 0);
	assert_true(d->exact);
	assert_int_equal(d->width, 8);
	assert_depth(d, depth);
	assert_int_equal(d->of[REPORT_DEPTH_IOS][REPORT_DEPTH_ALL].max,
			 d->of[REPORT_DEPTH_IOS][7].max);
	report_depths_widen(d, 4);
	assert_depth(d, depth);
	report_depths_free(d);
	free(list);
	free(depth);
	free(d);
}

/* What was open all the time is known at the end only, when others have been
 * counted: but for the bin in which it begins it counts as it was. */
static void test_late_open(void **state)
{
	struct report_depths *d = calloc(1, sizeof(*d));
	const struct report_depth *all = d->of[REPORT_DEPTH_IOS];

	(void)state;
	report_depths_init(d);
	d->width = 1024;
	for (uint64_t t = 0; t < 100; t++)
		assert_int_equal(report_depths_add(d, 7, REPORT_IN_IOS |
						   REPORT_IN_ALL, 100 * t,
						   100 * t + 50), 0);
	assert_int_equal(report_depths_count(d, 9000), 0);
	assert_int_equal(report_depths_add_open(d, 7, REPORT_IN_IOS |
						REPORT_IN_ALL, 1500, 9900), 0);
	assert_int_equal(report_depths_add_open(d, 7, REPORT_IN_IOS, 9910,
						10000), 0);
	assert_int_equal(report_depths_end(d, 10000), 0);
	assert_true(d->exact);
	assert_true(wide_same(all[7].integral, wide_of(100 * 50 + 8400 + 90)));
	assert_true(wide_same(all[REPORT_DEPTH_ALL].integral,
			      wide_of(100 * 50 + 8400)));
	assert_int_equal(all[7].max, 2);
	assert_int_equal(all[7].bins[0].max, 1);
	assert_int_equal(all[7].bins[2].min, 1);
	assert_int_equal(all[7].bins[2].max, 2);
	assert_int_equal(all[7].bins[2].busy, 1024);
	report_depths_free(d);
	free(d);
}

/* a trace may end at any time that has a number */
static void test_long_depth(void **state)
{
	struct report_depths *d = calloc(1, sizeof(*d));
	const struct report_depth *one = &d->of[REPORT_DEPTH_IOS][7];

	(void)state;
	report_depths_init(d);
	assert_int_equal(report_depths_add(d, 7, REPORT_IN_IOS, 5, 15), 0);
	assert_int_equal(report_depths_end(d, UINT64_MAX), 0);
	assert_int_equal(one->busy, 10);
	assert_int_equal(one->max, 1);
	report_depths_free(d);
	free(d);
}

/* --- excerpts ------------------------------------------------------------ */

/* the slow ones at these numbers, all others took 10 */
static uint64_t span_of(uint32_t i)
{
	return i == 5000 ? 900 : i == 5100 ? 950 : i == 7000 ? 500 :
	       i == 9000 ? 400 : i == 12000 ? 300 : i == 14000 ? 350 : 10;
}

static void test_excerpts(void **state)
{
	struct report_excerpts s;
	const uint32_t map[] = { 4 };

	(void)state;
	assert_int_equal(report_excerpts_init(&s, REPORT_EXCERPTS * 400), 0);
	for (uint32_t i = 0; i < 20000; i++) {
		struct report_row row = { .id = i, .flags = REPORT_HAS_Q };

		/* of errors and holes the first counts */
		row.error = i == 2500 || i == 3500 ? 5 : 0;
		if (i == 17000)
			report_excerpts_hole(&s, 10000 + 10 * 18000);
		if (i == 19000)
			report_excerpts_hole(&s, 10000 + 10 * 19000);
		row.end = span_of(i) + 1;
		row.time = 10000 + 10 * (uint64_t)i - span_of(i);
		assert_int_equal(report_excerpts_add(&s, &row,
				row.time + report_row_total(&row)), 0);
	}
	assert_int_equal(report_excerpts_end(&s, map), 0);
	assert_int_equal(s.count, REPORT_EXCERPTS);
	for (uint32_t i = 0; i < s.count; i++) {
		static const uint32_t at[] = { 2500, 5000, 7000, 9000,
					       14000, 18000 };
		uint64_t end = 10000 + 10 * (uint64_t)at[i];

		assert_true(s.list[i].from < end && end < s.list[i].to);
		assert_int_equal(s.list[i].end - s.list[i].first, 400);
		assert_int_equal(s.list[i].to - s.list[i].from, 3991);
		assert_int_equal(s.rows.list[s.list[i].first].stream, 4);
	}
	report_excerpts_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_pids),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_slowest),
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_depths),
		cmocka_unit_test(test_late_open),
		cmocka_unit_test(test_long_depth),
		cmocka_unit_test(test_excerpts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
