/* SPDX-License-Identifier: GPL-2.0-only */
/* A device's counters, of kernels of several ages. */
#include <errno.h>

#include "capture/disk_counters.h"
#include "scratch.h"

enum { SDA = 8 << 20 };

#define OLD "10 1 800 5 20 2 1600 6 0 7 8"
#define DISCARDS " 30 3 2400 9"

static void check(const char *stat, uint64_t ios, uint64_t sectors,
		  uint64_t flushes, bool has_flushes)
{
	struct disk_counters c;

	put("dev/block/8:0/stat", stat);
	assert_int_equal(disk_counters_read(&c, ".", SDA), 0);
	assert_int_equal(c.ios, ios);
	assert_int_equal(c.sectors, sectors);
	assert_int_equal(c.flushes, flushes);
	assert_int_equal(c.has_flushes, has_flushes);
}

static void test_read(void **state)
{
	struct disk_counters c = { .ios = 1 };

	(void)state;
	check(OLD "\n", 30, 2400, 0, false);
	check("  " OLD DISCARDS "\n", 60, 4800, 0, false);
	check(OLD DISCARDS " 7 4\n", 60, 4800, 7, true);
	check(OLD DISCARDS " 0 0\n", 60, 4800, 0, true);
	assert_int_equal(disk_counters_read(&c, "none", SDA), -ENOENT);
	assert_int_equal(c.ios, 0);
}

static void check_flaw(const char *part)
{
	const char *flaw = disk_counters_flaw(".", SDA);

	if (!part)
		assert_null(flaw);
	else
		assert_non_null(flaw ? strstr(flaw, part) : NULL);
}

/* each of what makes a comparison false, by itself */
static void test_flaws(void **state)
{
	(void)state;
	check_flaw("no counters");
	put("dev/block/8:0/stat", OLD);
	check_flaw("no requests");
	make_folders("dev/block/8:0/mq/0/");
	check_flaw(NULL);
	put("dev/block/8:0/queue/iostats", "1\n");
	put("dev/block/8:0/queue/zoned", "none\n");
	check_flaw(NULL);
	put("dev/block/8:0/queue/iostats", "0\n");
	check_flaw("iostats is 0");
	put("dev/block/8:0/queue/zoned", "host-managed\n");
	check_flaw("zones");
	put("dev/block/8:0/partition", "1\n");
	check_flaw("partition");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_read, scratch_enter,
						scratch_leave),
		cmocka_unit_test_setup_teardown(test_flaws, scratch_enter,
						scratch_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
