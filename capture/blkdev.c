/* SPDX-License-Identifier: GPL-2.0-only */
/* A device that the user has named; see blkdev.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/sysfs.h"
#include "blktrace.h"
#include "capture/blkdev.h"
#include "capture/doctor.h"
#include "capture/reporter.h"

static int name_device(const char *path, char name[BLKDEV_NAME])
{
	char *slash, real[4096];

	if (!realpath(path, real))
		return -errno;
	slash = strrchr(real, '/');
	if (strlen(slash + 1) >= BLKDEV_NAME)
		return -ENAMETOOLONG;
	strcpy(name, slash + 1);
	return 0;
}

static int refuse(const char *path, int err, const struct capture_reporter *r)
{
	const struct patient p = { .path = path, .debugfs = "", .why = "" };
	char text[DOCTOR_TEXT];

	doctor_explain(text, &p, STAGE_OPEN, -err);
	reporter_write(r, "%s", text);
	return err;
}

int blkdev_find(const char *path, uint32_t *number,
		char name[BLKDEV_NAME], const struct capture_reporter *r)
{
	struct stat st;
	int err = stat(path, &st) ? -errno : name_device(path, name);

	if (!err && !S_ISBLK(st.st_mode))
		err = -ENOTBLK;
	if (err)
		return refuse(path, err, r);
	*number = BLK_DEVICE(major(st.st_rdev), minor(st.st_rdev));
	return 0;
}

int blkdev_open(const char *path, uint32_t number)
{
	dev_t dev = makedev(BLK_MAJOR(number), BLK_MINOR(number));
	uint64_t on;

	if (sysfs_number(dev, "trace/enable", &on) != -ENXIO)
		return -1;
	return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

/* --- where it lies ----------------------------------------------------- */

static int locate_partition(dev_t dev, struct blkdev_place *at)
{
	uint64_t start, size;
	dev_t disk;
	int err = sysfs_number(dev, "start", &start);

	if (!err)
		err = sysfs_number(dev, "size", &size);
	if (!err)
		err = sysfs_device(dev, "../dev", &disk);
	if (!err && !size)
		err = -EINVAL;
	if (err)
		return err;
	at->disk = BLK_DEVICE(major(disk), minor(disk));
	at->start = start;
	at->end = start + size - 1;
	return 0;
}

int blkdev_get_place(const char *path, uint32_t number,
		     struct blkdev_place *at, const struct capture_reporter *r)
{
	dev_t dev = makedev(BLK_MAJOR(number), BLK_MINOR(number));
	uint64_t partition;
	int err = sysfs_number(dev, "partition", &partition);

	*at = (struct blkdev_place){ number, 0, UINT64_MAX };
	if (!err)
		err = locate_partition(dev, at);
	else if (err == -ENOENT)
		err = 0;
	if (err)
		reporter_write(r, "%s: cannot find its place on disk: %s", path,
			       strerror(-err));
	return err;
}
