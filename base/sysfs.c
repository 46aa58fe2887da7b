/* A block device's directory; see sysfs.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/sysfs.h"

void sysfs_path(char path[SYSFS_PATH], dev_t dev, const char *file)
{
	snprintf(path, SYSFS_PATH, "/sys/dev/block/%u:%u%s%s", major(dev),
		 minor(dev), *file ? "/" : "", file);
}

static FILE *open_file(dev_t dev, const char *file)
{
	char path[SYSFS_PATH];

	sysfs_path(path, dev, file);
	return fopen(path, "re");
}

int sysfs_number(dev_t dev, const char *file, uint64_t *number)
{
	FILE *f = open_file(dev, file);
	uint64_t n;
	int err = 0;

	if (!f)
		return -errno;
	if (fscanf(f, "%" SCNu64, &n) != 1)
		err = ferror(f) ? -errno : -EINVAL;
	fclose(f);
	if (!err)
		*number = n;
	return err;
}

int sysfs_device(dev_t dev, const char *file, dev_t *named)
{
	FILE *f = open_file(dev, file);
	unsigned int major, minor;
	int got;

	if (!f)
		return -errno;
	got = fscanf(f, "%u:%u", &major, &minor);
	fclose(f);
	if (got != 2)
		return -EINVAL;
	*named = makedev(major, minor);
	return 0;
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
