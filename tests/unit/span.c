/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole records at the beginning of what a relay file has given. */
#include "capture/span.h"
#include "make.h"

/* a native header of that version, pdu_len bytes of payload promised */
static size_t put_head(uint8_t *p, unsigned int version, uint16_t pdu_len)
{
	uint32_t magic = BLK_MAGIC | version;
	size_t size = version == 8 ? 64 : 48;

	memset(p, 0, size);
	memcpy(p, &magic, sizeof(magic));
	memcpy(p + (version == 8 ? 50 : 46), &pdu_len, sizeof(pdu_len));
	return size;
}

static void check(const uint8_t *bytes, size_t len, size_t whole,
		  unsigned int events, int bad)
{
	struct span s = span_of(bytes, len);

	assert_int_equal(s.len, whole);
	assert_int_equal(s.sums.records, events);
	assert_int_equal(s.bad, bad);
}

/* wherever the bytes are cut, only records that are all there count */
static void test_cuts(void **state)
{
	static const size_t ends[] = { 48, 104, 176 };
	uint8_t bytes[256];
	size_t len = put_head(bytes, 7, 0);

	(void)state;
	len += put_head(bytes + len, 7, 8) + 8;
	len += put_head(bytes + len, 8, 8) + 8;
	assert_int_equal(len, ends[2]);
	for (size_t cut = 0; cut <= len; cut++) {
		unsigned int events = 0;

		while (events < 3 && ends[events] <= cut)
			events++;
		check(bytes, cut, events ? ends[events - 1] : 0, events, 0);
	}
}

/* what is no record of this machine's kernel is told apart from a cut one */
static void test_bad(void **state)
{
	uint8_t bytes[256] = { 0 };
	uint32_t swapped = __builtin_bswap32(BLK_MAGIC | 7);
	size_t len = put_head(bytes, 7, 0);

	(void)state;
	check(bytes, len + 3, len, 1, 0);
	check(bytes, len + 4, len, 1, 1);
	memcpy(bytes + len, &swapped, sizeof(swapped));
	check(bytes, sizeof(bytes), len, 1, 1);
	put_head(bytes + len, 6, 0);
	check(bytes, sizeof(bytes), len, 1, 1);
}

/* the same with an action and bytes */
static size_t put_event(uint8_t *p, unsigned int version, uint32_t action,
			uint32_t bytes)
{
	struct event ev = { .magic = BLK_MAGIC | BLK_VERSION_7,
			    .action = action, .bytes = bytes };

	return record_encode(&ev, version, p);
}

/* completions are counted in both versions, and a cut one is not */
static void test_completions(void **state)
{
	uint8_t bytes[512] = { 0 };
	size_t len = put_event(bytes, 7, BLK_TA_COMPLETE | BLK_CGROUP_FLAG, 8);
	size_t last;
	struct span s;

	(void)state;
	len += put_event(bytes + len, 7, BLK_TA_ISSUE, 16);
	len += put_event(bytes + len, 8, BLK_TA_COMPLETE, 32);
	len += put_event(bytes + len, 8, BLK_TA_QUEUE, 64);
	len += put_event(bytes + len, 7, BLK_TA_COMPLETE, 128);
	last = len;
	len += put_event(bytes + len, 7, BLK_TA_COMPLETE, 256);
	s = span_of(bytes, len);
	assert_int_equal(s.sums.records, 6);
	assert_int_equal(s.sums.completions, 4);
	assert_int_equal(s.sums.completed, 8 + 32 + 128 + 256);
	/* its payload reaches beyond what was read */
	memcpy(bytes + last + 46, &(uint16_t){ 100 }, 2);
	s = span_of(bytes, len + 99);
	assert_int_equal(s.len, last);
	assert_int_equal(s.sums.records, 5);
	assert_int_equal(s.sums.completions, 3);
	assert_int_equal(s.sums.completed, 8 + 32 + 128);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_completions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
