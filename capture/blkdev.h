/* SPDX-License-Identifier: GPL-2.0-only */
/* A device that the user has named: its number, file name and place on disk. */
#ifndef CAPTURE_BLKDEV_H
#define CAPTURE_BLKDEV_H

#include <stdint.h>

struct capture_reporter;	/* capture/reporter.h */

enum { BLKDEV_NAME = 64 };

/*
 * Its BLK_DEVICE() number, and its files' name: the device's or partition's, as
 * for relay files.  0, or -errno, reported to r.
 */
int blkdev_find(const char *path, uint32_t *number,
		char name[BLKDEV_NAME], const struct capture_reporter *r);

/*
 * Before Linux 5.11, sysfs shows a device's trace only while it is open: opens
 * it there, for the caller to close.  -1: not needed, or not possible.
 */
int blkdev_open(const char *path, uint32_t number);

/* its place on its disk */
struct blkdev_place {
	uint32_t disk;		/* its own number, unless it is a partition */
	uint64_t start, end;	/* sectors, both inclusive */
};

/* 0, or -errno, reported to r with path */
int blkdev_get_place(const char *path, uint32_t number,
		     struct blkdev_place *at, const struct capture_reporter *r);

#endif
