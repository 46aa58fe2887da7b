/* SPDX-License-Identifier: GPL-2.0-only */
/* Gauges of devices: the packets that changes make. */
#include "emit/perfetto.h"

#include "base/buf.h"
#include "emit/perfetto/packet.h"
#include "make.h"
#include "request/io.h"

enum { TRACK = 5, STEP = GAUGES_STEP };

struct point {
	uint64_t time, track, value;
};

/* what was written are these packets, in this order */
static void assert_points(struct buf *b, const struct point *want,
			  size_t count)
{
	uint8_t bytes[4096], *p = bytes;

	for (size_t i = 0; i < count; i++)
		p = packet_counter(p, want[i].time, want[i].track,
				   want[i].value);
	assert_int_equal(b->len, p - bytes);
	assert_memory_equal(b->data, bytes, b->len);
	b->len = 0;
}

#define ASSERT_POINTS(b, ...) \
	do { \
		const struct point want_[] = { __VA_ARGS__ }; \
		assert_points(b, want_, sizeof(want_) / sizeof(*want_)); \
	} while (0)

/* a read of 4 KiB that was at the driver all the time */
static struct io request(uint64_t id, uint64_t time, uint64_t total)
{
	return (struct io){ .id = id, .rq = id, .op = IO_READ, .bytes = 4096,
			    .time = time, .total = total, .issued = time,
			    .served = time + total };
}

static void begin(struct gauges *g, struct buf *b)
{
	*g = (struct gauges){ .count = 0 };
	assert_int_equal(buf_init(b, -1, 1 << 16), 0);
	assert_int_equal(gauges_add_device(g, TRACK), 0);
}

static void add(struct gauges *g, struct io io)
{
	assert_int_equal(gauges_add(g, 0, &io), 0);
}

static void finish(struct gauges *g, struct buf *b)
{
	gauges_free(g);
	buf_free(b);
}

static void test_depth(void **state)
{
	struct gauges g;
	struct buf b;

	(void)state;
	begin(&g, &b);
	add(&g, request(1, 10, 20));
	add(&g, request(2, 15, 5));
	/* one ends as another begins: no change */
	add(&g, request(3, 20, 5));
	gauges_run(&g, &b, 20);
	ASSERT_POINTS(&b, { 10, TRACK, 1 });
	gauges_end(&g, &b);
	ASSERT_POINTS(&b, { 15, TRACK, 2 }, { 25, TRACK, 1 },
		      { 30, TRACK, 0 }, { 0, TRACK + 1, 3 * 4096 * 100 },
		      { STEP, TRACK + 1, 0 });
	finish(&g, &b);
}

/* what began before what has been counted begins now */
static void test_late(void **state)
{
	struct gauges g;
	struct buf b;
	struct io io = request(1, 10, 200);

	(void)state;
	begin(&g, &b);
	gauges_run(&g, &b, 100);
	io.bytes = 0;
	add(&g, io);
	io = request(2, 20, 30);
	io.bytes = 0;
	add(&g, io);
	/* its end is before its begin: damage */
	io.served = io.issued - 1;
	add(&g, io);
	gauges_end(&g, &b);
	ASSERT_POINTS(&b, { 100, TRACK, 1 }, { 210, TRACK, 0 });
	finish(&g, &b);
}

/* rates of steps; only changes are written */
static void test_bytes(void **state)
{
	struct gauges g;
	struct buf b;
	struct io io = { .id = 2, .op = IO_WRITE, .bytes = 512,
			 .issued = IO_NONE };

	(void)state;
	begin(&g, &b);
	io.time = 4 * STEP;
	io.total = STEP - 1;
	add(&g, io);
	io.time = 5 * STEP;
	add(&g, io);
	io.time = 8 * STEP;
	io.op = IO_DISCARD;
	add(&g, io);
	io.op = IO_APPEND;
	add(&g, io);
	/* in the whole */
	io.kind = IO_PART;
	add(&g, io);
	gauges_end(&g, &b);
	ASSERT_POINTS(&b, { 4 * STEP, TRACK + 2, 51200 },
		      { 6 * STEP, TRACK + 2, 0 },
		      { 8 * STEP, TRACK + 2, 51200 },
		      { 9 * STEP, TRACK + 2, 0 });
	finish(&g, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
