/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a block device's files in sysfs, by the device's number.  Files are
 * relative to its directory; of a partition, "../dev" is the disk's.
 */
#ifndef BASE_SYSFS_H
#define BASE_SYSFS_H

#include <stdint.h>
#include <sys/types.h>

enum { SYSFS_PATH = 512 };	/* bytes of any path here */

/* the path of a device's file; "" is its directory */
void sysfs_path(char path[SYSFS_PATH], dev_t dev, const char *file);

/* Both: 0; or -errno (-EINVAL: other text) with nothing changed. */

/* the decimal number in a file */
int sysfs_number(dev_t dev, const char *file, uint64_t *number);

/* the device that "major:minor" in a file names */
int sysfs_device(dev_t dev, const char *file, dev_t *named);

/* The target of the device's link: ".../block/sda", ".../block/sda/sda1".  0 or
 * -errno. */
int sysfs_place(dev_t dev, char place[SYSFS_PATH]);

#endif
