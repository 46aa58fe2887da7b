/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of import/disk_map: which partition is on which disk. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "blktrace.h"
#include "import/disk_map.h"

#define DEV(major, minor) BLK_DEVICE(major, minor)

/* NVMe disks and all their partitions have numbers in order of appearance */
static const uint32_t disk = DEV(259, 0), part = DEV(259, 1),
		      other = DEV(259, 2), other_part = DEV(259, 3);

static void setup(struct disk_map *d)
{
	assert_int_equal(disk_map_init(d), 0);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(disk_map_add(d, DEV(259, i), i), 0);
}

static void assert_on(struct disk_map *d, uint32_t number, uint32_t whole,
		      enum disk_state state)
{
	assert_int_equal(disk_map_get(d, number)->whole, whole);
	assert_int_equal(disk_map_get(d, number)->state, state);
}

/* a request starts where a bio of one partition was queued */
static void test_request(void **state)
{
	struct disk_map d;

	(void)state;
	setup(&d);
	assert_on(&d, part, part, DISK_UNKNOWN);
	disk_map_queued(&d, part, 4096);
	disk_map_taken(&d, disk, 8);		/* something else */
	assert_on(&d, disk, disk, DISK_WHOLE);
	assert_on(&d, part, part, DISK_UNKNOWN);
	disk_map_taken(&d, disk, 4096);
	assert_on(&d, part, disk, DISK_PARTITION);
	/* its next bio is the disk's own: nobody else is suspected of it */
	disk_map_queued(&d, part, 8192);
	disk_map_queued(&d, other_part, 8192);
	disk_map_taken(&d, disk, 8192);
	assert_on(&d, other_part, other_part, DISK_UNKNOWN);
	assert_int_equal(disk_map_get(&d, other_part)->candidate_count, 0);
	disk_map_taken(&d, other, 8192);
	assert_on(&d, other_part, other, DISK_PARTITION);
	disk_map_free(&d);
}

/* a stacked device has the sectors of one below it, but bios of its own */
static void test_stacked(void **state)
{
	const uint32_t dm = DEV(253, 0);
	struct disk_map d;

	(void)state;
	setup(&d);
	assert_int_equal(disk_map_add(&d, dm, 9), 0);
	disk_map_queued(&d, dm, 64);
	disk_map_taken(&d, dm, 64);		/* its remap */
	disk_map_queued(&d, disk, 64);
	disk_map_taken(&d, disk, 64);
	assert_on(&d, dm, dm, DISK_WHOLE);
	/* without the remap the lower device's own bio is preferred */
	disk_map_queued(&d, other_part, 128);
	disk_map_queued(&d, disk, 128);
	disk_map_taken(&d, disk, 128);
	assert_on(&d, other_part, other_part, DISK_UNKNOWN);
	disk_map_settle(&d, other_part);
	assert_on(&d, other_part, other_part, DISK_UNKNOWN);
	disk_map_free(&d);
}

/* a multipath disk has no requests: it hands bios of its partitions down */
static void test_remapped(void **state)
{
	struct disk_map d;

	(void)state;
	setup(&d);
	disk_map_queued(&d, part, 64);
	disk_map_taken(&d, disk, 64);
	disk_map_queued(&d, other, 64);
	disk_map_taken(&d, other, 64);
	assert_on(&d, part, disk, DISK_PARTITION);
	assert_on(&d, other, other, DISK_WHOLE);
	disk_map_free(&d);
}

/* A mirror's legs have bios at the same sectors: the nearest disk is taken,
 * until one of them reads alone. */
static void test_mirror(void **state)
{
	struct disk_map d;

	(void)state;
	setup(&d);
	disk_map_queued(&d, part, 64);
	disk_map_queued(&d, other_part, 64);
	disk_map_taken(&d, other, 64);
	disk_map_taken(&d, disk, 64);
	assert_on(&d, part, part, DISK_UNKNOWN);
	assert_on(&d, other_part, other_part, DISK_UNKNOWN);
	disk_map_settle(&d, other_part);
	assert_on(&d, other_part, other, DISK_PARTITION);
	disk_map_queued(&d, part, 72);
	disk_map_taken(&d, disk, 72);
	assert_on(&d, part, disk, DISK_PARTITION);
	disk_map_free(&d);
}

static void test_mirror_settled(void **state)
{
	struct disk_map d;

	(void)state;
	setup(&d);
	disk_map_queued(&d, part, 64);
	disk_map_queued(&d, other_part, 64);
	disk_map_taken(&d, other, 64);
	disk_map_taken(&d, disk, 64);
	disk_map_settle(&d, part);
	assert_on(&d, part, disk, DISK_PARTITION);
	disk_map_settle(&d, other_part);
	assert_on(&d, other_part, other, DISK_PARTITION);
	disk_map_free(&d);
}

/* a merged bio's sector shows nothing any more */
static void test_merged(void **state)
{
	struct disk_map d;

	(void)state;
	setup(&d);
	disk_map_queued(&d, part, 64);
	disk_map_merged(&d, part, 64);
	disk_map_taken(&d, other, 64);
	assert_on(&d, part, part, DISK_UNKNOWN);
	disk_map_free(&d);
}

/* what was taken for a partition and has requests is a disk */
static void test_corrected(void **state)
{
	struct disk_map d;

	(void)state;
	setup(&d);
	disk_map_queued(&d, part, 64);
	disk_map_taken(&d, disk, 64);
	disk_map_whole(&d, part);
	assert_on(&d, part, part, DISK_WHOLE);
	disk_map_free(&d);
}

static void test_fixed(void **state)
{
	static const uint32_t of[][2] = {
		{ DEV(8, 0), DEV(8, 0) }, { DEV(8, 1), DEV(8, 0) },
		{ DEV(8, 15), DEV(8, 0) }, { DEV(8, 16), DEV(8, 16) },
		{ DEV(65, 33), DEV(65, 32) }, { DEV(135, 255), DEV(135, 240) },
		{ DEV(202, 3), DEV(202, 0) }, { DEV(3, 65), DEV(3, 64) },
	};
	struct disk_map d;

	(void)state;
	assert_int_equal(disk_map_init(&d), 0);
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		bool is_disk = of[i][0] == of[i][1];

		assert_int_equal(disk_map_add(&d, of[i][0], 0), 0);
		assert_on(&d, of[i][0], of[i][1],
			  is_disk ? DISK_WHOLE : DISK_PARTITION);
		assert_on(&d, of[i][1], of[i][1], DISK_WHOLE);
	}
	/* not even by what should be impossible */
	disk_map_taken(&d, DEV(8, 1), 64);
	assert_on(&d, DEV(8, 1), DEV(8, 0), DISK_PARTITION);
	disk_map_free(&d);
}

static void test_bounds(void **state)
{
	struct disk_map d;

	(void)state;
	assert_int_equal(disk_map_init(&d), 0);
	for (uint32_t i = 0; i < DISK_MAP_MAX; i++)
		assert_int_equal(disk_map_add(&d, DEV(259, i), i), 0);
	assert_int_equal(disk_map_add(&d, DEV(260, 0), 0), -ERANGE);
	assert_int_equal(disk_map_add(&d, DEV(259, 5), 0), 0);
	/* more bios of one sector than are kept */
	for (uint32_t i = 1; i < 100; i++)
		disk_map_queued(&d, DEV(259, i), 64);
	disk_map_taken(&d, disk, 64);
	for (uint32_t i = 1; i < 100; i++)
		assert_on(&d, DEV(259, i), DEV(259, i), DISK_UNKNOWN);
	disk_map_settle(&d, DEV(259, 99));
	assert_on(&d, DEV(259, 99), disk, DISK_PARTITION);
	disk_map_free(&d);
}

static void assert_name(uint32_t number, const char *want)
{
	char name[IMPORT_NAME];

	disk_name(number, name);
	assert_string_equal(name, want);
}

static void test_names(void **state)
{
	(void)state;
	assert_name(DEV(8, 0), "sda");
	assert_name(DEV(8, 240), "sdp");
	assert_name(DEV(65, 0), "sdq");
	assert_name(DEV(65, 144), "sdz");
	assert_name(DEV(65, 160), "sdaa");
	assert_name(DEV(71, 240), "sddx");
	assert_name(DEV(128, 0), "sddy");
	assert_name(DEV(135, 240), "sdiv");
	assert_name(DEV(8, 256), "sdiw");
	assert_name(DEV(131, 736), "sdaaa");
	assert_name(DEV(7, 0), "loop0");
	assert_name(DEV(7, 1048575), "loop1048575");
	assert_name(DEV(259, 0), "259-0");
	assert_name(DEV(4095, 1048575), "4095-1048575");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_request),
		cmocka_unit_test(test_stacked),
		cmocka_unit_test(test_remapped),
		cmocka_unit_test(test_mirror),
		cmocka_unit_test(test_mirror_settled),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_corrected),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
