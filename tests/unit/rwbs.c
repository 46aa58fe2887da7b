/* SPDX-License-Identifier: GPL-2.0-only */
/* The RWBS column, letter by letter. */
#include "make.h"
#include "record/action.h"

/* a request of these categories and so many bytes reads as text */
static void check(uint32_t categories, uint32_t bytes, const char *text)
{
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, categories),
				.zone = categories >> 16, .bytes = bytes);
	char got[RWBS_MAX];

	memset(got, '~', sizeof(got));
	assert_int_equal(rwbs_text(&ev, got), strlen(text));
	assert_string_equal(got, text);
}

/* a write is told by its bit, a read by having bytes at all */
static void test_direction(void **state)
{
	(void)state;
	check(CAT(WRITE), 4096, "W");
	check(CAT(WRITE), 0, "W");
	check(CAT(READ), 4096, "R");
	check(0, 512, "R");
	check(CAT(READ), 0, "N");
	check(CAT(READ) | CAT(WRITE), 1, "W");
}

/* discard goes before all other deeds */
static void test_discard(void **state)
{
	(void)state;
	check(CAT(DISCARD), 0, "D");
	check(CAT(DISCARD) | CAT(WRITE), 4096, "D");
	check(CAT(DISCARD) | CAT(ZONE_RESET), 0, "D");
}

/* the deeds of version 8 stand in place of W */
static void test_zones(void **state)
{
	(void)state;
	check(CAT(ZONE_APPEND) | CAT(WRITE), 4096, "ZA");
	check(CAT(ZONE_RESET) | CAT(WRITE), 0, "ZR");
	check(CAT(ZONE_RESET_ALL) | CAT(WRITE), 0, "ZRA");
	check(CAT(ZONE_FINISH) | CAT(WRITE), 0, "ZF");
	check(CAT(ZONE_OPEN) | CAT(WRITE), 0, "ZO");
	check(CAT(ZONE_CLOSE) | CAT(WRITE), 0, "ZC");
	check(CAT(WRITE_ZEROES) | CAT(WRITE), 4096, "WZ");
}

/* a flush before the deed and force unit access behind it are both F */
static void test_manners(void **state)
{
	(void)state;
	check(CAT(WRITE) | CAT(FLUSH), 0, "FW");
	check(CAT(WRITE) | CAT(FUA), 512, "WF");
	check(CAT(WRITE) | CAT(FLUSH) | CAT(FUA), 512, "FWF");
	check(CAT(READ) | CAT(AHEAD), 512, "RA");
	check(CAT(WRITE) | CAT(SYNC), 512, "WS");
	check(CAT(READ) | CAT(META), 512, "RM");
	check(CAT(WRITE) | CAT(META) | CAT(SYNC) | CAT(AHEAD), 512, "WASM");
}

/* what happens to a request leaves no letter */
static void test_no_letters(void **state)
{
	(void)state;
	check(CAT(QUEUE) | CAT(REQUEUE) | CAT(ISSUE) | CAT(COMPLETE) | CAT(FS) |
	      CAT(PC) | CAT(NOTIFY) | CAT(DRV_DATA), 512, "R");
}

/* the longest there can be fills the text it is given, with its NUL */
static void test_longest(void **state)
{
	uint32_t manners = CAT(FLUSH) | CAT(FUA) | CAT(AHEAD) | CAT(SYNC) |
			   CAT(META);

	(void)state;
	check(manners | CAT(ZONE_RESET_ALL), 0, "FZRAFASM");
	for (uint32_t deed = 0; deed < BLK_TC_BIT(BLK_TC_COUNT);
	     deed += 1u << 13) {
		struct event ev = EVENT(.action = ACT(0, manners | deed),
					.zone = deed >> 16);
		char text[RWBS_MAX];

		assert_true(rwbs_text(&ev, text) < RWBS_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_discard),
		cmocka_unit_test(test_zones),
		cmocka_unit_test(test_manners),
		cmocka_unit_test(test_no_letters),
		cmocka_unit_test(test_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
