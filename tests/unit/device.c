/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices and lanes: where events count, and what is missing from them. */
#include "make.h"
#include "run/device.h"

static struct event event_of(uint32_t device, uint32_t cpu)
{
	return EVENT(.device = device, .cpu = cpu,
		     .action = ACT(BLK_TA_QUEUE, CAT(WRITE)));
}

static void follow(struct lane *lane, unsigned int version, uint32_t sequence)
{
	struct event ev = event_of(0, lane->cpu);

	ev.lane = lane;
	ev.version = (uint8_t)version;
	ev.sequence = sequence;
	device_follow(&ev);
}

static void check_skips(const struct device *dev, uint64_t holes,
			uint64_t missing)
{
	uint64_t got_holes, got_missing;

	device_skips(dev, &got_holes, &got_missing);
	assert_int_equal(got_holes, holes);
	assert_int_equal(got_missing, missing);
}

/* lanes are made as events name them, once, with numbers in that order */
static void test_lanes(void **state)
{
	static const uint32_t names[][2] = {
		{ 8, 3 }, { 8, 0 }, { 9, 3 }, { 8, 3 }, { 9, 8191 }, { 8, 0 },
	};
	static const uint32_t ids[] = { 0, 1, 2, 0, 3, 1 };
	struct devices d = { 0 };

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct event ev = event_of(names[i][0], names[i][1]);
		struct lane *lane = device_lane(&d, &ev);

		assert_non_null(lane);
		assert_int_equal(lane->id, ids[i]);
		assert_int_equal(lane->cpu, names[i][1]);
		assert_int_equal(lane->device->number, names[i][0]);
		assert_ptr_equal(lane->device->lanes[lane->cpu], lane);
	}
	assert_int_equal(d.count, 2);
	assert_int_equal(d.lanes, 4);
	devices_free(&d);
}

/* devices of files are what the user named, twice if named twice */
static void test_named(void **state)
{
	struct devices d = { 0 };
	struct device *a = device_add(&d, "sda", 0, 0);
	struct device *b = device_add(&d, "sda", 0, 0);
	struct lane *lane = device_cpu(&d, a, 2);

	(void)state;
	assert_ptr_not_equal(a, b);
	assert_int_equal(a->id, 0);
	assert_int_equal(b->id, 1);
	assert_ptr_equal(device_cpu(&d, a, 2), lane);
	assert_ptr_not_equal(device_cpu(&d, b, 2), lane);
	assert_null(a->lanes[0]);
	devices_free(&d);
}

/* labels go to a pipe's devices in the order in which these appear */
static void test_labels(void **state)
{
	struct devices d = { 0 };
	char text[32];

	(void)state;
	assert_int_equal(devices_add_label(&d, "first"), 0);
	assert_int_equal(devices_add_label(&d, "second"), 0);
	for (uint32_t n = 3; n > 0; n--) {
		struct event ev = event_of(BLK_DEVICE(8, n), 0);

		assert_non_null(device_lane(&d, &ev));
	}
	device_text(d.list[0], text, sizeof(text));
	assert_string_equal(text, "first");
	device_text(d.list[1], text, sizeof(text));
	assert_string_equal(text, "second");
	device_text(d.list[2], text, sizeof(text));
	assert_string_equal(text, "8,1");
	devices_free(&d);
}

/* the same number on two machines is two devices, of which texts say where */
static void test_origins(void **state)
{
	struct event here = event_of(BLK_DEVICE(8, 0), 0), there = here;
	struct devices d = { 0 };
	struct lane *a, *b;
	char text[32];

	(void)state;
	assert_null(devices_host(&d, 0));
	assert_int_equal(devices_add_origin(&d, "db1"), 0);
	assert_int_equal(devices_add_origin(&d, "db2"), 1);
	assert_int_equal(devices_add_origin(&d, "web"), 2);
	assert_string_equal(devices_host(&d, 1), "db2");
	there.origin = 2;
	a = device_lane(&d, &here);
	b = device_lane(&d, &there);
	assert_ptr_not_equal(a->device, b->device);
	assert_ptr_equal(device_lane(&d, &here), a);
	device_text(a->device, text, sizeof(text));
	assert_string_equal(text, "db1/8,0");
	device_text(device_add(&d, "sda", 0, 2), text, sizeof(text));
	assert_string_equal(text, "web/sda");
	devices_free(&d);
}

/* a text is cut to its size, and the largest number fits in */
static void test_text(void **state)
{
	struct device dev = { .label = (char *)"/a/rather/long/name" };
	char text[16];

	(void)state;
	device_text(&dev, text, 8);
	assert_string_equal(text, "/a/rath");
	dev = (struct device){ .number = UINT32_MAX };
	device_text(&dev, text, sizeof(text));
	assert_string_equal(text, "4095,1048575");
}

/* hostile input cannot make devices and lanes without end */
static void test_bounds(void **state)
{
	struct devices d = { 0 };
	struct event ev = event_of(0, 0);

	(void)state;
	for (uint32_t n = 0; n < DEVICES_MAX; n++) {
		ev.device = n;
		assert_non_null(device_lane(&d, &ev));
	}
	ev.device = DEVICES_MAX;
	assert_null(device_lane(&d, &ev));
	for (uint32_t n = DEVICES_MAX; n < LANES_MAX; n++) {
		ev.device = n % 8;
		ev.cpu = n / 8;
		assert_non_null(device_lane(&d, &ev));
	}
	ev.device = 9;
	ev.cpu = 1;
	assert_null(device_lane(&d, &ev));
	ev.cpu = 0;
	assert_non_null(device_lane(&d, &ev));
	devices_free(&d);
}

/* from version 6 on each CPU counts for itself */
static void test_holes(void **state)
{
	struct devices d = { 0 };
	struct device *dev = device_add(&d, "x", 0, 0);
	struct lane *a = device_cpu(&d, dev, 0), *b = device_cpu(&d, dev, 1);

	(void)state;
	follow(a, 7, 1);
	follow(b, 7, 1);
	follow(a, 7, 2);
	check_skips(dev, 0, 0);
	follow(b, 6, 5);
	follow(a, 8, 4);
	check_skips(dev, 2, 4);
	follow(b, 7, 2);
	check_skips(dev, 2, 3);
	devices_free(&d);
}

/* a trace may begin with number 0 as with any other */
static void test_zero(void **state)
{
	struct devices d = { 0 };
	struct device *dev = device_add(&d, "x", 0, 0);
	struct lane *lane = device_cpu(&d, dev, 0);

	(void)state;
	follow(lane, 7, 0);
	follow(lane, 7, 3);
	check_skips(dev, 1, 2);
	devices_free(&d);
}

/* up to version 5 all CPUs of a device count together */
static void test_old_holes(void **state)
{
	struct devices d = { 0 };
	struct device *dev = device_add(&d, "x", 0, 0);
	struct lane *a = device_cpu(&d, dev, 0), *b = device_cpu(&d, dev, 1);

	(void)state;
	follow(a, 5, 1);
	follow(b, 5, 2);
	follow(b, 2, 3);
	follow(a, 5, 4);
	check_skips(dev, 0, 0);
	follow(b, 5, 6);
	check_skips(dev, 1, 1);
	devices_free(&d);
}

/* a dump's filter made the holes: they are no loss */
static void test_filtered(void **state)
{
	struct devices d = { 0 };
	struct device *dev = device_add(&d, "x", 0, 0);
	struct lane *lane = device_cpu(&d, dev, 0);

	(void)state;
	lane->filtered = true;
	follow(lane, 7, 1);
	follow(lane, 7, 9);
	follow(lane, 3, 20);
	check_skips(dev, 0, 0);
	devices_free(&d);
}

static void tell_dropped(struct lane *lane, const char *text)
{
	struct event ev = EVENT(.action = NOTE(BLK_TN_MESSAGE), .lane = lane);

	ev = with_payload(ev, text, strlen(text));
	device_follow(&ev);
}

/* blktrace tells the sum of what was lost; told again it is no more */
static void test_drops(void **state)
{
	struct devices d = { 0 };
	struct device *dev = device_add(&d, "x", 0, 0);
	struct lane *lane = device_cpu(&d, dev, 0);

	(void)state;
	follow(lane, 7, 1);
	tell_dropped(lane, "blktrace: 5 dropped");
	tell_dropped(lane, "blktrace: 5 dropped");
	tell_dropped(lane, "cfq: 9 dropped");
	check_skips(dev, 1, 5);
	tell_dropped(lane, "blktrace: 12 dropped");
	tell_dropped(lane, "blktrace: 3 dropped");
	follow(lane, 7, 4);
	check_skips(dev, 3, 14);
	devices_free(&d);
}

/* the last drops of a CPU leave no hole, as nothing follows */
static void test_drops_at_end(void **state)
{
	struct devices d = { 0 };
	struct device *dev = device_add(&d, "x", 0, 0);
	struct lane *lane = device_cpu(&d, dev, 0);

	(void)state;
	follow(lane, 7, 1);
	tell_dropped(lane, "blktrace: 12 dropped");
	follow(lane, 7, 11);
	check_skips(dev, 1, 12);
	follow(lane, 7, 17);
	check_skips(dev, 2, 14);
	devices_free(&d);
}

/* of two CPUs only one has a hole: it is not lost once more */
static void test_drops_of_cpus(void **state)
{
	struct devices d = { 0 };
	struct device *dev = device_add(&d, "x", 0, 0);
	struct lane *a = device_cpu(&d, dev, 0), *b = device_cpu(&d, dev, 1);
	struct lane *c = device_cpu(&d, dev, 2);

	(void)state;
	follow(a, 7, 1);
	follow(b, 7, 1);
	tell_dropped(a, "blktrace: 40 dropped");
	tell_dropped(b, "blktrace: 100 dropped");
	check_skips(dev, 2, 100);
	follow(a, 7, 42);
	check_skips(dev, 2, 100);
	follow(a, 7, 44);
	check_skips(dev, 3, 101);
	tell_dropped(c, "blktrace: 190 dropped");
	follow(c, 7, 91);
	tell_dropped(c, "blktrace: 200 dropped");
	follow(c, 7, 102);
	check_skips(dev, 5, 201);
	devices_free(&d);
}

/* what an audit has found comes on top of what was dropped */
static void test_missing(void **state)
{
	struct devices d = { 0 };
	struct device *dev = device_add(&d, "x", 0, 0);
	struct lane *lane = device_cpu(&d, dev, 0);

	(void)state;
	follow(lane, 7, 1);
	tell_dropped(lane, "blktrace: 30 events missing since 5.000000007"
			   " until 6.000000000: 10 of 200 I/Os");
	check_skips(dev, 1, 30);
	tell_dropped(lane, "blktrace: 5 dropped since 5.000000001");
	tell_dropped(lane, "blktrace: 36 events missing since 5.000000007");
	tell_dropped(lane, "blktrace: 36 events missing");
	check_skips(dev, 3, 41);
	follow(lane, 7, 4);
	check_skips(dev, 4, 43);
	devices_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_origins),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_zero),
		cmocka_unit_test(test_old_holes),
		cmocka_unit_test(test_filtered),
		cmocka_unit_test(test_drops),
		cmocka_unit_test(test_drops_at_end),
		cmocka_unit_test(test_drops_of_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
