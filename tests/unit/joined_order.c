/* SPDX-License-Identifier: GPL-2.0-only */
/* What joined records stand for, and the order of their events. */
#include <endian.h>
#include <stdlib.h>

#include "capture/from/joined_events.h"
#include "capture/from/joined_order.h"
#include "make.h"

enum { READ_SYNC = 1 << 11, SECTOR = 800, PID = 4711 };

static struct joined_io io_of(uint64_t first, uint16_t events)
{
	return (struct joined_io){
		.first = first, .sector = SECTOR, .queued = 4096, .bytes = 8192,
		.flags = READ_SYNC, .pid = PID, .times = { 10, 20, 30, 40 },
		.events = events, .cpu = 1, .issue_cpu = 2,
	};
}

/* a whole I/O, and who has the categories of requests */
static void test_events(void **state)
{
	struct joined_io io = io_of(1000, JOINED_QUEUE | JOINED_GETRQ |
				    JOINED_INSERT | JOINED_ISSUE |
				    JOINED_COMPLETE);
	const uint32_t bio = BLK_TC_ACT(BLK_TC_READ) | BLK_TC_ACT(BLK_TC_SYNC);
	const uint32_t request = bio | BLK_TC_ACT(BLK_TC_FS);
	struct joined_events e;

	(void)state;
	joined_events_find(&e, &io, 3, 10);
	assert_int_equal(joined_events_phases(&e), 31);
	for (unsigned int i = 0; i < PHASE_COUNT; i++)
		assert_int_equal(joined_events_time(&e, i), 1000 + 10 * i);
	assert_int_equal(joined_events_action(&e, PHASE_QUEUE), BLK_TA_QUEUE |
			 BLK_TC_ACT(BLK_TC_QUEUE) | bio);
	assert_int_equal(joined_events_action(&e, PHASE_ISSUE), BLK_TA_ISSUE |
			 BLK_TC_ACT(BLK_TC_ISSUE) | request);
	assert_int_equal(joined_events_action(&e, PHASE_LAST),
			 BLK_TA_COMPLETE | BLK_TC_ACT(BLK_TC_COMPLETE) |
			 request);
	assert_int_equal(joined_events_cpu(&e, PHASE_GETRQ), 1);
	assert_int_equal(joined_events_cpu(&e, PHASE_ISSUE), 2);
	assert_int_equal(joined_events_cpu(&e, PHASE_LAST), 3);
	assert_int_equal((int16_t)e.error, -5);
}

/* a remap is alone, with where it came from in place of times */
static void test_alone(void **state)
{
	struct joined_io io = io_of(1000, JOINED_REMAP);
	uint8_t payload[JOINED_PAYLOAD];
	struct joined_events e;
	uint32_t devices[2];
	uint64_t sector;

	(void)state;
	io.origin = (struct joined_origin){ .sector = 7, .from = 8, .to = 9 };
	joined_events_find(&e, &io, 0, 0);
	assert_int_equal(joined_events_phases(&e), 1u << PHASE_LAST);
	assert_int_equal(joined_events_time(&e, PHASE_LAST), 1000);
	assert_int_equal(joined_events_payload_bytes(&e), 16);
	joined_events_payload(&e, payload);
	memcpy(devices, payload, sizeof(devices));
	memcpy(&sector, payload + 8, sizeof(sector));
	assert_int_equal(be32toh(devices[0]), 8);
	assert_int_equal(be32toh(devices[1]), 9);
	assert_int_equal(be64toh(sector), 7);
	io.events = JOINED_SPLIT;
	joined_events_find(&e, &io, 0, 0);
	assert_int_equal(joined_events_payload_bytes(&e), 8);
	joined_events_payload(&e, payload);
	memcpy(&sector, payload, sizeof(sector));
	assert_int_equal(be64toh(sector), 7);
}

/* Adds I/Os whose first events are at these times; phases from Q to D. */
static void add(struct joined_order *o, uint64_t first, uint32_t span)
{
	struct joined_events e;
	struct joined_io io = io_of(first, JOINED_QUEUE | JOINED_ISSUE |
				    JOINED_COMPLETE);

	io.times.issue = span / 2;
	io.times.end = span;
	joined_events_find(&e, &io, 0, 0);
	assert_int_equal(joined_order_add(o, &e, joined_events_phases(&e)), 0);
}

/* takes all until a time: how many, each not before the other */
static unsigned int take(struct joined_order *o, uint64_t until)
{
	enum joined_phase phase, before = 0;
	uint64_t time, last = 0;
	unsigned int n = 0;

	assert_int_equal(joined_order_until(o, until), 0);
	for (; joined_order_next(o, &phase, &time); n++) {
		assert_true(time < until);
		assert_true(time > last || (time == last && phase >= before));
		last = time;
		before = phase;
	}
	return n;
}

/* in any order: few, which are inserted, and many, which are sorted by digits */
static void test_order(void **state)
{
	const unsigned int counts[] = { 1, 5, 40, 60, 5000 };

	(void)state;
	srandom(1);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct joined_order o;
		unsigned int n = counts[i], early;

		joined_order_init(&o);
		for (unsigned int k = 0; k < n; k++)
			add(&o, 1 + (uint64_t)(random() % 2000000000),
			    (uint32_t)(random() % 1000000));
		assert_int_equal(o.held, 3 * n);
		early = take(&o, 1000000000);
		assert_int_equal(o.held, 3 * n - early);
		/* what comes while others are held */
		for (unsigned int k = 0; k < n; k++)
			add(&o, 1000000000 + (uint64_t)(random() % 1000000),
			    0);
		assert_int_equal(take(&o, 1000000000), 0);
		assert_int_equal(take(&o, UINT64_MAX), 6 * n - early);
		assert_int_equal(o.held, 0);
		joined_order_free(&o);
	}
}

/* of one time, an I/O's phases stay in their order */
static void test_ties(void **state)
{
	struct joined_order o;

	(void)state;
	joined_order_init(&o);
	for (unsigned int k = 0; k < 100; k++)
		add(&o, 5000 - k % 7, 0);
	assert_int_equal(take(&o, 4994), 0);
	assert_int_equal(take(&o, 5001), 300);
	joined_order_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_ties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
