/* SPDX-License-Identifier: GPL-2.0-only */
/* Payloads, whole and too short, with and without a cgroup id in front. */
#include "make.h"
#include "record/payload.h"

enum { FLAG = BLK_CGROUP_FLAG };

/* a cgroup id of 7 and 9, then the body */
static size_t with_cgroup(uint8_t *to, const void *body, size_t len)
{
	uint32_t id[] = { 7, 9 };

	memcpy(to, id, sizeof(id));
	memcpy(to + sizeof(id), body, len);
	return sizeof(id) + len;
}

/* the body begins behind the id, and is empty when the id itself is cut */
static void test_body(void **state)
{
	uint8_t bytes[32];
	size_t whole = with_cgroup(bytes, "body", 4), len;
	struct event ev = EVENT(.action = FLAG);

	(void)state;
	for (size_t have = 0; have <= whole; have++) {
		ev = with_payload(ev, bytes, have);
		assert_ptr_equal(payload_body(&ev, &len),
				 bytes + (have < 8 ? have : 8));
		assert_int_equal(len, have < 8 ? 0 : have - 8);
	}
	ev.action = 0;
	assert_ptr_equal(payload_body(&ev, &len), bytes);
	assert_int_equal(len, whole);
}

/* the id's two words; none without the flag, nor from fewer than 8 bytes */
static void test_cgroup(void **state)
{
	uint8_t bytes[8];
	struct event ev = EVENT(.action = FLAG);
	uint32_t ino = 1, gen = 1;

	(void)state;
	ev = with_payload(ev, bytes, with_cgroup(bytes, "", 0));
	assert_true(payload_cgroup(&ev, &ino, &gen));
	assert_int_equal(ino, 7);
	assert_int_equal(gen, 9);
	ev.pdu_len = 7;
	assert_false(payload_cgroup(&ev, &ino, &gen));
	assert_int_equal(ino | gen, 0);
	ev.pdu_len = 8;
	ev.action = 0;
	assert_false(payload_cgroup(&ev, &ino, &gen));
}

/* a depth or sector is big-endian on every machine; 7 bytes are none */
static void test_number(void **state)
{
	uint8_t number[8], bytes[16];
	struct event ev = EVENT(.swapped = true);
	uint64_t v;

	(void)state;
	big64_to(number, 0x0102030405060708);
	ev = with_payload(ev, number, 8);
	assert_true(payload_number(&ev, &v));
	assert_int_equal(v, 0x0102030405060708);
	ev.pdu_len = 7;
	v = 1;
	assert_false(payload_number(&ev, &v));
	assert_int_equal(v, 0);
	ev.action = FLAG;
	ev = with_payload(ev, bytes, with_cgroup(bytes, number, 8));
	assert_true(payload_number(&ev, &v));
	assert_int_equal(v, 0x0102030405060708);
	ev.pdu_len = 15;
	assert_false(payload_number(&ev, &v));
}

static void check_remap(const struct event *ev, uint32_t from, uint32_t to)
{
	struct remap r;

	assert_true(payload_remap(ev, &r));
	assert_int_equal(r.from, from);
	assert_int_equal(r.to, to);
	assert_int_equal(r.sector, 0x123456789a);
}

/* today's remap: from, to, sector; less than that tells nothing */
static void test_remap(void **state)
{
	uint8_t body[16], bytes[24];
	struct event ev = EVENT(.device = 5);
	struct remap r;

	(void)state;
	big32_to(body, 0x800001);
	big32_to(body + 4, 0x800000);
	big64_to(body + 8, 0x123456789a);
	ev = with_payload(ev, body, 16);
	check_remap(&ev, 0x800001, 0x800000);
	for (ev.pdu_len = 0; ev.pdu_len < 16; ev.pdu_len++) {
		memset(&r, 0xff, sizeof(r));
		assert_false(payload_remap(&ev, &r));
		assert_int_equal(r.from | r.to | r.sector, 0);
	}
	ev.action = FLAG;
	ev = with_payload(ev, bytes, with_cgroup(bytes, body, 16));
	check_remap(&ev, 0x800001, 0x800000);
}

/* old remaps name one device; 12 bytes, or 16 with a gap before the sector */
static void test_old_remap(void **state)
{
	uint8_t body[16] = { 0 };
	struct event ev = EVENT(.device = 0x900000);
	struct remap r;

	(void)state;
	ev.version = 6;
	big32_to(body, 0x800001);
	big64_to(body + 4, 0x123456789a);
	ev = with_payload(ev, body, 12);
	check_remap(&ev, 0x800001, 0x900000);
	big32_to(body + 4, 0xffffffff);
	big64_to(body + 8, 0x123456789a);
	ev = with_payload(ev, body, 16);
	check_remap(&ev, 0x800001, 0x900000);
	ev.pdu_len = 11;
	assert_false(payload_remap(&ev, &r));
}

/* a time stamp is in the order of its record, and exactly 8 bytes long */
static void test_clock(void **state)
{
	uint8_t bytes[9] = { 0 };
	struct event ev = EVENT(.action = NOTE(BLK_TN_TIMESTAMP));
	uint32_t sec, nsec;

	(void)state;
	for (int swapped = 0; swapped < 2; swapped++) {
		store(bytes, 1700000000, 4, swapped);
		store(bytes + 4, 999999999, 4, swapped);
		ev = with_payload(ev, bytes, 8);
		ev.swapped = swapped;
		assert_true(payload_clock(&ev, &sec, &nsec));
		assert_int_equal(sec, 1700000000);
		assert_int_equal(nsec, 999999999);
	}
	ev.pdu_len = 7;
	assert_false(payload_clock(&ev, &sec, &nsec));
	ev.pdu_len = 9;
	assert_false(payload_clock(&ev, &sec, &nsec));
}

static bool is_dropped(const char *text, uint64_t *n, uint64_t *since)
{
	struct event ev = EVENT(.action = NOTE(BLK_TN_MESSAGE));

	ev = with_payload(ev, text, strlen(text));
	return payload_dropped(&ev, n, since);
}

/* blktrace's own message about events that the kernel has lost */
static void test_dropped(void **state)
{
	uint64_t n, since;

	(void)state;
	assert_true(is_dropped("blktrace: 1 dropped", &n, &since));
	assert_int_equal(n, 1);
	assert_int_equal(since, 0);
	assert_true(is_dropped("blktrace: 4294967295 dropped", &n, &since));
	assert_int_equal(n, UINT32_MAX);
	assert_true(is_dropped("blktrace: 7 dropped since 12.000000034", &n,
			       &since));
	assert_int_equal(n, 7);
	assert_int_equal(since, 12000000034);
	assert_true(is_dropped("blktrace: 7 dropped since 9999999999.999999999",
			       &n, &since));
	assert_true(since == 9999999999999999999u);
}

/* counted, as all is behind the word, but when it was is not known */
static void test_dropped_some_time(void **state)
{
	static const char *const times[] = {
		"", ",", " since", " since ", " since 5", " since 5.",
		" since .123456789", " since 5.12345678",
		" since 5.1234567890", " since 5,123456789",
		" since -5.123456789", " since  5.123456789",
		" since 12345678901.000000000",
		" since 18446744073709551616.000000000",
	};
	char text[128];
	uint64_t n, since;

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		snprintf(text, sizeof(text), "blktrace: 3 dropped%s", times[i]);
		assert_true(is_dropped(text, &n, &since));
		assert_int_equal(n, 3);
		assert_int_equal(since, 0);
	}
}

/* everything else is somebody's text, numbers beyond reason included */
static void test_not_dropped(void **state)
{
	static const char *const others[] = {
		"", "blktrace: ", "blktrace:  dropped", "blktrace: 5",
		"blktrace: 5 drop", "blktrace: x dropped",
		"blktrace: -5 dropped",
		"Blktrace: 5 dropped", "5 dropped", "blktrace: 5dropped",
		"blktrace: 99999999999999999999999 dropped",
	};
	uint64_t n, since;

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(is_dropped(others[i], &n, &since));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_body),
		cmocka_unit_test(test_cgroup),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_remap),
		cmocka_unit_test(test_old_remap),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_dropped_some_time),
		cmocka_unit_test(test_not_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
