/* SPDX-License-Identifier: GPL-2.0-only */
/* The block devices of watched files; see file_disks.h. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/msg.h"
#include "blktrace.h"
#include "bpf/bpf.h"
#include "capture/blkdev.h"
#include "capture/reporter.h"
#include "tools/iotracer/file_disks.h"
#include "tools/iotracer/watched.h"

/* 0, or -ENOSPC, reported */
static int add_one(struct file_disks *d, uint32_t number)
{
	for (unsigned int i = 0; i < d->count; i++)
		if (d->list[i] == number)
			return 0;
	if (d->count == FILE_DISKS_MAX) {
		msg_warn("the files' filesystems are on more than %d devices",
			 FILE_DISKS_MAX);
		return -ENOSPC;
	}
	d->list[d->count++] = number;
	return 0;
}

/* "8:1" in a file of sysfs; 0 is no device */
static uint32_t read_number(const char *path)
{
	unsigned int major = 0, minor = 0;
	FILE *f = fopen(path, "re");
	int got = f ? fscanf(f, "%u:%u", &major, &minor) : 0;

	if (f)
		fclose(f);
	return got == 2 ? BLK_DEVICE(major, minor) : 0;
}

/* of a filesystem with several: as sysfs lists them by its UUID */
static void btrfs_pattern(char *to, size_t size, const uint8_t uuid[BPF_UUID])
{
	static const char dashes[BPF_UUID] = { [4] = 1, [6] = 1, [8] = 1,
					       [10] = 1 };
	size_t at = (size_t)snprintf(to, size, "/sys/fs/btrfs/");

	for (int i = 0; i < BPF_UUID; i++)
		at += (size_t)snprintf(to + at, size - at, "%s%02x",
				       dashes[i] ? "-" : "", uuid[i]);
	snprintf(to + at, size - at, "/devices/*/dev");
}

static int add_listed(struct file_disks *d, const struct watched *t)
{
	char pattern[96];
	glob_t found;
	int err = 0;

	btrfs_pattern(pattern, sizeof(pattern), t->file.key.uuid);
	if (glob(pattern, 0, NULL, &found))
		return -ENODEV;
	for (size_t i = 0; !err && i < found.gl_pathc; i++) {
		uint32_t number = read_number(found.gl_pathv[i]);

		if (!i)
			d->of[t->number] = number;
		err = number ? add_one(d, number) : -ENODEV;
	}
	globfree(&found);
	return err;
}

int file_disks_add(struct file_disks *d, const struct watched *t)
{
	int err;

	d->of[t->number] = t->file.bdev;
	err = t->file.bdev ? add_one(d, t->file.bdev) : add_listed(d, t);
	if (err == -ENODEV)
		msg_warn("%s: cannot find the devices of its filesystem",
			 t->path);
	return err;
}

static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static int trace_one(struct bpf *b, uint32_t number)
{
	static const struct capture_reporter reporter = { .line = print_line };
	struct bpf_device device = { .number = number };
	struct blkdev_place at;
	char name[32];
	int err;

	snprintf(name, sizeof(name), "%u:%u", BLK_MAJOR(number),
		 BLK_MINOR(number));
	err = blkdev_get_place(name, number, &at, &reporter);
	if (err)
		return err;
	device.start = at.start;
	device.end = at.end;
	err = bpf_trace_device(b, at.disk, &device);
	if (err == -EEXIST)
		msg_warn("files are on two partitions of one disk: name those"
			 " of one filesystem");
	else if (err)
		msg_warn("%s", b->why);
	return err;
}

int file_disks_trace(const struct file_disks *d, struct bpf *b)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < d->count; i++)
		err = trace_one(b, d->list[i]);
	return err;
}
