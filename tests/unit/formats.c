/* SPDX-License-Identifier: GPL-2.0-only */
/* Which format an event gets, after any number of -f and -F. */
#include "emit/format.h"
#include "page.h"

static struct event event_of(uint32_t nr)
{
	return EVENT(.action = ACT(nr, 0), .bytes = 512);
}

/* the event's format renders as this text; NULL: it has none */
static void check(const struct formats *f, uint32_t nr, const char *text)
{
	struct event ev = event_of(nr);
	struct format *got = formats_for(f, &ev);
	struct page page;
	struct format_context c = { &page.out, &page.names, NULL };

	if (!text) {
		assert_null(got);
		return;
	}
	assert_non_null(got);
	page_init(&page);
	ev.lane = page.lane;
	assert_int_equal(format_event(got, &c, &ev, 0), FORMAT_SHOWN);
	page_check(&page, text);
	page_free(&page);
}

/* of several -f the first wins, of several -F the last, in any order */
static void test_precedence(void **state)
{
	struct formats f = { .any = false };

	(void)state;
	assert_int_equal(formats_set_one(&f, "Q,q1"), FORMATS_OK);
	assert_int_equal(formats_set_all(&f, "all1"), FORMATS_OK);
	assert_int_equal(formats_set_all(&f, "all2"), FORMATS_OK);
	assert_int_equal(formats_set_one(&f, "C,c1"), FORMATS_OK);
	assert_int_equal(formats_set_one(&f, "C,c2"), FORMATS_OK);
	check(&f, BLK_TA_QUEUE, "q1");
	check(&f, BLK_TA_COMPLETE, "c2");
	check(&f, BLK_TA_ISSUE, "all1");
	formats_free(&f);
	check(&f, BLK_TA_QUEUE, NULL);
}

/* U is for both unplugs, Z for both of the zones' */
static void test_letters(void **state)
{
	struct formats f = { .any = false };

	(void)state;
	assert_int_equal(formats_set_one(&f, "U,u"), FORMATS_OK);
	assert_int_equal(formats_set_one(&f, "Z,z"), FORMATS_OK);
	assert_int_equal(formats_set_one(&f, "P,"), FORMATS_OK);
	check(&f, BLK_TA_UNPLUG_IO, "u");
	check(&f, BLK_TA_UNPLUG_TIMER, "u");
	check(&f, BLK_TA_ZONE_PLUG, "z");
	check(&f, BLK_TA_ZONE_UNPLUG, "z");
	check(&f, BLK_TA_PLUG, "");
	check(&f, BLK_TA_QUEUE, NULL);
	check(&f, BLK_TA_ABORT, NULL);
	formats_free(&f);
}

/* letters of no action and specifications without a comma are refused */
static void test_refused(void **state)
{
	struct formats f = { .any = false };

	(void)state;
	assert_int_equal(formats_set_one(&f, ""), FORMATS_BAD_LETTER);
	assert_int_equal(formats_set_one(&f, "E,x"), FORMATS_BAD_LETTER);
	assert_int_equal(formats_set_one(&f, "q,x"), FORMATS_BAD_LETTER);
	assert_int_equal(formats_set_one(&f, ",x"), FORMATS_BAD_LETTER);
	assert_int_equal(formats_set_one(&f, "Q"), FORMATS_NO_COMMA);
	assert_int_equal(formats_set_one(&f, "UT,x"), FORMATS_NO_COMMA);
	assert_int_equal(formats_set_one(&f, "T,x"), FORMATS_OK);
	assert_int_equal(formats_set_one(&f, "W,x"), FORMATS_OK);
	formats_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_precedence),
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
