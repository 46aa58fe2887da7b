/* SPDX-License-Identifier: GPL-2.0-only */
/* Marks among records: in the order of time, of whole records, and all. */
#include <errno.h>
#include <poll.h>

#include "base/time.h"
#include "capture/mark_queue.h"
#include "make.h"
#include "record/payload.h"

enum { SDA = 8 << 20, SDB = 8 << 20 | 16, CPU = 3 };

/* what was put, of both devices */
struct got {
	uint64_t times[64];	/* of all records, in their order */
	char texts[64][32];	/* of marks, "" of events */
	unsigned int device[64];
	unsigned int count, events, calls;
	int error;
};

static int put(void *ctx, unsigned int device, const void *records, size_t len,
	       const struct tap_sums *sums)
{
	struct got *g = ctx;
	const uint8_t *at = records, *end = at + len;

	g->calls++;
	g->events += sums->records;
	for (; at < end; g->count++) {
		struct event ev;

		memcpy(&ev, at, BLK_HEADER_7);
		assert_int_equal(ev.magic, BLK_MAGIC | 7);
		g->times[g->count] = ev.time;
		g->device[g->count] = device;
		if (event_is_note(&ev)) {
			assert_int_equal(ev.pid, 77);
			assert_int_equal(ev.cpu, CPU);
			assert_int_equal(ev.device, device ? SDB : SDA);
			memcpy(g->texts[g->count], at + BLK_HEADER_7,
			       ev.pdu_len);
		}
		at += BLK_HEADER_7 + ev.pdu_len;
	}
	assert_ptr_equal(at, end);
	return g->error;
}

static struct mark_queue *make(void)
{
	static const uint32_t devices[] = { SDA, SDB };
	struct mark_queue *q = NULL;

	assert_int_equal(mark_queue_new(&q, CPU, devices, 2), 0);
	return q;
}

static int add(struct mark_queue *q, uint32_t device, const char *text)
{
	return mark_queue_add(q, device, 77, text, strlen(text));
}

static bool is_readable(const struct mark_queue *q)
{
	struct pollfd fd = { .fd = mark_queue_fd(q), .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

/* two events, of times from now, handed on with a payload of 8 bytes */
static void deliver(struct mark_queue *q, struct got *g, uint64_t first,
		    uint64_t second)
{
	struct bytes *b = bytes_new();
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(QUEUE)));

	ev = with_payload(ev, "12345678", 8);
	ev.time = first;
	add_record(b, &ev);
	ev.time = second;
	add_record(b, &ev);
	assert_int_equal(mark_queue_deliver(q, 7, 0, b->data, b->len,
					    &(struct tap_sums){ .records = 2 }, put,
					    g), g->error);
	free(b);
}

static void test_add(void **state)
{
	struct mark_queue *q = make();

	(void)state;
	assert_false(mark_queue_waits(q));
	assert_false(is_readable(q));
	assert_int_equal(add(q, 5, "x"), 0);
	assert_false(is_readable(q));
	assert_int_equal(add(q, SDB, "x"), 1);
	assert_true(is_readable(q));
	for (unsigned int i = 1; i < MARK_QUEUE_MAX - 1; i++)
		assert_int_equal(add(q, SDA, "x"), 1);
	assert_int_equal(add(q, 0, "x"), -EAGAIN);
	assert_int_equal(add(q, SDA, "x"), 1);
	assert_int_equal(add(q, SDA, "x"), -EAGAIN);
	mark_queue_free(q);
	mark_queue_free(NULL);
}

/* before the event that is later, wherever that is; else it waits */
static void test_among(void **state)
{
	const unsigned int none[2] = { 0, 0 };
	struct mark_queue *q = make();
	struct got g = { .count = 0 };
	uint64_t late = time_now() + NS_PER_SECOND * 100;

	(void)state;
	assert_int_equal(add(q, SDA, "a"), 1);
	assert_int_equal(add(q, SDA, "b"), 1);
	deliver(q, &g, 5, 6);
	assert_int_equal(g.count, 2);
	assert_int_equal(g.calls, 1);
	deliver(q, &g, 7, late);
	assert_int_equal(g.count, 6);
	assert_int_equal(g.events, 6);
	assert_string_equal(g.texts[3], "a");
	assert_string_equal(g.texts[4], "b");
	assert_true(g.times[3] <= g.times[4]);
	assert_int_equal(g.times[5], late);
	assert_false(mark_queue_waits(q));
	assert_false(is_readable(q));
	assert_int_equal(add(q, SDA, "c"), 1);
	deliver(q, &g, late, late + 1);
	assert_string_equal(g.texts[6], "c");
	assert_int_equal(mark_queue_settle(q, none, UINT64_MAX, true, put,
					   &g), 0);
	assert_int_equal(g.count, 9);
	mark_queue_free(q);
}

/* without events: when a whole pass has followed, or at the end */
static void test_settle(void **state)
{
	const unsigned int none[2] = { 0, 0 };
	struct mark_queue *q = make();
	struct got g = { .count = 0 };

	(void)state;
	assert_int_equal(add(q, 0, "both"), 2);
	assert_int_equal(mark_queue_settle(q, none, UINT64_MAX, false, put,
					   &g), 0);
	assert_int_equal(g.count, 0);
	assert_true(is_readable(q));
	assert_int_equal(add(q, SDB, "late"), 1);
	assert_int_equal(mark_queue_settle(q, none, UINT64_MAX, false, put,
					   &g), 0);
	assert_int_equal(g.count, 2);
	assert_int_equal(g.times[0], g.times[1]);
	assert_int_equal(g.device[1], 1);
	assert_true(mark_queue_waits(q));
	/* older events are still to come */
	assert_int_equal(mark_queue_settle(q, none, 1, false, put, &g), 0);
	assert_int_equal(g.count, 2);
	assert_int_equal(mark_queue_settle(q, none, UINT64_MAX, false, put,
					   &g), 0);
	assert_string_equal(g.texts[2], "late");
	assert_int_equal(add(q, SDA, "last"), 1);
	assert_int_equal(mark_queue_settle(q, none, UINT64_MAX, true, put,
					   &g), 0);
	assert_int_equal(g.count, 4);
	assert_false(is_readable(q));
	mark_queue_free(q);
}

/* a mark of the other device has no business here */
static void test_other_device(void **state)
{
	struct mark_queue *q = make();
	struct got g = { .count = 0 };

	(void)state;
	assert_int_equal(add(q, SDB, "b"), 1);
	deliver(q, &g, 1, UINT64_MAX);
	assert_int_equal(g.count, 2);
	assert_true(mark_queue_waits(q));
	mark_queue_free(q);
}

static void test_failure(void **state)
{
	struct mark_queue *q = make();
	struct got g = { .error = -ENOSPC };

	(void)state;
	assert_int_equal(add(q, SDA, "a"), 1);
	deliver(q, &g, 1, UINT64_MAX);
	assert_int_equal(g.calls, 1);
	mark_queue_free(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add), cmocka_unit_test(test_among),
		cmocka_unit_test(test_settle),
		cmocka_unit_test(test_other_device),
		cmocka_unit_test(test_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
