/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel counts of a block device by itself: sysfs' `stat`. */
#ifndef CAPTURE_DISK_COUNTERS_H
#define CAPTURE_DISK_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct disk_counters {		/* since the device exists */
	uint64_t ios;		/* completed reads, writes and discards */
	uint64_t sectors;	/* completed by these */
	uint64_t flushes;	/* the kernel's own, which are not in ios */
	bool has_flushes;	/* the kernel counts them, since Linux 5.5 */
};

/* 0 or -errno with all zero; device is a BLK_DEVICE() number */
int disk_counters_read(struct disk_counters *c, const char *sysfs,
		       uint32_t device);

/*
 * Why a device's sectors may be other than the sum of what the completions in
 * its trace have: a phrase, no full stop.  NULL: they are the same.
 */
const char *disk_counters_flaw(const char *sysfs, uint32_t device);

#endif
