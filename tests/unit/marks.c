/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks: which messages are some, one for several devices, how many are kept,
 * and what a reader has of them.
 */
#include "run/device.h"
#include "run/marks.h"
#include "run/reader.h"
#include "scratch.h"

#define SECOND 1000000000ull

static struct device disks[] = { { .id = 0 }, { .id = 1 }, { .id = 2 } };
static struct lane lanes[] = {
	{ .device = &disks[0] }, { .device = &disks[1] }, { .device = &disks[2] },
};

/* pid 7 writes len bytes of text to a disk */
static void take_bytes(struct marks *m, unsigned int disk, uint64_t time,
		       const char *text, size_t len)
{
	struct event ev = EVENT(.action = NOTE(BLK_TN_MESSAGE), .pid = 7,
				.lane = &lanes[disk]);

	ev = with_payload(ev, text, len);
	marks_take(m, &ev, time);
}

static void take(struct marks *m, unsigned int disk, uint64_t time,
		 const char *text)
{
	take_bytes(m, disk, time, text, strlen(text));
}

/* whether one message is a mark of that text; NULL: it is none */
static void check_one(const char *text, size_t len, const char *want)
{
	struct marks m = { .count = 0 };

	take_bytes(&m, 0, 5, text, len);
	assert_int_equal(m.count, want != NULL);
	if (want) {
		assert_string_equal(m.list[0].text, want);
		assert_int_equal(m.list[0].len, strlen(want));
		assert_int_equal(m.list[0].time, 5);
		assert_int_equal(m.list[0].pid, 7);
	}
	marks_free(&m);
}

static void test_text(void **state)
{
	char much[200] = "", most[MARK_TEXT + 1] = "";

	(void)state;
	check_one("step 1", 6, "step 1");
	check_one("step 1\n\n", 8, "step 1");
	check_one("a\nb\n", 4, "a\nb");
	check_one("begin\0rest", 10, "begin");
	check_one("", 0, NULL);
	check_one("\n", 1, NULL);
	check_one("\0x", 2, NULL);
	memset(much, 'x', sizeof(much));
	memset(most, 'x', MARK_TEXT);
	check_one(much, MARK_TEXT, most);
	check_one(much, sizeof(much), most);
}

static void test_foreign(void **state)
{
	(void)state;
	for (unsigned int i = 0; mark_foreign(i); i++) {
		check_one(mark_foreign(i), strlen(mark_foreign(i)), NULL);
		assert_true(mark_is_foreign(mark_foreign(i),
					    strlen(mark_foreign(i))));
	}
	check_one("blktrace: 5 dropped", 19, NULL);
	check_one("bfq1234SN dispatched", 20, NULL);
	check_one("raid", 4, "raid");
	assert_false(mark_is_foreign("throtl", 6));
}

/* with a cgroup's id in front, as kernels write it; other notes are none */
static void test_kinds(void **state)
{
	static const uint8_t flagged[] = "\1\0\0\0\0\0\0\0step";
	struct marks m = { .count = 0 };
	struct event ev = EVENT(.action = NOTE(BLK_TN_MESSAGE |
					       BLK_CGROUP_FLAG),
				.lane = &lanes[0]);

	(void)state;
	ev = with_payload(ev, flagged, sizeof(flagged) - 1);
	marks_take(&m, &ev, 1);
	assert_int_equal(m.count, 1);
	assert_string_equal(m.list[0].text, "step");
	ev = with_payload(ev, flagged, 6);
	marks_take(&m, &ev, 2);
	ev = with_payload(ev, "fio", 3);
	ev.action = NOTE(BLK_TN_PROCESS);
	marks_take(&m, &ev, 3);
	ev.action = ACT(BLK_TA_QUEUE, CAT(QUEUE));
	marks_take(&m, &ev, 4);
	assert_int_equal(m.count, 1);
	marks_free(&m);
}

static void test_devices(void **state)
{
	struct marks m = { .count = 0 };

	(void)state;
	take(&m, 0, 10, "a");
	take(&m, 1, 20, "a");
	take(&m, 2, 30, "a");
	assert_int_equal(m.count, 1);
	assert_int_equal(m.list[0].devices, 3);
	assert_int_equal(m.list[0].time, 10);
	take(&m, 0, 40, "a");
	take(&m, 1, 50, "b");
	take(&m, 0, 60 + SECOND, "b");
	assert_int_equal(m.count, 4);
	assert_int_equal(m.list[2].device, 1);
	marks_free(&m);
}

static void test_until(void **state)
{
	struct marks m = { .count = 0 };

	(void)state;
	assert_int_equal(marks_until(&m, 5), 0);
	for (uint64_t i = 1; i <= 5; i++)
		take(&m, 0, 10 * i, i % 2 ? "a" : "b");
	for (uint64_t time = 0; time < 70; time++)
		assert_int_equal(marks_until(&m, time),
				 time < 50 ? time / 10 : 5);
	marks_free(&m);
}

static void test_many(void **state)
{
	struct marks m = { .count = 0 };

	(void)state;
	for (uint64_t i = 0; i < MARKS_MAX + 9; i++)
		take(&m, 0, i, "again");
	assert_int_equal(m.count, MARKS_MAX);
	assert_int_equal(m.more, 9);
	assert_int_equal(m.list[MARKS_MAX - 1].time, MARKS_MAX - 1);
	marks_free(&m);
	assert_int_equal(m.count + m.more, 0);
}

static void add(struct bytes *b, uint64_t time, uint32_t action,
		const char *text)
{
	struct event ev = EVENT(.action = action, .time = time, .pid = 7,
				.sequence = action == NOTE(BLK_TN_MESSAGE) ?
					    0 : (uint32_t)(time / SECOND));

	ev = with_payload(ev, text, strlen(text));
	add_record(b, &ev);
}

/* times are the run's; a mark before the window is there, too */
static void test_reader(void **state)
{
	const struct reader_options o = { .window = { 2 * SECOND,
						      UINT64_MAX } };
	struct bytes *b = bytes_new();
	const struct event *ev;
	const struct marks *m;
	struct reader *r;
	unsigned int n = 0;

	(void)state;
	add(b, 5 * SECOND, ACT(BLK_TA_QUEUE, CAT(QUEUE)), "");
	add(b, 6 * SECOND, NOTE(BLK_TN_MESSAGE), "one");
	add(b, 8 * SECOND, NOTE(BLK_TN_MESSAGE), "two");
	add(b, 9 * SECOND, ACT(BLK_TA_QUEUE, CAT(QUEUE)), "");
	put_bytes("sda.blktrace.0", b->data, b->len);
	free(b);
	assert_int_equal(reader_open(&r, &o), 0);
	assert_int_equal(reader_add(r, "sda"), 0);
	while (reader_next(r, &ev) == 1)
		n++;
	m = reader_marks(r);
	assert_int_equal(n, 2);
	assert_int_equal(m->count, 2);
	assert_int_equal(m->list[0].time, SECOND);
	assert_string_equal(m->list[0].text, "one");
	assert_int_equal(m->list[1].time, 3 * SECOND);
	reader_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text), cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_kinds), cmocka_unit_test(test_devices),
		cmocka_unit_test(test_until), cmocka_unit_test(test_many),
	 IN_SCRATCH(test_reader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
