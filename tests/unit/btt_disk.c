/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices: what they are called where, and how many are believed. */
#include <unistd.h>

#include "scratch.h"
#include "tools/btt/devmap.h"
#include "tools/btt/disk.h"
#include "tools/btt/options.h"

enum { MAPPED = BLK_DEVICE(104, 0), PLAIN = BLK_DEVICE(8, 16) };

static struct disk *meet(struct disks *d, const struct options *o,
			 uint32_t device)
{
	struct disk *disk = disks_add(d, o, origin_key(0, device));

	assert_non_null(disk);
	assert_ptr_equal(disks_find(d, origin_key(0, device)), disk);
	return disk;
}

static void check_labels(const struct disk *d, const char *column,
			 const char *plain, const char *file)
{
	char label[DISK_LABEL];

	disk_label(d, label, DISK_COLUMN);
	assert_string_equal(label, column);
	disk_plain_label(d, label);
	assert_string_equal(label, plain);
	assert_string_equal(d->name, file);
}

/* a name is cut in columns, and leads nowhere as a part of a file's */
static void test_labels(void **state)
{
	FILE *f = fopen("map", "w");
	struct options o = { 0 };
	struct disks d = { 0 };

	(void)state;
	assert_non_null(f);
	fputs("../cciss/c0d0-the-first 104,0\n", f);
	fclose(f);
	o.names_of_devices = devmap_read("map");
	check_labels(meet(&d, &o, PLAIN), "(  8, 16)", "8,16", "8,16");
	check_labels(meet(&d, &o, MAPPED), "../cciss/c0d0-", "../cciss/c0d0-",
		     ".._cciss_c0d0-the-first");
	for (size_t i = 0; i < d.count; i++)
		device_files_close(&d.list[i]->files, false);
	disks_free(&d);
	devmap_free(o.names_of_devices);
}

/* of another host it is another device */
static void test_origins(void **state)
{
	struct options o = { 0 };
	struct disks d = { 0 };

	(void)state;
	meet(&d, &o, PLAIN);
	assert_null(disks_find(&d, origin_key(1, PLAIN)));
	device_files_close(&d.list[0]->files, false);
	disks_free(&d);
}

/* the table is full, and no file is opened for one more */
static void test_crowd(void **state)
{
	struct options o = { 0 };
	struct disks d = { .count = DISKS_MAX };

	(void)state;
	assert_null(disks_add(&d, &o, origin_key(0, BLK_DEVICE(77, 7))));
	assert_true(d.crowded);
	assert_int_not_equal(access("77,7_iops_fp.dat", F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_labels),
		IN_SCRATCH(test_origins),
		IN_SCRATCH(test_crowd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
