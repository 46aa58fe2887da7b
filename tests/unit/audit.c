/* SPDX-License-Identifier: GPL-2.0-only */
/* An audit of two CPUs, with counters that are a file. */
#include <errno.h>

#include "base/time.h"
#include "capture/audit.h"
#include "capture/span.h"
#include "scratch.h"

enum { SDA = 8 << 20, BLOCK = 4096, CPUS = 2 };

static const uint32_t devices[] = { SDA };

/* --- a device and its trace ------------------------------------------------ */

/* blocks and flushes that it completed since it exists */
static void count(unsigned int blocks, unsigned int flushes)
{
	char text[128];

	snprintf(text, sizeof(text), "0 0 0 0 %u 0 %u 0 0 0 0 0 0 0 0 %u 0\n",
		 blocks, blocks * 8, flushes);
	put("dev/block/8:0/stat", text);
}

static struct audit *make(uint32_t mask)
{
	const struct audit_options o = {
		.sysfs = ".", .devices = devices, .count = 1, .cpus = CPUS,
		.mask = mask,
	};
	struct audit *a;

	count(100, 0);
	make_folders("dev/block/8:0/mq/");
	assert_int_equal(audit_new(&a, &o), 0);
	return a;
}

/* a CPU has recorded a number of events of a kind at that time */
static void record(struct audit *a, unsigned int cpu, uint64_t time,
		   uint32_t action, unsigned int n)
{
	struct event ev = { .magic = BLK_MAGIC | 7, .action = action,
			    .time = time, .bytes = BLOCK };
	uint8_t raw[BLK_HEADER_7];
	struct span s;

	record_encode(&ev, 7, raw);
	s = span_of(raw, sizeof(raw));
	while (n--)
		audit_count(a, cpu, 0, raw, sizeof(raw), &s.sums);
}

static void complete(struct audit *a, unsigned int cpu, unsigned int n)
{
	record(a, cpu, time_now(), BLK_TA_COMPLETE, n);
}

static void counted(struct audit *a, uint64_t time)
{
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		audit_counted(a, cpu, time);
}

static struct audit *start(void)
{
	struct audit *a = make(0);

	audit_start(a);
	counted(a, time_now());
	return a;
}

static struct audit_result end(struct audit *a)
{
	struct audit_result r;

	audit_stop(a);
	counted(a, UINT64_MAX);
	audit_get(a, 0, &r);
	return r;
}

static void check_none(struct audit *a, const char *part)
{
	struct audit_result r = end(a);

	assert_int_equal(r.verdict, AUDIT_NONE);
	assert_non_null(strstr(r.reason, part));
	audit_free(a);
}

/* --- tests ----------------------------------------------------------------- */

static void test_complete(void **state)
{
	struct audit *a = start();
	struct audit_result r;

	(void)state;
	complete(a, 0, 3);
	complete(a, 1, 2);
	record(a, 1, time_now(), BLK_TA_ISSUE, 5);
	count(105, 0);
	r = end(a);
	assert_int_equal(r.verdict, AUDIT_COMPLETE);
	assert_null(r.reason);
	assert_true(r.has_ios);
	assert_int_equal(r.completed, 5);
	assert_int_equal(r.recorded, 5);
	assert_int_equal(r.completed_bytes, 5 * BLOCK);
	assert_int_equal(r.recorded_bytes, 5 * BLOCK);
	assert_int_equal(r.missing_bytes, 0);
	assert_false(audit_take(a, 0, 0, true, &r));
	audit_free(a);
}

/* what is recorded before the first reading and after the last belongs to what
 * was counted then */
static void test_borders(void **state)
{
	uint64_t before = time_now();
	struct audit *a = make(0);
	struct audit_result r;

	(void)state;
	count(107, 0);
	audit_start(a);
	record(a, 0, before, BLK_TA_COMPLETE, 7);
	counted(a, time_now());
	complete(a, 0, 2);
	count(109, 0);
	audit_stop(a);
	complete(a, 0, 50);
	counted(a, UINT64_MAX);
	audit_get(a, 0, &r);
	assert_int_equal(r.verdict, AUDIT_COMPLETE);
	assert_int_equal(r.completed, 2);
	assert_int_equal(r.recorded, 2);
	audit_free(a);
}

/* a few may have been traced before the start, and counted after it */
static void test_tolerance(void **state)
{
	struct audit *a = make(0);
	struct audit_result r;

	(void)state;
	record(a, 0, time_now(), BLK_TA_COMPLETE, 1);
	count(101, 0);
	audit_start(a);
	counted(a, time_now());
	count(101 + 2 * CPUS, 0);
	r = end(a);
	assert_int_equal(r.verdict, AUDIT_COMPLETE);
	assert_int_equal(r.tolerance, 2 * CPUS);
	assert_false(audit_take(a, 0, 0, true, &r));
	audit_free(a);
}

/* beyond that it is a loss */
static void test_beyond(void **state)
{
	struct audit *a = make(0);
	struct audit_result r;

	(void)state;
	record(a, 0, time_now(), BLK_TA_COMPLETE, 1);
	count(101, 0);
	audit_start(a);
	counted(a, time_now());
	count(102 + 2 * CPUS, 0);
	r = end(a);
	assert_int_equal(r.verdict, AUDIT_MISSING);
	assert_int_equal(r.missing, 2 * CPUS + 1);
	audit_free(a);
}

static void test_missing(void **state)
{
	struct audit *a = start();
	struct audit_result r;

	(void)state;
	complete(a, 0, 3);
	count(105, 0);
	r = end(a);
	assert_int_equal(r.verdict, AUDIT_MISSING);
	assert_int_equal(r.completed, 5);
	assert_int_equal(r.recorded, 3);
	assert_int_equal(r.missing, 2);
	assert_int_equal(r.missing_bytes, 2 * BLOCK);
	assert_true(r.start <= r.from && r.from < r.to);
	/* lost events that are known may have been of these */
	assert_false(audit_take(a, 0, 2, true, &r));
	assert_true(audit_take(a, 0, 1, true, &r));
	assert_int_equal(r.device, SDA);
	assert_int_equal(r.missing, 2);
	assert_false(audit_take(a, 0, 0, true, &r));
	audit_free(a);
}

/* a missing I/O had as many events as those recorded have */
static void test_events(void **state)
{
	struct audit *a = start();
	struct audit_result r;

	(void)state;
	record(a, 0, time_now(), BLK_TA_QUEUE, 2);
	record(a, 1, time_now(), BLK_TA_ISSUE, 2);
	complete(a, 1, 2);
	count(106, 0);
	r = end(a);
	assert_int_equal(r.missing, 4);
	assert_int_equal(r.events, 4 * 3);
	audit_free(a);
}

/* flushes complete as well: then bytes decide, and ios are an estimate */
static void test_flushes(void **state)
{
	struct audit *a = start();
	struct audit_result r;

	(void)state;
	complete(a, 0, 6);
	record(a, 0, time_now(), BLK_TA_ISSUE, 1);
	count(110, 3);
	r = end(a);
	assert_int_equal(r.verdict, AUDIT_MISSING);
	assert_false(r.has_ios);
	assert_int_equal(r.missing_bytes, 4 * BLOCK);
	assert_int_equal(r.missing, 4);
	audit_free(a);
}

/* readings go on while the capture does, and tell when something was lost */
static void test_when(void **state)
{
	struct audit *a = start();
	struct audit_result r;
	uint64_t from, to;

	(void)state;
	complete(a, 0, 4);
	count(104, 0);
	usleep(1000000);
	from = time_now();
	audit_look(a);
	counted(a, time_now());
	count(114, 0);
	usleep(1000000);
	audit_look(a);
	to = time_now();
	counted(a, to);
	audit_look(a);
	assert_false(audit_take(a, 0, 0, false, &r));
	usleep(1000000);
	audit_look(a);
	counted(a, time_now());
	audit_look(a);
	/* no more than a second ago: it is over */
	assert_true(audit_take(a, 0, 0, false, &r));
	assert_int_equal(r.missing, 10);
	assert_in_range(r.from, from, to);
	assert_in_range(r.to, from, to);
	r = end(a);
	assert_int_equal(r.missing, 10);
	audit_free(a);
}

static void test_masks(void **state)
{
	static const struct {
		uint32_t mask;
		bool all;
	} masks[] = {
		{ BLK_TC_BIT(BLK_TC_COMPLETE), true },
		{ BLK_TC_BIT(BLK_TC_READ) | BLK_TC_BIT(BLK_TC_WRITE), true },
		{ BLK_TC_BIT(BLK_TC_WRITE), false },
		{ BLK_TC_BIT(BLK_TC_ISSUE) | BLK_TC_BIT(BLK_TC_FS), false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(masks) / sizeof(*masks); i++) {
		struct audit *a = make(masks[i].mask);

		audit_start(a);
		if (masks[i].all) {
			assert_int_equal(end(a).verdict, AUDIT_COMPLETE);
			audit_free(a);
		} else {
			check_none(a, "not all completions");
		}
	}
}

static void test_flaw(void **state)
{
	struct audit *a;

	(void)state;
	put("dev/block/8:0/queue/iostats", "0");
	a = make(0);
	audit_start(a);
	check_none(a, "iostats");
}

static void test_gone(void **state)
{
	struct audit *a = start();

	(void)state;
	assert_int_equal(unlink("dev/block/8:0/stat"), 0);
	check_none(a, "gone");
}

/* a capture that failed compares nothing */
static void test_unread(void **state)
{
	struct audit *a = start();
	struct audit_result r;

	(void)state;
	audit_stop(a);
	audit_counted(a, 0, UINT64_MAX);
	audit_get(a, 0, &r);
	assert_int_equal(r.verdict, AUDIT_NONE);
	assert_non_null(strstr(r.reason, "not all CPUs"));
	audit_free(a);
}

/* a way that has yet to count what a CPU has lost may know of what is missing */
static void test_lost_late(void **state)
{
	struct audit *a = start();
	struct audit_result r;

	(void)state;
	audit_lost_until(a, 1, time_now());
	count(110, 0);
	audit_stop(a);
	counted(a, UINT64_MAX);
	audit_look(a);
	assert_false(audit_has_news(a, 0, true));
	audit_lost_until(a, 1, UINT64_MAX);
	audit_look(a);
	assert_true(audit_has_news(a, 9, true));
	assert_false(audit_has_news(a, 10, true));
	audit_get(a, 0, &r);
	assert_int_equal(r.verdict, AUDIT_MISSING);
	audit_free(a);
}

/* counters that lag may hide a loss: nothing is claimed */
static void test_counted_less(void **state)
{
	struct audit *a = start();

	(void)state;
	complete(a, 0, 400);
	count(120, 0);
	check_none(a, "counted less");
}

#define IN(f) cmocka_unit_test_setup_teardown(f, scratch_enter, scratch_leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN(test_complete), IN(test_borders), IN(test_tolerance),
		IN(test_beyond), IN(test_missing),
		IN(test_events), IN(test_flushes), IN(test_when),
		IN(test_masks), IN(test_flaw), IN(test_gone), IN(test_unread),
		IN(test_lost_late), IN(test_counted_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
