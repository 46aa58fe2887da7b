/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of capacity/capacity, with what is left and limits, on a simulated disk. */
#include "capacity/capacity.h"
#include "request/level_watcher.h"
#include "run/device.h"
#include "served.h"

static struct device disk = { .id = 3 };

static uint32_t on_come(void *capacity, uint64_t now)
{
	const struct level_watcher *w = capacity_watcher(capacity);

	return w->come(w->ctx, &disk, now);
}

/* every fourth is a write of twice the size */
static void on_done(void *capacity, const struct io *io, uint64_t now)
{
	const struct level_watcher *w = capacity_watcher(capacity);
	struct io its = *io;

	its.disk = &disk;
	its.device = 8 << 20;
	if (its.time % 4 == 0) {
		its.op = IO_WRITE;
		its.bytes *= 2;
	}
	w->go(w->ctx, &disk, now, io->time, false);
	assert_int_equal(capacity_add(capacity, &its), 0);
}

static struct capacity *swept(struct queue *q, uint64_t target)
{
	const struct window all = WINDOW_ALL;
	struct capacity *c;

	assert_int_equal(capacity_new(&c, &all, target), 0);
	*q = (struct queue){ .servers = 4, .service = 2 * NS_PER_MS,
			     .jitter = 0.2, .now = 1, .come = on_come,
			     .done = on_done, .ctx = c };
	state = 1;
	for (unsigned int depth = 1; depth <= 32; depth *= 2)
		run_closed(q, depth, 2);
	run_open(q, 1000, 8);
	return c;
}

static void assert_near(double is, double want, double off)
{
	if (fabs(is - want) > off)
		fail_msg("%f, not %f", is, want);
}

/* Without a target it is the capacity of which something is left. */
static void test_left(void **unused)
{
	static struct queue q;
	struct capacity *c = swept(&q, 0);
	const struct capacity_facts *f;

	(void)unused;
	assert_int_equal(capacity_end(c, q.now), 0);
	assert_int_equal(capacity_count(c), 4);
	assert_null(capacity_of(c, 0));
	assert_null(capacity_of(c, CAPACITY_DEVICES));
	f = &capacity_of(c, 3)->facts;
	assert_int_equal(f->knee.state, KNEE_FOUND);
	assert_near(f->knee.level.is, 4, 0.2);
	assert_near(f->headroom.left.is, 1 - f->headroom.now / 2000, 0.02);
	assert_true(f->headroom.left.low <= f->headroom.left.is);
	assert_true(f->headroom.left.is <= f->headroom.left.high);
	assert_true(levels_little(&f->sums));
	capacity_free(c);
}

/* Of 16 at a time most take four times as long, of 8 two times. */
static void test_target(void **unused)
{
	static const struct {
		uint64_t target;
		double low, high;	/* the deepest that keeps it */
	} tries[] = { { 3 * NS_PER_MS, 3, 5 }, { 6 * NS_PER_MS, 7, 12 },
		      { 11 * NS_PER_MS, 15, 23 } };
	static struct queue q;

	(void)unused;
	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		struct capacity *c = swept(&q, tries[i].target);
		const struct headroom *h;

		assert_int_equal(capacity_end(c, q.now), 0);
		h = &capacity_of(c, 3)->facts.headroom;
		assert_true(h->known && !h->none && !h->at_least);
		if (h->level < tries[i].low || h->level > tries[i].high)
			fail_msg("%f is kept", h->level);
		capacity_free(c);
	}
}

/* Nothing is as fast; or all is. */
static void test_no_target(void **unused)
{
	static struct queue q;
	struct capacity *c = swept(&q, NS_PER_US);

	(void)unused;
	assert_int_equal(capacity_end(c, q.now), 0);
	assert_true(capacity_of(c, 3)->facts.headroom.none);
	capacity_free(c);
	c = swept(&q, NS_PER_SECOND);
	assert_int_equal(capacity_end(c, q.now), 0);
	assert_true(capacity_of(c, 3)->facts.headroom.level > 20);
	capacity_free(c);
}

static void test_limits(void **unused)
{
	static struct queue q;
	struct capacity *c = swept(&q, 0);
	const struct limits *l;

	(void)unused;
	assert_int_equal(capacity_end(c, q.now), 0);
	l = &capacity_of(c, 3)->facts.limits;
	assert_true(l->known);
	/* 90% of 2000 */
	assert_near((double)(l->riops + l->wiops), 1800, 60);
	assert_near((double)l->rbps, 4096.0 * (double)l->riops, 4096);
	assert_near((double)l->wbps, 8192.0 * (double)l->wiops, 8192);
	assert_near((double)l->wiops, 450, 60);
	/* 10% above 2 ms and a bit */
	assert_near((double)l->target, 2400, 300);
	assert_near((double)l->target_mean, 2200, 200);
	capacity_free(c);
}

/* One that never completes makes all depths too high by one. */
static void test_lost(void **unused)
{
	static struct queue q;
	struct capacity *c = swept(&q, 0);
	const struct capacity_facts *f;
	uint32_t level = on_come(c, q.now);
	struct io lost = { .time = q.now, .level = level, .disk = &disk,
			   .ended = IO_ENDED_OPEN, .total = IO_NONE };

	(void)unused;
	run_open(&q, 1000, 20);
	lost.age = q.now - lost.time;
	capacity_watcher(c)->go(c, &disk, q.now, lost.time, false);
	assert_int_equal(capacity_add(c, &lost), 0);
	assert_int_equal(capacity_end(c, q.now), 0);
	f = &capacity_of(c, 3)->facts;
	assert_false(levels_little(&f->sums));
	assert_int_equal(f->knee.state, KNEE_DOUBTFUL);
	assert_false(f->headroom.known);
	assert_false(f->limits.known);
	capacity_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_left),
		cmocka_unit_test(test_target),
		cmocka_unit_test(test_no_target),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
