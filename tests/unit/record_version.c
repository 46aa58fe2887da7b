/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said about versions of records. */
#include "capture/span.h"
#include "make.h"

static void check(uint32_t mask, unsigned int wished, unsigned int got,
		  const char *note)
{
	char text[RECORD_VERSION_NOTE];

	assert_int_equal(record_version_note(text, mask, wished, got),
			 *note != '\0');
	assert_string_equal(text, note);
}

/* who gets what he asked for, by name or as a matter of course, knows it */
static void test_silent(void **state)
{
	(void)state;
	check(0, 0, 7, "");
	check(CAT(READ) | CAT(FUA), 0, 7, "");
	check(0, 7, 7, "");
	check(CAT(ZONE_RESET) | CAT(READ), 7, 7, "");
	check(0, 8, 8, "");
	check(CAT(ZONE_RESET), 8, 8, "");
}

/* version 8, which readers of old refuse, and why it is that */
static void test_eight(void **state)
{
	(void)state;
	check(0, 0, 8, "version 8 records, as version 7 has no categories of"
	      " zones; --record-version decides");
	check(CAT(READ) | CAT(WRITE_ZEROES), 0, 8, "version 8 records, as"
	      " version 7 has no WRITE_ZEROES; --record-version decides");
}

/* a kernel that has no version 8, and what the trace will lack */
static void test_seven(void **state)
{
	(void)state;
	check(0, 8, 7, "version 7 records only");
	check(CAT(READ) | CAT(ZONE_RESET) | CAT(ZONE_OPEN), 0, 7, "version 7"
	      " records only, which have no ZONE_RESET, ZONE_OPEN");
	check(CAT(ZONE_RESET), 7, 7, "version 7 records only, which have no"
	      " ZONE_RESET");
	check(CAT(READ) | CAT(ZONE_APPEND), 8, 7, "version 7 records only,"
	      " which have no ZONE_APPEND");
}

/* all names at once have room */
static void test_all(void **state)
{
	char text[RECORD_VERSION_NOTE];

	(void)state;
	assert_true(record_version_note(text, UINT32_MAX, 0, 8));
	assert_non_null(strstr(text, " no ZONE_APPEND, ZONE_RESET, "));
	assert_non_null(strstr(text, "WRITE_ZEROES; --record-version decides"));
}

/* a mask that version 7 would take for everything */
static void test_none(void **state)
{
	(void)state;
	assert_false(version_7_has_none(0));
	assert_false(version_7_has_none(CAT(READ)));
	assert_false(version_7_has_none(CAT(READ) | CAT(ZONE_OPEN)));
	assert_true(version_7_has_none(CAT(ZONE_OPEN)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_silent),
		cmocka_unit_test(test_eight),
		cmocka_unit_test(test_seven),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
