/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sysfs has about a block device, by the device's number.
 *
 * A file is named as it lies below the device's directory.  A partition's is
 * in its disk's: "../dev" is the number of the disk.
 */
#ifndef BASE_SYSFS_H
#define BASE_SYSFS_H

#include <stdint.h>
#include <sys/types.h>

enum { SYSFS_PATH = 512 };	/* room for any path here */

/* the path of a device's file; "" is its directory itself */
void sysfs_path(char path[SYSFS_PATH], dev_t dev, const char *file);

/* Both: 0, or -errno with nothing changed, -EINVAL if it is something else. */

/* the decimal number in a file */
int sysfs_number(dev_t dev, const char *file, uint64_t *number);

/* the device that "major:minor" in a file names */
int sysfs_device(dev_t dev, const char *file, dev_t *named);

/*
 * Where a device's directory really lies, by the kernel's names:
 * ".../block/sda", ".../block/sda/sda1".  0, or -errno.
 */
int sysfs_place(dev_t dev, char place[SYSFS_PATH]);

#endif
