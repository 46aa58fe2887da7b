/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of capacity/: queues of known servers, simulated. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/time.h"
#include "capacity/knee.h"
#include "request/io.h"

enum {
	MOST = 4096,		/* I/Os at a time */
	SERVERS = 64,
	TRIES = 72		/* 1 to 32 servers, three kinds, four seeds */
};

/* --- simulated queues ----------------------------------------------------- */

static uint64_t state;

static double uniform(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double exponential(double mean)
{
	return -mean * log(uniform());
}

/* one of several servers in front of one queue */
struct queue {
	unsigned int servers;
	double service;		/* ns */
	double jitter;		/* of it: 0 to 1 is uniform, 2 exponential */
	struct levels *levels;
	uint64_t now;
	/* I/Os by when they came, waiting from first on */
	uint64_t came[MOST];
	uint32_t level[MOST];
	unsigned int first, last;
	/* at a server, or came is 0 */
	struct {
		uint64_t came, ends;
		uint32_t level;
	} at[SERVERS];
};

static double service_of(const struct queue *q)
{
	if (q->jitter > 1)
		return exponential(q->service);
	return q->service * (1 + q->jitter * (uniform() - 0.5));
}

static void serve_next(struct queue *q)
{
	for (unsigned int i = 0; i < q->servers && q->first < q->last; i++) {
		unsigned int n = q->first % MOST;

		if (q->at[i].came)
			continue;
		q->at[i].came = q->came[n];
		q->at[i].level = q->level[n];
		q->at[i].ends = q->now + 1 + (uint64_t)service_of(q);
		q->first++;
	}
}

static void come(struct queue *q)
{
	unsigned int n = q->last++ % MOST;

	assert_true(q->last - q->first < MOST);
	q->came[n] = q->now;
	q->level[n] = levels_come(q->levels, q->now);
	serve_next(q);
}

/* the server that is done first, or -1 */
static int next_done(const struct queue *q)
{
	int found = -1;

	for (unsigned int i = 0; i < q->servers; i++)
		if (q->at[i].came &&
		    (found < 0 || q->at[i].ends < q->at[found].ends))
			found = (int)i;
	return found;
}

static void complete(struct queue *q, int server)
{
	struct io io = {
		.time = q->at[server].came, .level = q->at[server].level,
		.bytes = 4096, .has = 1u << IO_D2C,
	};

	q->now = q->at[server].ends;
	io.total = q->now - io.time;
	io.phase[IO_D2C] = io.total;
	q->at[server].came = 0;
	levels_go(q->levels, q->now, io.time, false);
	assert_int_equal(levels_add(q->levels, &io), 0);
	serve_next(q);
}

/* So many at a time, each followed by another one, until a moment, and until all
 * are done. */
static void run_closed(struct queue *q, unsigned int depth, double seconds)
{
	uint64_t end = q->now + (uint64_t)(seconds * NS_PER_SECOND);
	int next;

	for (unsigned int i = 0; i < depth; i++)
		come(q);
	while ((next = next_done(q)) >= 0) {
		complete(q, next);
		if (q->now < end)
			come(q);
	}
}

/* so many a second at random */
static void run_open(struct queue *q, double rate, double seconds)
{
	uint64_t end = q->now + (uint64_t)(seconds * NS_PER_SECOND);
	uint64_t arrival = q->now;

	while (q->now < end) {
		int next = next_done(q);

		if (next >= 0 && q->at[next].ends <= arrival) {
			complete(q, next);
			continue;
		}
		q->now = arrival;
		come(q);
		arrival += 1 + (uint64_t)exponential(NS_PER_SECOND / rate);
	}
}

static void begin(struct queue *q, unsigned int servers, double service,
		  double jitter, uint64_t seed)
{
	const struct window all = WINDOW_ALL;

	state = seed;
	*q = (struct queue){ .servers = servers, .service = service,
			     .jitter = jitter, .now = 1 };
	assert_int_equal(levels_new(&q->levels, &all, UINT64_MAX), 0);
}

static void end(struct queue *q, struct knee *k)
{
	levels_end(q->levels, q->now);
	knee_of(k, q->levels);
	levels_free(q->levels);
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
	for (unsigned int servers = 8; servers <= 64; servers *= 2) {
		swept(servers, 1, servers / 2, &k);
		assert_int_equal(k.state, KNEE_ABOVE);
		assert_true(isinf(k.level.is));
		/* what half of them do */
		assert_true(fabs(k.rate.is / (servers / 2 * 500.0) - 1) < 0.05);
		assert_true(isinf(k.rate.high));
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
		cmocka_unit_test(test_below),
		cmocka_unit_test(test_no_range),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
