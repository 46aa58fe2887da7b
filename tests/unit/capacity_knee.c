/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of capacity/: queues of known servers, simulated. */
#include "capacity/knee.h"
#include "served.h"

/* 1 to 32 servers, three kinds, four seeds */
enum { TRIES = 72 };

/* --- simulated queues ----------------------------------------------------- */

static uint32_t on_come(void *levels, uint64_t now)
{
	return levels_come(levels, now);
}

static void on_done(void *levels, const struct io *io, uint64_t now)
{
	levels_go(levels, now, io->time, false);
	assert_int_equal(levels_add(levels, io), 0);
}

static void begin(struct queue *q, unsigned int servers, double service,
		  double jitter, uint64_t seed)
{
	const struct window all = WINDOW_ALL;
	struct levels *levels;

	state = seed;
	assert_int_equal(levels_new(&levels, &all, UINT64_MAX), 0);
	*q = (struct queue){ .servers = servers, .service = service,
			     .jitter = jitter, .now = 1, .come = on_come,
			     .done = on_done, .ctx = levels };
}

static void end(struct queue *q, struct knee *k)
{
	levels_end(q->ctx, q->now);
	knee_of(k, q->ctx);
	levels_free(q->ctx);
}

/* --- loads ---------------------------------------------------------------- */

#define SERVICE (2 * NS_PER_MS)

static double capacity_of(const struct queue *q)
{
	return q->servers * (double)NS_PER_SECOND / q->service;
}

/* a second of each of these depths, as a sweep of fio has it */
static void sweep(struct queue *q, unsigned int least, unsigned int most)
{
	for (unsigned int depth = least; depth <= most; depth *= 2)
		run_closed(q, depth, 1);
}

static void load_sweep(struct queue *q)
{
	sweep(q, 1, 128);
}

/* an hour that becomes busier, in small */
static void load_steps(struct queue *q)
{
	for (unsigned int i = 1; i <= 8; i++)
		run_open(q, capacity_of(q) * i / 8.2, 1);
}

static void load_steady(struct queue *q)
{
	run_open(q, 0.8 * capacity_of(q), 10);
}

/* many at a time, then nothing */
static void load_bursts(struct queue *q)
{
	for (unsigned int i = 0; i < 300; i++) {
		run_closed(q, 1 + (unsigned int)(uniform() * 3 * q->servers),
			   0);
		q->now += (uint64_t)exponential(20 * NS_PER_MS);
	}
}

/* How far the knee may be off, by the kind of service, and how many of a hundred
 * tries may have it outside of its range. */
struct load {
	const char *name;
	void (*run)(struct queue *q);
	double off[3];		/* by jitter */
	unsigned int outside;
};

static const double jitters[] = { 0, 0.3, 2 };

static void one_try(const struct load *l, unsigned int servers, int jitter,
		    uint64_t seed, unsigned int *outside)
{
	static struct queue q;
	struct knee k;

	begin(&q, servers, SERVICE, jitters[jitter], seed);
	l->run(&q);
	end(&q, &k);
	if (k.state == KNEE_ABOVE) {	/* not seen, and so it says */
		assert_true(l->run != load_sweep && l->run != load_steps);
		return;
	}
	assert_int_equal(k.state, KNEE_FOUND);
	if (fabs(k.level.is / servers - 1) > l->off[jitter])
		fail_msg("%s: %u servers, knee %.2f", l->name, servers,
			 k.level.is);
	assert_true(fabs(k.rate.is / capacity_of(&q) - 1) < l->off[jitter]);
	*outside += servers < k.level.low || servers > k.level.high;
}

static void test_loads(void **unused)
{
	static const struct load loads[] = {
		{ "sweep", load_sweep, { 0.03, 0.04, 0.1 }, 5 },
		{ "steps", load_steps, { 0.03, 0.03, 0.3 }, 5 },
		{ "steady", load_steady, { 0.04, 0.04, 0.3 }, 5 },
		{ "bursts", load_bursts, { 0.2, 0.25, 0.9 }, 5 },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
		unsigned int outside = 0;

		for (unsigned int try = 0; try < TRIES; try++)
			one_try(&loads[i], 1u << try % 6, try / 6 % 3,
				1 + try / 18, &outside);
		assert_true(100 * outside <= loads[i].outside * TRIES);
	}
}

/* --- what a trace does not show ------------------------------------------- */

static void swept(unsigned int servers, unsigned int least, unsigned int most,
		  struct knee *k)
{
	static struct queue q;

	begin(&q, servers, SERVICE, 0.3, 1);
	sweep(&q, least, most);
	end(&q, k);
}

/* All of this many at a time are served. */
static void test_above(void **unused)
{
	struct knee k;

	(void)unused;
	for (unsigned int servers = 8; servers <= 64; servers *= 2)
		for (unsigned int most = servers / 2; most <= servers;
		     most *= 2) {
			swept(servers, 1, most, &k);
			assert_int_equal(k.state, KNEE_ABOVE);
			assert_true(isinf(k.level.is));
			/* the rate of that depth */
			assert_true(fabs(k.rate.is / (most * 500.0) - 1) <
				    0.05);
			assert_true(isinf(k.rate.high));
		}
}

/* Of those who wait one is seen, as its process then sleeps. */
static void test_one_waits(void **unused)
{
	static struct queue q;
	struct knee k;

	(void)unused;
	for (unsigned int servers = 2; servers <= 8; servers *= 2) {
		begin(&q, servers, SERVICE, 0.1, 1);
		for (unsigned int depth = 1; depth <= servers + 1; depth++)
			run_closed(&q, depth, 2);
		end(&q, &k);
		assert_int_equal(k.state, KNEE_FOUND);
		assert_true(fabs(k.level.is / servers - 1) < 0.05);
	}
}

/* Some wait at all times. */
static void test_below(void **unused)
{
	struct knee k;

	(void)unused;
	for (unsigned int servers = 1; servers <= 8; servers *= 2) {
		swept(servers, 4 * servers, 32 * servers, &k);
		assert_int_equal(k.state, KNEE_BELOW);
		assert_true(k.level.low <= servers);
		assert_true(k.level.high >= servers);
		assert_true(fabs(k.rate.is / (servers * 500.0) - 1) < 0.05);
	}
}

/* One depth: there is nothing to compare it with. */
static void test_no_range(void **unused)
{
	struct knee k;

	(void)unused;
	swept(4, 32, 32, &k);
	assert_int_equal(k.state, KNEE_NO_RANGE);
	assert_true(fabs(k.rate.is / 2000 - 1) < 0.05);
	swept(4, 1, 1, &k);
	assert_int_equal(k.state, KNEE_NO_RANGE);
}

static void test_nothing(void **unused)
{
	static struct queue q;
	struct knee k;

	(void)unused;
	begin(&q, 1, SERVICE, 0, 1);
	end(&q, &k);
	assert_int_equal(k.state, KNEE_NONE);
	begin(&q, 1, SERVICE, 0, 1);
	run_closed(&q, 4, 0.1);		/* not in all groups */
	end(&q, &k);
	assert_int_equal(k.state, KNEE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_above),
		cmocka_unit_test(test_one_waits),
		cmocka_unit_test(test_below),
		cmocka_unit_test(test_no_range),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
