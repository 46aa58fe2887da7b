/* SPDX-License-Identifier: GPL-2.0-only */
/* Who uses a device, by text files that say so. */
#include <sys/sysmacros.h>

#include "place.h"
#include "tools/btreplay/target.h"

/* a disk 8:0 with partitions 8:1 and 8:2, in a root of our own */
static void make_disk(void)
{
	place_dir("sys/dev/block/8:0/holders");
	place_dir("sys/dev/block/8:0/queue");
	for (int i = 1; i <= 2; i++) {
		char path[96], text[32];

		snprintf(path, sizeof(path), "sys/dev/block/8:0/sda%d/holders",
			 i);
		place_dir(path);
		snprintf(path, sizeof(path), "sys/dev/block/8:0/sda%d/dev", i);
		snprintf(text, sizeof(text), "8:%d\n", i);
		place_text(path, text);
		snprintf(path, sizeof(path), "sys/dev/block/8:0/sda%d/start",
			 i);
		place_text(path, i == 1 ? "2048\n" : "4096\n");
		snprintf(path, sizeof(path), "sys/dev/block/8:0/sda%d/size", i);
		place_text(path, "1024\n");
		snprintf(path, sizeof(path),
			 "sys/dev/block/8:0/sda%d/partition", i);
		place_text(path, i == 1 ? "1\n" : "2\n");
		snprintf(path, sizeof(path), "sys/dev/block/8:%d", i);
		snprintf(text, sizeof(text), "8:0/sda%d", i);
		assert_int_equal(symlink(text, path), 0);
	}
	place_text("sys/dev/block/8:0/dev", "8:0\n");
	place_dir("proc/self");
}

static void check_uses(unsigned int minor, const char *want)
{
	char text[512] = "";
	struct guard_uses u;

	assert_int_equal(guard_find(&u, ".", makedev(8, minor)), 0);
	for (unsigned int i = 0; i < u.count; i++) {
		size_t len = strlen(text);

		snprintf(text + len, sizeof(text) - len, "%llu-%lld %s\n",
			 (unsigned long long)u.list[i].start,
			 (long long)u.list[i].end, u.list[i].what);
	}
	guard_free(&u);
	assert_string_equal(text, want);
}

static void test_nobody(void **state)
{
	(void)state;
	check_uses(0, "");
	make_disk();
	check_uses(0, "");
	check_uses(1, "");
}

static void test_mounts(void **state)
{
	(void)state;
	make_disk();
	place_text("proc/self/mountinfo",
		   "21 1 8:2 / /home rw shared:1 - ext4 /dev/sda2 rw\n"
		   "22 1 0:5 / /proc rw - proc proc rw\n"
		   "23 1 garbage\n"
		   "24 1 8:16 / /other rw - ext4 /dev/sdb rw");
	check_uses(0, "4096-5120 mounted on /home\n");
	check_uses(2, "0--1 mounted on /home\n");
	check_uses(1, "");
}

/* a partition is not free when its disk is taken */
static void test_disk_of_partition(void **state)
{
	(void)state;
	make_disk();
	place_text("proc/self/mountinfo",
		   "21 1 8:0 / /all rw - ext4 /dev/sda rw\n");
	check_uses(1, "0--1 mounted on /all\n");
}

static void test_holders(void **state)
{
	(void)state;
	make_disk();
	place_text("sys/dev/block/8:0/sda1/holders/dm-0", "");
	place_text("sys/dev/block/8:0/holders/md0", "");
	check_uses(0, "0--1 held by md0\n2048-3072 held by dm-0\n");
	check_uses(1, "0--1 held by dm-0\n0--1 held by md0\n");
}

/* lines without end, and names too long, do no harm */
static void test_hostile(void **state)
{
	static char line[9000];

	(void)state;
	make_disk();
	memset(line, 'x', sizeof(line) - 1);
	memcpy(line, "1 1 8:0 / /", 11);
	memcpy(line + 8000, " rw - ext4 ", 11);
	place_text("proc/self/mountinfo", line);
	place_text("proc/swaps", line);
	place_dir("proc/1234/fd");
	place_text("proc/1234/fd/3", "");
	place_dir("proc/12345678901234567890123456789012345/fd");
	assert_int_equal(strlen(line), sizeof(line) - 1);
	line[11 + 126] = '\0';
	{
		char want[256];

		snprintf(want, sizeof(want), "0--1 mounted on %.200s\n",
			 line + 10);
		check_uses(0, want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLACE_TEST(test_nobody),
		PLACE_TEST(test_mounts),
		PLACE_TEST(test_disk_of_partition),
		PLACE_TEST(test_holders),
		PLACE_TEST(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
