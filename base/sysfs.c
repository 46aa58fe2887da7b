/* SPDX-License-Identifier: GPL-2.0-only */
/* A block device's files in sysfs; see sysfs.h. */
#include <errno.h>
#include <stdio.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/sysfs.h"
#include "base/text.h"

void sysfs_path(char path[SYSFS_PATH], dev_t dev, const char *file)
{
	snprintf(path, SYSFS_PATH, "/sys/dev/block/%u:%u%s%s", major(dev),
		 minor(dev), *file ? "/" : "", file);
}

int sysfs_number(dev_t dev, const char *file, uint64_t *number)
{
	char path[SYSFS_PATH];

	sysfs_path(path, dev, file);
	return text_number(path, number);
}

int sysfs_device(dev_t dev, const char *file, dev_t *named)
{
	char path[SYSFS_PATH];

	sysfs_path(path, dev, file);
	return text_device(path, named);
}

int sysfs_place(dev_t dev, char place[SYSFS_PATH])
{
	char link[SYSFS_PATH];
	ssize_t len;

	sysfs_path(link, dev, "");
	len = readlink(link, place, SYSFS_PATH - 1);
	if (len < 0)
		return -errno;
	place[len] = '\0';
	return 0;
}
