/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device that the user has named, for the ways that know it by its number.
 */
#ifndef CAPTURE_BLKDEV_H
#define CAPTURE_BLKDEV_H

#include <stdint.h>

struct capture_reporter;	/* capture/reporter.h */

enum { BLKDEV_NAME = 64 };

/*
 * Its BLK_DEVICE() number, and what its files are called: like the relay's,
 * after the device, or its partition.  0, or -errno, reported to r.
 */
int blkdev_find(const char *path, uint32_t *number,
		char name[BLKDEV_NAME], const struct capture_reporter *r);

/*
 * Kernels before 5.11 answer by sysfs about a device's trace only while the
 * device is open.  On these a descriptor, which the caller
 * closes; else, or if it cannot be opened, -1.
 */
int blkdev_open(const char *path, uint32_t number);

/* where it lies on its disk */
struct blkdev_place {
	uint32_t disk;		/* the same number, unless it is a partition */
	uint64_t start, end;	/* sectors, both inclusive */
};

/* 0, or -errno, reported to r; path is for that only */
int blkdev_get_place(const char *path, uint32_t number,
		     struct blkdev_place *at, const struct capture_reporter *r);

#endif
