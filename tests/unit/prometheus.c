/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of emit/prometheus. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "emit/named_io.h"
#include "emit/prometheus.h"
#include "request/io.h"
#include "run/device.h"

static const struct device disks[] = { { .id = 0 }, { .id = 1 }, { .id = 2 } };

struct counts {
	struct prometheus *p;
	struct buf b;
};

static int setup(void **state)
{
	static struct counts c;

	*state = &c;
	return prometheus_new(&c.p) || buf_init(&c.b, -1, 1 << 20);
}

static int teardown(void **state)
{
	struct counts *c = *state;

	prometheus_free(c->p);
	buf_free(&c->b);
	return 0;
}

static void put(struct counts *c, int disk, const char *name, struct io io)
{
	const struct named_io named = { .io = &io, .host = "h", .disk = name,
					.dev = "8:0" };

	io.disk = &disks[disk];
	assert_int_equal(prometheus_io(c->p, &named), 0);
}

/* whether a line is there now, or several of them */
static bool has(struct counts *c, const char *lines)
{
	c->b.len = 0;
	prometheus_write(c->p, &c->b);
	*buf_room(&c->b, 1) = '\0';
	return strstr(c->b.data, lines);
}

/* a request of its own that took so long in all, and at the driver */
static struct io took(uint64_t total, uint64_t d2c)
{
	struct io io = { .id = 1, .rq = 1, .bytes = 512, .rq_bytes = 1024,
			 .total = total, .has = 1u << IO_D2C };

	io.phase[IO_D2C] = d2c;
	return io;
}

static void counters(void **state)
{
	struct counts *c = *state;
	struct io merged = took(5, 5), failed = took(5, 5);

	put(c, 0, "sdb", took(5, 5));
	merged.id = 2;
	put(c, 0, "sdb", merged);
	failed.error = 5;
	failed.op = IO_WRITE;
	put(c, 1, "sda", failed);
	assert_true(has(c,
		"# HELP blktrace_requests_total Requests completed.\n"
		"# TYPE blktrace_requests_total counter\n"
		"blktrace_requests_total{disk=\"sda\",op=\"write\"} 1\n"
		"blktrace_requests_total{disk=\"sdb\",op=\"read\"} 1\n"
		"# HELP"));
	assert_true(has(c,
		"\nblktrace_ios_total{disk=\"sdb\",op=\"read\"} 2\n"));
	assert_true(has(c,
		"\nblktrace_bytes_total{disk=\"sdb\",op=\"read\"} 1024\n"));
	assert_true(has(c,
		"\nblktrace_errors_total{disk=\"sda\",op=\"write\"} 1\n"
		"blktrace_errors_total{disk=\"sdb\",op=\"read\"} 0\n"));
	/* both ios, but one request */
	assert_true(has(c, "blktrace_total_seconds_count{disk=\"sdb\","
			"op=\"read\"} 2\n"));
	assert_true(has(c, "blktrace_device_seconds_count{disk=\"sdb\","
			"op=\"read\"} 1\n"));
}

/* a device without requests: I/Os, without the parts of a split one */
static void stacked(void **state)
{
	struct counts *c = *state;
	struct io plain = { .id = 1, .bytes = 512, .total = 7,
			    .bio_based = true };
	struct io split = { .id = 2, .bytes = 512, .total = 7,
			    .has = 1u << IO_Q2X, .bio_based = true };
	struct io part = { .id = 3, .bytes = 256, .total = 7, .kind = IO_PART,
			   .parent = 2, .link = IO_SPLIT };
	struct io open = took(IO_NONE, 7);

	open.ended = IO_ENDED_OPEN;
	put(c, 0, "md1", plain);
	put(c, 0, "md1", part);
	put(c, 0, "md1", part);
	put(c, 0, "md1", split);
	put(c, 0, "md1", open);
	assert_true(has(c, "_requests_total{disk=\"md1\",op=\"read\"} 2\n"));
	assert_true(has(c, "_ios_total{disk=\"md1\",op=\"read\"} 2\n"));
	assert_true(has(c, "_bytes_total{disk=\"md1\",op=\"read\"} 1024\n"));
	assert_true(has(c, "_total_seconds_count{disk=\"md1\","
			"op=\"read\"} 2\n"));
}

/* a device with requests: each part has one, the I/O that was split none */
static void split_requests(void **state)
{
	struct counts *c = *state;
	struct io split = { .id = 1, .bytes = 1024, .total = 7,
			    .has = 1u << IO_Q2X };
	struct io part = took(7, 7);

	part.id = part.rq = 2;
	part.kind = IO_PART;
	part.link = IO_SPLIT;
	put(c, 0, "sda", part);
	put(c, 0, "sda", part);
	put(c, 0, "sda", split);
	assert_true(has(c, "_requests_total{disk=\"sda\",op=\"read\"} 2\n"));
	assert_true(has(c, "_ios_total{disk=\"sda\",op=\"read\"} 1\n"));
	assert_true(has(c, "_bytes_total{disk=\"sda\",op=\"read\"} 1024\n"));
}

/* an fsync: the kernel's own request is what the driver gets */
static void flushes(void **state)
{
	struct counts *c = *state;
	struct io own = took(5, 5), io = { .id = 1, .rq = 1, .flush = 2,
					   .total = 9, .op = IO_FLUSH_OP };

	own.id = own.rq = 2;
	own.kind = IO_FLUSH;
	own.op = IO_FLUSH_OP;
	put(c, 0, "sda", own);
	put(c, 0, "sda", io);
	assert_true(has(c, "_requests_total{disk=\"sda\",op=\"flush\"} 1\n"));
	assert_true(has(c, "_ios_total{disk=\"sda\",op=\"flush\"} 1\n"));
	assert_true(has(c, "_total_seconds_count{disk=\"sda\","
			"op=\"flush\"} 1\n"));
}

/* what is in flight, told twice; at the end of a trace with the other I/Os */
static void gauges(void **state)
{
	struct counts *c = *state;
	struct io open = took(IO_NONE, 7);
	const struct named_io named = { .io = &open, .disk = "sda" };

	open.disk = &disks[0];
	open.ended = IO_ENDED_OPEN;
	open.age = 1500000000;
	for (int i = 0; i < 2; i++) {
		prometheus_none_open(c->p);
		assert_int_equal(prometheus_open(c->p, &named, 4200000000), 0);
	}
	assert_true(has(c, "\n# TYPE blktrace_in_flight gauge\n"
			"blktrace_in_flight{disk=\"sda\"} 1\n"));
	assert_true(has(c, "\nblktrace_oldest_seconds{disk=\"sda\"} "
			"4.200000000\n"));
	prometheus_none_open(c->p);
	put(c, 0, "sda", open);
	open.kind = IO_FLUSH;
	put(c, 0, "sda", open);
	assert_true(has(c, "_in_flight{disk=\"sda\"} 1\n"));
	assert_true(has(c, "_oldest_seconds{disk=\"sda\"} 1.500000000\n"));
	assert_false(has(c, "_ios_total{"));
}

/* a command whose letters say that it reads */
static void commands(void **state)
{
	struct counts *c = *state;
	struct io command = took(5, 5);

	command.kind = IO_PASS;
	put(c, 0, "sda", command);
	assert_true(has(c, "_ios_total{disk=\"sda\",op=\"passthrough\"} 1\n"));
	assert_false(has(c, "op=\"read\""));
}

static void buckets(void **state)
{
	struct counts *c = *state;

	put(c, 0, "a", took(0, 16384));
	put(c, 0, "a", took(16385, 32768));
	put(c, 0, "a", took(UINT64_C(1) << 37, 32769));
	put(c, 0, "a", took((UINT64_C(1) << 37) + 1, 1));
	assert_true(has(c,
		"blktrace_device_seconds_bucket{disk=\"a\",op=\"read\","
		"le=\"0.000016384\"} 2\n"
		"blktrace_device_seconds_bucket{disk=\"a\",op=\"read\","
		"le=\"0.000032768\"} 3\n"
		"blktrace_device_seconds_bucket{disk=\"a\",op=\"read\","
		"le=\"0.000065536\"} 4\n"));
	assert_true(has(c, "le=\"68.719476736\"} 2\n"
		"blktrace_total_seconds_bucket{disk=\"a\",op=\"read\","
		"le=\"137.438953472\"} 3\n"
		"blktrace_total_seconds_bucket{disk=\"a\",op=\"read\","
		"le=\"+Inf\"} 4\n"
		"blktrace_total_seconds_sum{disk=\"a\",op=\"read\"} "
		"274.877923330\n"
		"blktrace_total_seconds_count{disk=\"a\",op=\"read\"} 4\n"));
}

/* of a hostile clock: more than 2^64 ns in all */
static void long_sums(void **state)
{
	struct counts *c = *state;
	const uint64_t most = UINT64_MAX - 1;

	put(c, 0, "a", took(most, 0));
	assert_true(has(c, "_sum{disk=\"a\",op=\"read\"} "
			"18446744073.709551614\n"));
	for (int i = 0; i < 999; i++)
		put(c, 0, "a", took(most, 0));
	assert_true(has(c, "_sum{disk=\"a\",op=\"read\"} "
			"18446744073709.551614000\n"));
}

static void labels(void **state)
{
	struct counts *c = *state;
	char name[400];

	put(c, 0, "a\"b\\c\nd", took(1, 1));
	assert_true(has(c, "_requests_total{disk=\"a\\\"b\\\\c\\nd\","));
	/* a character that would be cut is left out */
	memset(name, '"', sizeof(name));
	memcpy(name + 254, "\xc3\xa9", 3);
	put(c, 1, name, took(1, 1));
	assert_true(has(c, "\\\"\",op="));
	assert_false(has(c, "\xc3"));
}

/* of several hosts: one line, not two of the same name */
static void one_name(void **state)
{
	struct counts *c = *state;

	put(c, 0, "sda", took(1, 1));
	put(c, 2, "sda", took(1, 1));
	assert_true(has(c, "counter\n"
		"blktrace_requests_total{disk=\"sda\",op=\"read\"} 2\n# HELP"));
}

static void drops_only_rise(void **state)
{
	struct counts *c = *state;

	assert_true(has(c, "\nblktrace_dropped_events_total 0\n"));
	prometheus_dropped(c->p, 7);
	prometheus_dropped(c->p, 3);
	assert_true(has(c, "\nblktrace_dropped_events_total 7\n"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(counters), TEST(stacked), TEST(split_requests),
		TEST(flushes), TEST(commands), TEST(gauges), TEST(buckets), TEST(long_sums),
		TEST(labels), TEST(one_name), TEST(drops_only_rise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
