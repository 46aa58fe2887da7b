/* SPDX-License-Identifier: GPL-2.0-only */
/* The block of totals, byte for byte. */
#include "base/buf.h"
#include "capture/totals.h"
#include "make.h"

static void check(const char *name, const struct totals_cpu *cpus,
		  unsigned int count, uint64_t drops, const char *want)
{
	struct buf out;

	assert_int_equal(buf_init(&out, -1, 4096), 0);
	totals_print(&out, name, cpus, count, drops);
	assert_int_equal(out.len, strlen(want));
	assert_memory_equal(out.data, want, out.len);
	buf_free(&out);
}

static void test_block(void **state)
{
	static const struct totals_cpu cpus[] = { { 27, 1400 }, { 122, 6144 } };

	(void)state;
	check("nullb0", cpus, 2, 0,
	      "=== nullb0 ===\n"
	      "  CPU  0:                   27 events,        2 KiB data\n"
	      "  CPU  1:                  122 events,        6 KiB data\n"
	      "  Total:                   149 events (dropped 0),"
	      "        8 KiB data\n");
}

/* nothing is nothing, and a byte is a KiB, in the sum as for a CPU */
static void test_rounding(void **state)
{
	static const struct totals_cpu cpus[] = { { 0, 0 }, { 1, 1024 } };

	(void)state;
	check("a", cpus, 1, 0,
	      "=== a ===\n"
	      "  CPU  0:                    0 events,        0 KiB data\n"
	      "  Total:                     0 events (dropped 0),"
	      "        0 KiB data\n");
	check("b", cpus, 2, 18446744073709551615u,
	      "=== b ===\n"
	      "  CPU  0:                    0 events,        0 KiB data\n"
	      "  CPU  1:                    1 events,        1 KiB data\n"
	      "  Total:                     1 events"
	      " (dropped 18446744073709551615),        1 KiB data\n");
}

/* a CPU without a line is in the sum all the same */
static void test_shown(void **state)
{
	static const struct totals_cpu cpus[] = { { 3, 3 }, { 5, 5 }, { 7, 7 } };
	static const bool shown[] = { false, true, false };
	static const char want[] =
		"=== c ===\n"
		"  CPU  1:                    5 events,        1 KiB data\n"
		"  Total:                    15 events (dropped 2),"
		"        1 KiB data\n";
	struct buf out;

	(void)state;
	assert_int_equal(buf_init(&out, -1, 4096), 0);
	totals_print_shown(&out, "c", cpus, shown, 3, 2);
	assert_int_equal(out.len, strlen(want));
	assert_memory_equal(out.data, want, out.len);
	buf_free(&out);
}

static void check_warning(uint64_t events, uint64_t drops, const char *want)
{
	char text[TOTALS_WARNING] = "before";

	totals_warning(events, drops, text);
	assert_string_equal(text, want);
}

/* the greatest numbers are not cut */
static void test_room(void **state)
{
	char text[TOTALS_WARNING];

	(void)state;
	totals_warning(0, UINT64_MAX, text);
	assert_non_null(strstr(text, "You have 18446744073709551615 (100.0%)"));
	assert_int_equal(text[strlen(text) - 1], '\n');
}

static void test_drops(void **state)
{
	(void)state;
	check_warning(10, 0, "");
	check_warning(32967, 33, "\nYou have 33 (  0.1%) dropped events\n"
		      "Consider using a larger buffer size (-b) and/or more"
		      " buffers (-n)\n");
	check_warning(3, 3, "\nYou have 3 ( 50.0%) dropped events\n"
		      "Consider using a larger buffer size (-b) and/or more"
		      " buffers (-n)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_block),
		cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_drops),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
