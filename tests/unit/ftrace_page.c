/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages of the kernel's ring buffer, entry by entry. */
#include <errno.h>

#include "file/ftrace_page.h"
#include "recorded_page.h"
#include "ring_page.h"

/* as ftrace_layout.c reads it from the texts of ring_page.h */
static const struct ftrace_layout layout = {
	.page = PAGE, .stamp = 0, .commit = 8, .commit_size = 8,
	.data = PAGE_HEAD, .type_bits = 5, .delta_bits = 27,
	.type_mask = 0x1f, .delta_mask = 0x7ffffff,
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	.delta_shift = 5,
#else
	.type_shift = 27,
#endif
	.padding = PADDING, .time_extend = TIME_EXTEND,
	.time_stamp = TIME_STAMP, .data_max = 28,
};

static struct ftrace_page begin(const void *bytes, size_t len)
{
	struct ftrace_page p;

	assert_int_equal(ftrace_page_begin(&p, &layout, bytes, len), 0);
	return p;
}

/* the next entry: when, how long, and what it begins with */
static void check_entry(struct ftrace_page *p, uint64_t time, size_t len,
			const char *data)
{
	struct ftrace_entry e;

	assert_int_equal(ftrace_page_next(p, &e), 1);
	assert_true(e.time == time);
	assert_int_equal(e.len, len);
	assert_memory_equal(e.data, data, strlen(data));
}

static void check_end(struct ftrace_page *p, int end)
{
	struct ftrace_entry e;

	assert_int_equal(ftrace_page_next(p, &e), end);
	assert_int_equal(ftrace_page_next(p, &e), end);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __SIZEOF_LONG__ == 8
/* what a kernel wrote: 12 records and a marker, and 0.3 s in the middle */
static void test_recorded(void **state)
{
	struct ftrace_page p = begin(recorded_page, sizeof(recorded_page));
	uint64_t first = 0, last = 0;
	struct ftrace_entry e;
	unsigned int count[2] = { 0, 0 };

	(void)state;
	assert_false(p.lossy);
	for (int i = 0; i < 13; i++) {
		assert_int_equal(ftrace_page_next(&p, &e), 1);
		assert_true(e.time >= last);
		last = e.time;
		first = first ? first : e.time;
		count[e.data[0] == MARKER_TYPE]++;
	}
	check_end(&p, 0);
	assert_int_equal(count[0], 12);
	assert_int_equal(count[1], 1);
	assert_true(first == UINT64_C(0x0f73604b5b01));
	assert_true(last - first == 314407105);
}
#endif

/* every way in which a kernel may write an event */
static void test_kinds(void **state)
{
	char longer[200] = "longer";
	struct ring_page r;
	struct ftrace_page p;

	(void)state;
	page_start(&r, 1000);
	page_entry(&r, 0, "abcd", 4);
	page_entry(&r, 7, "abcdef", 6);
	page_entry(&r, 3, longer, sizeof(longer));
	page_pair(&r, PADDING, 5, 12);
	page_word(&r, 0);
	page_word(&r, 0);
	page_pair(&r, TIME_EXTEND, 1, 2);
	page_entry(&r, 4, "late", 4);
	page_pair(&r, TIME_STAMP, 9, 1 << 4);
	page_entry(&r, 0, "last", 4);
	page_pair(&r, PADDING, 0, 0xffffffff);
	p = begin(r.bytes, PAGE);
	check_entry(&p, 1000, 4, "abcd");
	check_entry(&p, 1007, 8, "abcdef");
	check_entry(&p, 1010, 200, "longer");
	check_entry(&p, 1015 + (2 << 27) + 1 + 4, 4, "late");
	check_entry(&p, (UINT64_C(1) << 31) + 9, 4, "last");
	check_end(&p, 0);
}

static void swap(uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len / 2; i++) {
		uint8_t byte = bytes[i];

		bytes[i] = bytes[len - 1 - i];
		bytes[len - 1 - i] = byte;
	}
}

/* of a machine of the other byte order: two entries, 70 ns apart */
static void test_swapped(void **state)
{
	struct ftrace_layout other = layout;
	struct ftrace_page p;
	struct ring_page r;
	struct ftrace_entry e;

	(void)state;
	other.swapped = true;
	other.type_shift = layout.type_shift ? 0 : 27;
	other.delta_shift = layout.delta_shift ? 0 : 5;
	page_start(&r, 1000);
	page_word(&r, 1u << other.type_shift | 7u << other.delta_shift);
	page_word(&r, 0);
	page_word(&r, 70u << other.delta_shift);
	page_word(&r, 8);
	page_word(&r, 0);
	swap(r.bytes, 8);
	swap(r.bytes + 8, 8);
	for (size_t at = PAGE_HEAD; at < PAGE_HEAD + r.len; at += 4)
		swap(r.bytes + at, 4);
	assert_int_equal(ftrace_page_begin(&p, &other, r.bytes, PAGE), 0);
	assert_int_equal(ftrace_page_next(&p, &e), 1);
	assert_true(e.time == 1007 && e.len == 4);
	assert_int_equal(ftrace_page_next(&p, &e), 1);
	assert_true(e.time == 1077 && e.len == 4);
	check_end(&p, 0);
}

/* 59 bits are in a time stamp, the others in the time before it */
static void test_far(void **state)
{
	uint64_t high = UINT64_C(3) << 59;
	struct ring_page r;
	struct ftrace_page p;

	(void)state;
	page_start(&r, high + 50);
	page_pair(&r, TIME_STAMP, 60, 0);
	page_entry(&r, 0, "same", 4);
	page_pair(&r, TIME_STAMP, 2, 0);
	page_entry(&r, 0, "next", 4);
	p = begin(r.bytes, PAGE);
	check_entry(&p, high + 60, 4, "same");
	check_entry(&p, high + (UINT64_C(1) << 59) + 2, 4, "next");
}

static void test_lost(void **state)
{
	struct ring_page r;
	struct ftrace_page p;

	(void)state;
	page_start(&r, 1);
	page_entry(&r, 0, "abcd", 4);
	page_lost(&r, UINT64_C(1) << 33);
	p = begin(r.bytes, PAGE);
	assert_true(p.lossy);
	assert_true(p.lost == UINT64_C(1) << 33);
	check_entry(&p, 1, 4, "abcd");
	check_end(&p, 0);
	page_lost(&r, 0);
	p = begin(r.bytes, PAGE);
	assert_true(p.lossy);
	assert_int_equal(p.lost, 0);
	/* the number is said to be there, but the page ends before it does */
	page_lost(&r, 5);
	assert_int_equal(ftrace_page_begin(&p, &layout, r.bytes,
					   PAGE_HEAD + r.len + 7), -EBADMSG);
}

/* on 32-bit kernels lengths and numbers of lost events are shorter */
static void test_short(void **state)
{
	struct ftrace_layout l = layout;
	uint32_t commit = 0xc0000000 + 8, lost = 6;
	struct ring_page r;
	struct ftrace_page p;

	(void)state;
	l.commit_size = 4;
	l.data = 12;
	page_start(&r, 1);
	memcpy(r.bytes + 8, &commit, sizeof(commit));
	r.len = 0;
	page_entry(&r, 2, "abcd", 4);
	memmove(r.bytes + 12, r.bytes + 16, 8);
	memcpy(r.bytes + 8, &commit, sizeof(commit));
	memcpy(r.bytes + 20, &lost, sizeof(lost));
	assert_int_equal(ftrace_page_begin(&p, &l, r.bytes, PAGE), 0);
	assert_int_equal(p.lost, 6);
	check_entry(&p, 3, 4, "abcd");
	check_end(&p, 0);
}

/* no page: too short for one, or for what it says that it has */
static void test_no_page(void **state)
{
	struct ring_page r;
	struct ftrace_page p;

	(void)state;
	page_start(&r, 1);
	for (size_t len = 0; len < PAGE_HEAD; len++)
		assert_int_equal(ftrace_page_begin(&p, &layout, r.bytes, len),
				 -EBADMSG);
	p = begin(r.bytes, PAGE_HEAD);
	check_end(&p, 0);
	page_entry(&r, 0, "abcd", 4);
	assert_int_equal(ftrace_page_begin(&p, &layout, r.bytes,
					   PAGE_HEAD + r.len - 1), -EBADMSG);
}

/* an event that ends behind its page, whatever its type */
static void test_damage(void **state)
{
	static const struct {
		uint32_t type, word;
	} cases[] = {
		{ 2, 0 }, { 28, 0 }, { 0, 0 }, { 0, 3 }, { 0, 8 },
		{ 0, 0xffffffff }, { PADDING, 8 }, { PADDING, 0 },
	};
	struct ring_page r;
	struct ftrace_page p;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		page_start(&r, 1);
		page_entry(&r, 0, "abcd", 4);
		page_pair(&r, cases[i].type, 1, cases[i].word);
		p = begin(r.bytes, PAGE);
		check_entry(&p, 1, 4, "abcd");
		check_end(&p, -EBADMSG);
		assert_int_equal(p.end - p.at, 8);
	}
	page_start(&r, 1);
	page_head(&r, TIME_EXTEND, 1);
	p = begin(r.bytes, PAGE);
	check_end(&p, -EBADMSG);
}

/* types that no text has given a meaning */
static void test_unknown(void **state)
{
	struct ftrace_layout l = layout;
	struct ring_page r;
	struct ftrace_page p;

	(void)state;
	l.data_max = 20;
	page_start(&r, 1);
	page_pair(&r, 21, 1, 4);
	assert_int_equal(ftrace_page_begin(&p, &l, r.bytes, PAGE), 0);
	check_end(&p, -EBADMSG);
}

/* whatever the bytes are: an end comes, and no entry is outside of the page */
static void test_noise(void **state)
{
	uint64_t seed = 7;
	struct ftrace_entry e;
	struct ftrace_page p;
	uint8_t *bytes = malloc(512);

	(void)state;
	assert_non_null(bytes);
	for (int round = 0; round < 20000; round++) {
		for (size_t i = 0; i < 512; i += 4) {
			uint32_t word = chance(&seed) & chance(&seed);

			memcpy(bytes + i, &word, sizeof(word));
		}
		bytes[8] = (uint8_t)chance(&seed), bytes[9] &= 1;
		memset(bytes + 10, 0, 6);
		if (ftrace_page_begin(&p, &layout, bytes, 512))
			continue;
		while (ftrace_page_next(&p, &e) > 0) {
			assert_true(e.data >= bytes + PAGE_HEAD);
			assert_true(e.len <= (size_t)(p.end - e.data));
		}
		assert_true(p.at <= p.end);
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __SIZEOF_LONG__ == 8
		cmocka_unit_test(test_recorded),
#endif
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_swapped),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_no_page),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
