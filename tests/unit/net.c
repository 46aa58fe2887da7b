/* SPDX-License-Identifier: GPL-2.0-only */
/* Headers of the network protocol: the bytes of the wire, and their bounds. */
#include "make.h"
#include "net.h"

/* The first header of a capture of 1.3.0's client on x86-64: vda, CPU 0, pid
 * 142. */
static const uint8_t open_vda[NET_HEADER] = {
	0x00, 0x74, 0x61, 0x65, 'v', 'd', 'a', 0, [40] = 2, [48] = 142,
	[53] = 0x10, [56] = 8, [61] = 0x10,
};

static const struct net_header sample = {
	.name = "sda", .cpu = 1, .max_cpus = 4, .len = 4096, .run = 0x01020304,
	.buf_size = 524288, .buf_nr = 4, .page_size = 4096,
};

static void turn(uint8_t *p)
{
	uint8_t t[4] = { p[3], p[2], p[1], p[0] };

	memcpy(p, t, 4);
}

/* raw as a machine of the other byte order sends it */
static void turn_numbers(uint8_t raw[NET_HEADER])
{
	turn(raw);
	for (size_t i = NET_PREFIX; i < NET_HEADER; i += 4)
		turn(raw + i);
}

static void check_same(const struct net_header *a, const struct net_header *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->max_cpus, b->max_cpus);
	assert_int_equal(a->len, b->len);
	assert_int_equal(a->run, b->run);
	assert_int_equal(a->buf_size, b->buf_size);
	assert_int_equal(a->buf_nr, b->buf_nr);
	assert_int_equal(a->page_size, b->page_size);
}

/* --- tests --------------------------------------------------------------- */

/* what 1.3.0 sends is understood, and sent by us in the same bytes */
static void test_wire(void **state)
{
	struct net_header h;
	uint8_t raw[NET_HEADER];

	(void)state;
	assert_null(net_decode(&h, open_vda));
	assert_string_equal(h.name, "vda");
	assert_int_equal(h.cpu, 0);
	assert_int_equal(h.max_cpus, 2);
	assert_int_equal(net_kind(&h), NET_OPEN);
	assert_int_equal(h.run, 142);
	assert_int_equal(h.buf_size, 4096);
	assert_int_equal(h.buf_nr, 8);
	assert_int_equal(h.page_size, 4096);
	net_encode(&h, raw);
	if (BYTE_ORDER == BIG_ENDIAN)
		turn_numbers(raw);
	assert_memory_equal(raw, open_vda, NET_HEADER);
}

static void test_both_orders(void **state)
{
	struct net_header h;
	uint8_t raw[NET_HEADER];

	(void)state;
	net_encode(&sample, raw);
	assert_null(net_decode(&h, raw));
	check_same(&h, &sample);
	turn_numbers(raw);
	assert_null(net_decode(&h, raw));
	check_same(&h, &sample);
}

/* nothing of ours goes out behind a name */
static void test_name_padding(void **state)
{
	struct net_header h = sample;
	uint8_t raw[NET_HEADER];

	(void)state;
	memset(h.name, 'x', sizeof(h.name));
	memcpy(h.name, "sda", 4);
	net_encode(&h, raw);
	for (size_t i = 7; i < NET_PREFIX; i++)
		assert_int_equal(raw[i], 0);
}

static void test_names(void **state)
{
	static const char *const good[] = {
		"sda", "cciss!c0d0", "nvme0n1p1", ".x", "...", "a b", "~",
	};
	static const char *const bad[] = {
		"", ".", "..", "/", "a/b", "../x", "a\n", "\x7f", "\x1b[m",
		"\xc3\xa4",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_true(net_name_valid(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(net_name_valid(bad[i]));
}

/* 32 bytes without a NUL are no name; 31 are one */
static void test_name_length(void **state)
{
	struct net_header h;
	uint8_t raw[NET_HEADER];

	(void)state;
	net_encode(&sample, raw);
	memset(raw + 4, 'x', NET_NAME);
	assert_string_equal(net_decode(&h, raw), "bad device name");
	raw[4 + NET_NAME - 1] = 0;
	assert_null(net_decode(&h, raw));
	assert_int_equal(strlen(h.name), NET_NAME - 1);
}

static const char *decode(const struct net_header *h)
{
	struct net_header got;
	uint8_t raw[NET_HEADER];

	net_encode(h, raw);
	return net_decode(&got, raw);
}

#define WITH(max, ...) (&(struct net_header){ .name = "sda", \
					      .max_cpus = (max), __VA_ARGS__ })

static void test_bounds(void **state)
{
	(void)state;
	assert_null(decode(WITH(4, .cpu = 3)));
	assert_string_equal(decode(WITH(4, .cpu = 4)), "bad CPU");
	assert_string_equal(decode(WITH(4, .cpu = 5000, .len = 48)), "bad CPU");
	assert_string_equal(decode(WITH(4, .cpu = UINT32_MAX)), "bad CPU");
	assert_string_equal(decode(WITH(0, .cpu = 0)), "bad number of CPUs");
	assert_null(decode(WITH(8192, .cpu = 8191)));
	assert_string_equal(decode(WITH(8193, .cpu = 0)),
			    "bad number of CPUs");
	assert_null(decode(WITH(4, .len = 0x7fffffff)));
	assert_string_equal(decode(WITH(4, .len = 0x80000000)), "bad length");
}

/* in a close the CPU is a number of drops, and any will do */
static void test_close(void **state)
{
	(void)state;
	assert_null(decode(WITH(4, .len = NET_CLOSE, .cpu = UINT32_MAX)));
	assert_null(decode(WITH(4, .len = NET_ANSWER, .cpu = UINT32_MAX)));
	assert_int_equal(net_kind(WITH(4, .len = 2)), NET_ANSWER);
	assert_int_equal(net_kind(WITH(4, .len = 3)), NET_DATA);
	assert_int_equal(net_kind(WITH(4, .len = UINT32_MAX)), NET_DATA);
}

/* records' magic is none of ours, in either order */
static void test_magic(void **state)
{
	struct net_header h;
	uint8_t raw[NET_HEADER];

	(void)state;
	net_encode(&sample, raw);
	raw[0] = 7;
	assert_string_equal(net_decode(&h, raw), "bad magic");
	turn(raw);
	assert_string_equal(net_decode(&h, raw), "bad magic");
	memset(raw, 0, sizeof(raw));
	assert_string_equal(net_decode(&h, raw), "bad magic");
}

/* never a block of one or two bytes, never one that is too long */
static void test_chunks(void **state)
{
	(void)state;
	for (size_t len = 3; len < 100; len++)
		for (size_t max = 8; max < 40; max++)
			for (size_t left = len; left;) {
				size_t n = net_chunk(left, max);

				assert_in_range(n, NET_DATA, max);
				assert_true(n <= left);
				left -= n;
			}
}

/* the bytes of frames, as blktrace-net(5) has them */
static void test_frames(void **state)
{
	static const uint8_t want[FRAME] = {
		'B', 'L', 'K', 'd', 4, 3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1,
		12, 11, 10, 9, 16, 15, 14, 13,
	};
	const struct frame f = { FRAME_DATA, 0x01020304, 0x0102030405060708,
				 0x090a0b0c, 0x0d0e0f10 };
	uint8_t raw[FRAME];
	struct frame got;

	(void)state;
	frame_encode(&f, raw);
	assert_memory_equal(raw, want, FRAME);
	assert_true(frame_decode(&got, raw));
	assert_memory_equal(&got, &f, sizeof(f));
	for (int kind = 0; kind < FRAME_KINDS; kind++) {
		frame_encode(&(struct frame){ .kind = (enum frame_kind)kind },
			     raw);
		assert_int_equal(raw[0], FRAME_FIRST);
		assert_true(frame_decode(&got, raw));
		assert_int_equal(got.kind, kind);
	}
	raw[3] = 'z';
	assert_false(frame_decode(&got, raw));
}

/* what frames contain */
static void test_contents(void **state)
{
	const struct frame_hello hello = { { 1, 2, [15] = 3 }, 0x01020304 };
	const struct frame_totals totals = { 1, 2, 3, UINT64_MAX };
	struct frame_hello said;
	struct frame_totals counted;
	struct net_header lane;
	uint64_t stored;
	uint8_t raw[64];

	(void)state;
	frame_hello_encode(&hello, raw);
	assert_int_equal(raw[16], 4);
	frame_hello_decode(&said, raw);
	assert_memory_equal(&said, &hello, sizeof(said));
	frame_totals_encode(&totals, raw);
	assert_int_equal(raw[8], 2);
	frame_totals_decode(&counted, raw);
	assert_memory_equal(&counted, &totals, sizeof(counted));
	frame_lane_encode(&sample, 0x0102030405060708, raw);
	assert_int_equal(raw[32], 1);
	assert_int_equal(raw[36], 4);
	assert_int_equal(raw[40], 8);
	assert_null(frame_lane_decode(&lane, &stored, raw));
	assert_string_equal(lane.name, "sda");
	assert_int_equal(lane.cpu, 1);
	assert_int_equal(lane.max_cpus, 4);
	assert_int_equal(stored, 0x0102030405060708);
	raw[32] = 4;
	assert_string_equal(frame_lane_decode(&lane, &stored, raw), "bad CPU");
	raw[0] = '/';
	assert_string_equal(frame_lane_decode(&lane, &stored, raw),
			    NET_BAD_NAME);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wire),
		cmocka_unit_test(test_both_orders),
		cmocka_unit_test(test_name_padding),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_name_length),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_close),
		cmocka_unit_test(test_magic),
		cmocka_unit_test(test_chunks),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_contents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
