/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's own counters of a block device: sysfs' `stat`. */
#ifndef CAPTURE_DISK_COUNTERS_H
#define CAPTURE_DISK_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct disk_counters {		/* since the device exists */
	uint64_t ios;		/* completed reads, writes and discards */
	uint64_t sectors;	/* completed by these */
	uint64_t flushes;	/* the kernel's own, not in ios */
	bool has_flushes;	/* since Linux 5.5 */
};

/* 0 or -errno with all zero; device is a BLK_DEVICE() number */
int disk_counters_read(struct disk_counters *c, const char *sysfs,
		       uint32_t device);

/*
 * Why a device's sectors may differ from the sum of its trace's completions: a
 * phrase without full stop.  NULL: they agree.
 */
const char *disk_counters_flaw(const char *sysfs, uint32_t device);

#endif
