/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What findings are gathered by: each streaming form beside the plain one,
 * which keeps everything.
 */
#include "findings/behind.h"
#include "findings/faults.h"
#include "findings/processes.h"
#include "findings/recent.h"
#include "findings/regions.h"
#include "findings/rhythm.h"
#include "make.h"
#include "request/io.h"

#define MS 1000000ULL
#define SECOND 1000000000ULL

enum { COUNT = 3000, DEEP = 300 };

/* --- made-up requests ---------------------------------------------------- */

/* COUNT requests by their end, of which none is overtaken by many */
static struct served *make_requests(uint64_t seed, uint32_t longest)
{
	struct served *list = calloc(COUNT, sizeof(*list));
	uint64_t now = 0;

	for (uint32_t i = 0; i < COUNT; i++) {
		struct served *s = &list[i];

		now += 100 + chance(&seed) % 1000 +
		       (chance(&seed) % 200 ? 0 : 40 * MS);
		s->end = s->at[SERVED_DONE] = now;
		for (int m = SERVED_ISSUED; m >= 0; m--) {
			uint64_t back = chance(&seed) % longest;

			s->at[m] = s->at[m + 1] > back ? s->at[m + 1] - back
						       : 0;
		}
		s->bytes = 4096;
		s->data = true;
		s->flush = chance(&seed) % 10 == 0;
	}
	return list;
}

/* --- recent -------------------------------------------------------------- */

struct seen {
	uint64_t time;
	uint32_t moment;
};

static int by_time(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->moment > y->moment) - (x->moment < y->moment);
}

static struct recent *new_recent(void)
{
	return calloc(1, sizeof(struct recent));
}

/* all moments until then, behind those that were seen */
static size_t drain(struct recent *r, uint64_t until, struct seen *seen,
		    size_t count)
{
	struct recent_way w = recent_start(r, until);
	enum served_moment moment;

	while ((moment = recent_which(&w)) != SERVED_MOMENTS) {
		recent_take(r, &w, moment);
		seen[count++] = (struct seen){ r->now, moment };
	}
	recent_stop(r, &w);
	return count;
}

static size_t pass_through(struct recent *r, const struct served *list,
			   struct seen *seen)
{
	size_t count = 0;

	for (uint32_t i = 0; i < COUNT; i++) {
		if (recent_full(r)) {
			count = drain(r, recent_oldest_end(r), seen, count);
			recent_drop(r);
		}
		recent_add(r, &list[i]);
	}
	return drain(r, UINT64_MAX, seen, count);
}

/* moments come out as if all had been sorted */
static void test_recent(void **state)
{
	struct seen *seen = calloc(COUNT * SERVED_MOMENTS, sizeof(*seen));
	struct seen *want = calloc(COUNT * SERVED_MOMENTS, sizeof(*want));
	struct served *list = make_requests(7, 100000);
	struct recent *r = new_recent();
	size_t count = 0;

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++)
		for (uint32_t m = 0; m < SERVED_MOMENTS; m++)
			want[count++] = (struct seen){ list[i].at[m], m };
	qsort(want, count, sizeof(*want), by_time);
	assert_int_equal(pass_through(r, list, seen), count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(seen[i].time, want[i].time);
		assert_int_equal(seen[i].moment, want[i].moment);
	}
	free(r);
	free(list);
	free(want);
	free(seen);
}

/* What comes too late happens now, and in its own order. */
static void test_late(void **state)
{
	struct seen *seen = calloc(COUNT * SERVED_MOMENTS, sizeof(*seen));
	struct served *list = make_requests(9, 1000);
	struct recent *r = new_recent();
	size_t count;

	(void)state;
	for (int m = 0; m < SERVED_DONE; m++)
		list[COUNT - 1].at[m] = 0;
	count = pass_through(r, list, seen);
	assert_int_equal(count, COUNT * SERVED_MOMENTS);
	for (size_t i = 1; i < count; i++)
		assert_true(seen[i - 1].time <= seen[i].time);
	free(r);
	free(list);
	free(seen);
}

/* --- flight -------------------------------------------------------------- */

/* how many are between two of their moments at a time */
static uint32_t within(const struct served *list, enum served_moment from,
		       enum served_moment to, uint64_t time)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < DEEP; i++)
		count += list[i].at[from] <= time && list[i].at[to] > time;
	return count;
}

/* sums of time, between each two moments that there are */
static void plain_flight(const struct served *list, struct flight *f)
{
	struct seen all[DEEP * SERVED_MOMENTS];
	size_t count = 0;

	for (uint32_t i = 0; i < DEEP; i++)
		for (uint32_t m = 0; m < SERVED_MOMENTS; m++)
			all[count++] = (struct seen){ list[i].at[m], m };
	qsort(all, count, sizeof(*all), by_time);
	for (size_t i = 1; i < count; i++) {
		uint64_t at = all[i - 1].time, span = all[i].time - at;
		uint32_t depth = within(list, SERVED_ISSUED, SERVED_DONE, at);

		f->spent[depth] += span;
		f->waited[depth] += span *
			within(list, SERVED_WAITS, SERVED_ISSUED, at);
		if (span && depth > f->most)
			f->most = depth;
	}
}

static void see_moment(struct flight *f, const struct served *s,
		       enum served_moment moment, uint64_t now)
{
	if (moment == SERVED_BEGUN)
		assert_int_equal(flight_begun(f, s, now), 0);
	else if (moment == SERVED_WAITS)
		flight_ready(f, now);
	else if (moment == SERVED_ISSUED)
		flight_issued(f, s, now);
	else
		assert_int_equal(flight_done(f, s, now), 0);
}

/* time with at least one flush */
static uint64_t plain_flushed(const struct served *list)
{
	uint64_t sum = 0, end = 0;

	/* they are by their ends: from the last on, what is not covered yet */
	for (uint32_t i = DEEP; i--;) {
		uint64_t from = list[i].at[SERVED_ISSUED];
		uint64_t to = list[i].at[SERVED_DONE];

		if (!list[i].flush)
			continue;
		if (end && to > end)
			to = end;
		sum += to > from ? to - from : 0;
		end = !end || from < end ? from : end;
	}
	return sum;
}

static void test_flight(void **state)
{
	struct flight *f = calloc(1, sizeof(*f)), *want = calloc(1, sizeof(*f));
	struct served *list = make_requests(11, 3000);
	struct recent *r = new_recent();
	enum served_moment moment;
	struct recent_way w;

	(void)state;
	for (uint32_t i = 0; i < DEEP; i++)
		recent_add(r, &list[i]);
	w = recent_start(r, UINT64_MAX);
	while ((moment = recent_which(&w)) != SERVED_MOMENTS) {
		const struct served *s = recent_take(r, &w, moment);

		see_moment(f, s, moment, r->now);
	}
	recent_stop(r, &w);
	plain_flight(list, want);
	/* before the first: nothing is known of it */
	f->spent[0] = want->spent[0];
	assert_memory_equal(f->spent, want->spent, sizeof(f->spent));
	assert_memory_equal(f->waited, want->waited, sizeof(f->waited));
	assert_true(flight_alone(f) && flight_busy(f) > flight_alone(f) &&
		    want->most > 3);
	assert_int_equal(f->flushed, plain_flushed(list));
	assert_int_equal(f->depth + f->waiting + f->flushing, 0);
	flight_free(f);
	free(f);
	free(want);
	free(r);
	free(list);
}

/* --- stalls -------------------------------------------------------------- */

/* who waits in the gap before the i-th, of all that end with it or later */
static struct stall_gap plain_gap(const struct served *list, uint32_t i)
{
	struct stall_gap g = { .last = list[i - 1].at[SERVED_DONE],
			       .next = list[i].at[SERVED_DONE] };

	g.issued = g.next;
	for (uint32_t k = i; k < COUNT; k++) {
		uint64_t begun = list[k].at[SERVED_BEGUN];

		if (list[k].at[SERVED_ISSUED] < g.issued)
			g.issued = list[k].at[SERVED_ISSUED];
		g.waiters += begun < g.next && g.next - begun > 5 * MS;
	}
	return g;
}

static void test_stalls(void **state)
{
	struct served *list = make_requests(13, 30 * MS);
	struct stalls *l = calloc(1, sizeof(*l));
	uint32_t gap = 0, stalls = 0;

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++)
		stalls_add(l, &list[i]);
	for (uint32_t i = 1; i < COUNT; i++) {
		struct stall_gap want;

		if (list[i].at[SERVED_DONE] - list[i - 1].at[SERVED_DONE] <
		    20 * MS)
			continue;
		want = plain_gap(list, i);
		assert_true(gap < l->count);
		assert_int_equal(l->gaps[gap].next, want.next);
		assert_int_equal(l->gaps[gap].waiters, want.waiters);
		assert_int_equal(stalls_from(&l->gaps[gap]),
				 stalls_from(&want));
		stalls += stalls_is_one(&l->gaps[gap++], 29 * MS + MS * 9 / 10);
	}
	assert_int_equal(gap, l->count);
	assert_true(stalls > 0 && stalls < gap);
	free(l);
	free(list);
}

/* one long silence is kept, however many short ones follow */
static void test_many_gaps(void **state)
{
	struct stalls *l = calloc(1, sizeof(*l));
	struct served s = { .data = true };

	(void)state;
	for (uint32_t i = 0; i < 10000; i++) {
		uint64_t span = i == 5 ? SECOND : 25 * MS;

		s.at[SERVED_BEGUN] = s.at[SERVED_DONE];
		s.at[SERVED_ISSUED] = s.at[SERVED_DONE];
		s.at[SERVED_DONE] += span;
		stalls_add(l, &s);
	}
	assert_int_equal(l->count, STALLS_MAX);
	assert_int_equal(l->gaps[0].next - stalls_from(&l->gaps[0]), SECOND);
	free(l);
}

/* --- regions ------------------------------------------------------------- */

static uint64_t sum_of(const struct regions *r)
{
	uint64_t sum = 0;

	for (int i = 0; i < REGIONS_CELLS; i++)
		sum += r->cells[i].count;
	return sum;
}

static void add_at(struct regions *r, uint64_t sector, uint64_t issued,
		   uint64_t took)
{
	struct served s = { .sector = sector, .bytes = 4096 };

	s.at[SERVED_ISSUED] = issued;
	s.at[SERVED_DONE] = issued + took;
	regions_add(r, &s, 100);
}

/* takes each sector out of the cell where it belongs */
static void take_out(struct regions *r, const uint64_t *sectors, int count)
{
	for (int i = 0; i < count; i++) {
		uint64_t cell = (sectors[i] >> r->shift) - r->base;

		assert_true(cell < REGIONS_CELLS);
		assert_true(r->cells[cell].count > 0);
		r->cells[cell].count--;
	}
}

/* nothing is lost whatever comes, and each sector lies in its cell */
static void test_reach(void **state)
{
	static const uint64_t widths[] = { 1 << 10, 1 << 20, 1ULL << 40,
					   UINT64_MAX };
	uint64_t sectors[2000], seed = 17;

	(void)state;
	for (int k = 0; k < 4; k++) {
		struct regions *r = calloc(1, sizeof(*r));

		for (int i = 0; i < 2000; i++) {
			uint64_t wild = (uint64_t)chance(&seed) << 33 ^
					(uint64_t)chance(&seed) << 8;

			/* from small ones to all */
			sectors[i] = (wild % widths[k] >> (40 - i / 50)) +
				     widths[k] / 3;
			add_at(r, sectors[i], (uint64_t)i * MS, 100);
		}
		assert_int_equal(sum_of(r), 2000);
		take_out(r, sectors, 2000);
		assert_int_equal(sum_of(r), 0);
		free(r);
	}
}

/* going down a sector at a time is no trouble */
static void test_downward(void **state)
{
	struct regions *r = calloc(1, sizeof(*r));

	(void)state;
	for (uint64_t i = 0; i < 300000; i++)
		add_at(r, (1ULL << 40) - i * 8, i, 100);
	assert_int_equal(sum_of(r), 300000);
	assert_true(r->shift < 16);
	free(r);
}

/* a slow part is where it is, and slow for as long as it was */
static void test_parts(void **state)
{
	struct region_part parts[REGIONS_PARTS];
	struct regions *r = calloc(1, sizeof(*r));
	uint64_t seed = 19;

	(void)state;
	for (uint64_t i = 0; i < 40000; i++) {
		uint64_t sector = chance(&seed) % (1 << 20);
		uint64_t time = i * MS / 4;	/* ten seconds in all */
		bool slow = sector / 8192 == 40 && time < 5 * SECOND;

		add_at(r, sector, time, slow ? 1000 : 100);
	}
	regions_parts(r, 0, 10 * SECOND, parts);
	for (uint32_t i = 0; i < REGIONS_PARTS; i++) {
		if (i != 40)
			assert_true(parts[i].slow * 4 < parts[i].count);
		assert_in_range(parts[i].count, 200, 450);
		assert_int_equal(parts[i].times, 20);
	}
	assert_true(parts[40].slow * 3 > parts[40].count);
	assert_in_range(parts[40].slow_times, 9, 11);
	assert_int_equal(parts[40].ratios / parts[40].slow, 10000);
	assert_in_range(regions_border(r, 40), 327600, 327800);
	free(r);
}

/* --- behind -------------------------------------------------------------- */

static void add_io(struct behind *b, struct processes *p, enum served_op op,
		   uint64_t begun, uint64_t took)
{
	struct served s = { .op = op, .size = 3, .data = true,
			    .process = (uint32_t)processes_find(p, 1) };

	s.bytes = op == SERVED_WRITE ? 1 << 20 : 4096;
	s.at[SERVED_BEGUN] = s.at[SERVED_ISSUED] = begun;
	s.at[SERVED_DONE] = begun + took;
	assert_int_equal(behind_add(b, p, &s), 0);
}

/* whether reads that take so long beside writes are told from the rest */
static bool told(uint64_t beside, uint64_t stall)
{
	struct behind *b = calloc(1, sizeof(*b));
	struct behind_proof proof;
	struct processes p = { 0 };
	bool found;

	for (uint64_t i = 0; i < 200; i++) {
		add_io(b, &p, SERVED_WRITE, i * 10 * MS, MS);
		add_io(b, &p, SERVED_READ, i * 10 * MS + MS / 2, beside);
		add_io(b, &p, SERVED_READ, i * 10 * MS + 5 * MS, MS);
	}
	if (stall)
		add_io(b, &p, SERVED_WRITE, 3 * SECOND, stall);
	for (uint64_t i = 1; i < stall / MS; i++)
		add_io(b, &p, SERVED_READ, 3 * SECOND + i * MS, stall - i * MS);
	found = behind_proves(&b->kinds[BEHIND_WRITES], 50, 3000, MS / 2,
			      &proof);
	behind_free(b);
	processes_clear(&p);
	free(b);
	return found;
}

/* What waits in a stall together with a write does not wait for it. */
static void test_behind(void **state)
{
	(void)state;
	assert_true(told(3 * MS + MS / 10, 0));
	assert_false(told(2 * MS, 0));
	assert_false(told(MS, 900 * MS));
}

/* --- served -------------------------------------------------------------- */

static struct io served_io(void)
{
	struct io io = {
		.id = 3, .rq = 3, .birth = 'Q', .time = 1000, .total = 9000,
		.issued = 7000, .has = 1U << IO_D2C | 1U << IO_I2D |
				       1U << IO_REQUEUE,
		.bytes = 512, .rq_bytes = 4096,
	};

	io.phase[IO_D2C] = 2500;
	io.phase[IO_I2D] = 400;
	io.phase[IO_REQUEUE] = 600;
	return io;
}

static void test_served(void **state)
{
	struct io io = served_io();
	struct served s;

	(void)state;
	assert_true(served_from_io(&s, &io));
	assert_int_equal(s.at[SERVED_BEGUN], 1000);
	assert_int_equal(s.at[SERVED_WAITS], 6000);
	assert_int_equal(s.at[SERVED_ISSUED], 7000);
	assert_int_equal(s.at[SERVED_DONE], 9500);
	assert_int_equal(s.end, 10000);
	assert_int_equal(s.bytes, 4096);
	assert_int_equal(s.size, 3);
	io.rq = 2;
	assert_false(served_from_io(&s, &io));
	io = served_io();
	io.time = SERVED_LATEST;
	assert_false(served_from_io(&s, &io));
	io = served_io();
	io.phase[IO_D2C] = UINT64_MAX;
	assert_true(served_from_io(&s, &io));
	assert_int_equal(s.at[SERVED_DONE], 10000);
}

/* --- rhythm -------------------------------------------------------------- */

static void add_slow(struct rhythm *r, uint64_t issued)
{
	struct served s = { .data = true };

	s.at[SERVED_ISSUED] = issued;
	s.at[SERVED_DONE] = issued + 50 * MS;
	assert_int_equal(rhythm_add(r, &s, MS), 0);
}

/* The one that waited longest may come last: it is still of its cluster. */
static void test_rhythm(void **state)
{
	struct rhythm r = { 0 };

	(void)state;
	for (uint64_t i = 1; i <= 10; i++) {
		add_slow(&r, i * SECOND + (i % 2 ? 20 * MS : 0));
		add_slow(&r, i * SECOND + 60 * MS);
		add_slow(&r, i * SECOND + (i % 2 ? 0 : 20 * MS));
	}
	assert_int_equal(rhythm_end(&r), 0);
	assert_int_equal(r.clusters, 10);
	assert_int_equal(r.slow, 30);
	assert_int_equal(r.gaps.count, 9);
	assert_int_equal(r.gaps.min, SECOND);
	assert_int_equal(r.gaps.max, SECOND);
	assert_int_equal(rhythm_between(&r, 9 * SECOND / 10, 11 * SECOND / 10),
			 9);
	assert_int_equal(rhythm_between(&r, 0, SECOND / 2), 0);
	rhythm_free(&r);
}

/* --- processes ----------------------------------------------------------- */

static const char *name_of(const void *names, uint16_t origin, uint32_t pid)
{
	(void)names;
	(void)origin;
	return pid % 10 == 0 ? "kworker/0:1" : pid % 10 == 1 ? "fio" : NULL;
}

/* one name is one process; those who come too late are one without a name */
static void test_processes(void **state)
{
	struct processes p = { .name = name_of };
	uint64_t first, second;

	(void)state;
	for (uint32_t pid = 1; pid <= 5000; pid++) {
		int process = processes_find(&p, pid);

		assert_in_range(process, 0, PROCESSES_MAX - 1);
		assert_int_equal(process == PROCESSES_OTHERS,
				 pid >= PROCESSES_MAX);
		assert_int_equal(processes_find(&p, pid), process);
		processes_count(&p, (uint32_t)process, PROCESSES_ALL);
	}
	assert_int_equal(p.count, PROCESSES_MAX);
	processes_most(&p, PROCESSES_ALL, &first, &second);
	assert_int_equal(first, 1);	/* fio, 103 of them */
	assert_int_equal(second, 10);
	assert_true(p.list[processes_find(&p, 20)].kworker);
	assert_false(p.list[processes_find(&p, 21)].kworker);
	processes_most(&p, PROCESSES_ERRORS, &first, &second);
	assert_int_equal(first, UINT64_MAX);
	processes_clear(&p);
}

/* --- faults -------------------------------------------------------------- */

/* A request is pushed back when it was issued before, and only then. */
static void test_requeues(void **state)
{
	static const struct {
		uint32_t issues, requeues, pushed_back;
	} ways[] = {
		{ 1, 0, 0 }, { 2, 1, 1 }, { 3, 2, 2 },
		{ 1, 5, 0 }, { 2, 9, 1 }, { 0, 3, 0 }, { 2, 0, 0 },
	};
	struct faults f = { 0 };
	uint64_t issues = 0, pushed_back = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct io io = { .id = i + 1, .rq = i + 1,
				 .issued = ways[i].issues ? 1 : IO_NONE,
				 .issues = ways[i].issues,
				 .requeues = ways[i].requeues };

		assert_int_equal(faults_add(&f, &io), 0);
		issues += ways[i].issues;
		pushed_back += ways[i].pushed_back;
		assert_int_equal(f.issues, issues);
		assert_int_equal(f.requeues, pushed_back);
	}
	faults_free(&f);
}

/* How old what hangs must be is no matter of ios that may have another's end. */
static void test_longest(void **state)
{
	struct faults f = { 0 };
	struct io io = { .id = 1, .rq = 1, .total = 5 * SECOND };

	(void)state;
	assert_int_equal(faults_add(&f, &io), 0);
	io.sure = true;
	io.total = SECOND;
	assert_int_equal(faults_add(&f, &io), 0);
	assert_int_equal(f.longest, SECOND);
	faults_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recent),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_flight),
		cmocka_unit_test(test_stalls),
		cmocka_unit_test(test_many_gaps),
		cmocka_unit_test(test_reach),
		cmocka_unit_test(test_downward),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_behind),
		cmocka_unit_test(test_served),
		cmocka_unit_test(test_rhythm),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_requeues),
		cmocka_unit_test(test_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
