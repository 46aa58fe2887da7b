/* SPDX-License-Identifier: GPL-2.0-only */
/* What taps add to records: names once, stamps for all, drops in a message. */
#include <errno.h>

#include "capture/notes.h"
#include "make.h"
#include "record/payload.h"

enum { CPU = 2, SDA = 8 << 20, SDB = 8 << 20 | 16 };

/* all that was delivered, a device behind the other */
struct got {
	uint8_t bytes[1 << 16];
	size_t len;
	unsigned int events, calls;
	int error;		/* what the next delivery returns */
};

static int deliver(void *ctx, unsigned int device, const void *records,
		   size_t len, const struct tap_sums *sums)
{
	struct got *g = ctx;

	(void)device;
	memcpy(g->bytes + g->len, records, len);
	g->len += len;
	g->events += sums->records;
	g->calls++;
	return g->error;
}

static struct event first(const struct got *g)
{
	struct event ev;

	assert_true(g->len >= BLK_HEADER_7);
	memcpy(&ev, g->bytes, BLK_HEADER_7);
	ev.payload = g->bytes + BLK_HEADER_7;
	return ev;
}

static struct notes make(void)
{
	static const uint32_t devices[] = { SDA, SDB };
	struct notes n;

	assert_int_equal(notes_init(&n, CPU, devices, 2), 0);
	return n;
}

static void test_find(void **state)
{
	struct notes n = make();

	(void)state;
	assert_ptr_equal(notes_find(&n, SDA), &n.lanes[0]);
	assert_ptr_equal(notes_find(&n, SDB), &n.lanes[1]);
	assert_null(notes_find(&n, 1));
	notes_free(&n);
}

/* each lane has a pid's name once, also when others took its slot */
static void test_pids(void **state)
{
	struct notes n = make();

	(void)state;
	for (uint32_t pid = 0; pid < 100; pid++) {
		assert_false(tap_lane_knows(&n.lanes[0], pid));
		assert_int_equal(notes_add_pid(&n, &n.lanes[0], pid), 1);
		assert_true(tap_lane_knows(&n.lanes[0], pid));
	}
	assert_false(tap_lane_knows(&n.lanes[0], 5));
	assert_int_equal(notes_add_pid(&n, &n.lanes[0], 5), 0);
	assert_false(tap_lane_knows(&n.lanes[1], 5));
	assert_int_equal(notes_add_pid(&n, &n.lanes[1], 5), 1);
	notes_free(&n);
}

/* the pids that are kept are bounded, and some are named again */
static void test_many_pids(void **state)
{
	struct notes n = make();

	(void)state;
	for (uint32_t pid = 0; pid <= 1 << 16; pid++)
		assert_int_equal(notes_add_pid(&n, n.lanes, pid), 1);
	assert_int_equal(n.pids.count, 1);
	assert_int_equal(notes_add_pid(&n, n.lanes, 7), 1);
	notes_free(&n);
}

static void test_name(void **state)
{
	static const char name[NOTES_NAME] = "kworker/0:1";
	struct got g = { .len = 0 };
	struct notes n = make();
	struct event ev;

	(void)state;
	assert_int_equal(notes_add_name(&n, n.lanes, 77, 5, 9 << 20, name), 0);
	assert_int_equal(notes_deliver(&n, deliver, &g), 0);
	assert_int_equal(g.events, 1);
	ev = first(&g);
	assert_int_equal(ev.magic, BLK_MAGIC | 7);
	assert_int_equal(ev.action, NOTE(BLK_TN_PROCESS));
	assert_int_equal(ev.time, 77);
	assert_int_equal(ev.pid, 5);
	assert_int_equal(ev.device, 9 << 20);
	assert_int_equal(ev.cpu, CPU);
	assert_int_equal(ev.sequence, 0);
	assert_int_equal(ev.pdu_len, NOTES_NAME);
	assert_memory_equal(ev.payload, name, NOTES_NAME);
	notes_free(&n);
}

static void test_stamp(void **state)
{
	const struct notes_stamp stamp = { 9, 1700000000, 5 };
	struct got g = { .len = 0 };
	struct notes n = make();
	struct event ev;
	uint32_t wall[2];

	(void)state;
	assert_int_equal(notes_add_stamp(&n, &stamp), 0);
	assert_int_equal(notes_deliver(&n, deliver, &g), 0);
	assert_int_equal(g.calls, 2);
	assert_int_equal(g.events, 2);
	ev = first(&g);
	assert_int_equal(ev.action, NOTE(BLK_TN_TIMESTAMP));
	assert_int_equal(ev.time, 9);
	assert_int_equal(ev.device, SDA);
	memcpy(wall, ev.payload, sizeof(wall));
	assert_int_equal(wall[0], 1700000000);
	assert_int_equal(wall[1], 5);
	/* nothing twice */
	assert_int_equal(notes_deliver(&n, deliver, &g), 0);
	assert_int_equal(g.calls, 2);
	notes_free(&n);
}

/* what does not fit at first, and a taker that fails */
static void test_deliver(void **state)
{
	static const uint8_t bytes[1000];
	struct got g = { .error = -ENOSPC };
	struct notes n = make();

	(void)state;
	for (int i = 0; i < 20; i++)
		assert_int_equal(tap_lane_add(n.lanes, bytes, 1000), 0);
	assert_int_equal(tap_lane_add(n.lanes + 1, bytes, 1), 0);
	n.lanes[0].sums.records = 3;
	assert_int_equal(notes_deliver(&n, deliver, &g), -ENOSPC);
	assert_int_equal(g.len, 20000);
	assert_int_equal(g.events, 3);
	assert_int_equal(g.calls, 1);
	notes_free(&n);
}

/* the same message in both versions of records */
static void test_drops(void **state)
{
	static const char text[] = "blktrace: 18446744073709551615 dropped"
				   " since 18446744073.709551615";
	static const struct notes_drops drops = {
		.device = SDB, .cpu = CPU, .time = 7, .dropped = UINT64_MAX,
		.since = UINT64_MAX,
	};
	uint8_t raw[NOTES_DROPS];
	struct event ev;
	size_t len;

	(void)state;
	for (unsigned int version = 7; version <= 8; version++) {
		const struct layout *l = record_layout(version, 0);

		len = notes_encode_drops(raw, version, &drops);
		record_decode(l, false, raw, &ev);
		assert_true(event_is_message(&ev));
		assert_int_equal(ev.device, SDB);
		assert_int_equal(ev.cpu, CPU);
		assert_int_equal(ev.time, 7);
		assert_int_equal(len, l->size + strlen(text));
		assert_int_equal(ev.pdu_len, strlen(text));
		assert_memory_equal(raw + l->size, text, strlen(text));
	}
}

/* what is written is what is read */
static void test_drops_read(void **state)
{
	static const struct notes_drops drops = {
		.device = SDB, .cpu = CPU, .dropped = 42, .since = 5000000007,
	};
	uint8_t raw[NOTES_DROPS];
	uint64_t n, since;
	struct event ev;

	(void)state;
	notes_encode_drops(raw, 7, &drops);
	record_decode(record_layout(7, 0), false, raw, &ev);
	ev.payload = raw + BLK_HEADER_7;
	assert_true(payload_dropped(&ev, &n, &since));
	assert_int_equal(n, 42);
	assert_int_equal(since, 5000000007);
}

/* what an audit has found, in both versions, and of a device without records */
static void test_missing(void **state)
{
	static const char text[] = "blktrace: 30 events missing since"
				   " 5.000000007 until 6.000000000: 10 of 200"
				   " I/Os that the device completed";
	static const struct notes_missing missing = {
		.device = SDB, .cpu = CPU, .events = 30, .since = 5000000007,
		.until = 6000000000, .ios = 10, .completed = 200,
	};
	static const unsigned int versions[] = { 7, 8, 0 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const struct layout *l =
			record_layout(versions[i] ? versions[i] : 7, 0);
		uint8_t raw[NOTES_MISSING];
		size_t len = notes_encode_missing(raw, versions[i], &missing);
		uint64_t n, since;
		struct event ev;

		record_decode(l, false, raw, &ev);
		ev.payload = raw + l->size;
		assert_true(event_is_message(&ev));
		assert_int_equal(ev.device, SDB);
		assert_int_equal(ev.cpu, CPU);
		assert_int_equal(len, l->size + strlen(text));
		assert_memory_equal(ev.payload, text, strlen(text));
		assert_true(payload_missing(&ev, &n, &since));
		assert_int_equal(n, 30);
		assert_int_equal(since, 5000000007);
		assert_false(payload_dropped(&ev, &n, &since));
	}
}

/* the largest numbers find room */
static void test_missing_most(void **state)
{
	static const struct notes_missing most = {
		.events = UINT64_MAX, .since = UINT64_MAX,
		.until = UINT64_MAX, .ios = UINT64_MAX,
		.completed = UINT64_MAX,
	};
	uint8_t raw[NOTES_MISSING];
	size_t len = notes_encode_missing(raw, 8, &most);

	(void)state;
	assert_memory_equal(raw + len - 9, "completed", 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_pids),
		cmocka_unit_test(test_many_pids),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_stamp),
		cmocka_unit_test(test_deliver),
		cmocka_unit_test(test_drops),
		cmocka_unit_test(test_drops_read),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_missing_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
