/*
 * A device that the user has named, for the ways that know it by its number.
 */
#ifndef TOOLS_BLKTRACE_DEVICE_H
#define TOOLS_BLKTRACE_DEVICE_H

#include <stdint.h>

struct reporter;		/* capture/reporter.h */

enum { DEVICE_NAME = 64 };

/*
 * Its BLK_DEVICE() number, and what its files are called: like the relay's,
 * after the device, or its partition.  0, or -errno, reported to r.
 */
int device_resolve(const char *path, uint32_t *number,
		   char name[DEVICE_NAME], const struct reporter *r);

/*
 * Kernels before 5.11 answer by sysfs about a device's trace only while the
 * device is open.  On these a descriptor, which the caller
 * closes; else, or if it cannot be opened, -1.
 */
int device_hold(const char *path, uint32_t number);

/* where it lies on its disk */
struct device_place {
	uint32_t disk;		/* the same number, unless it is a partition */
	uint64_t start, end;	/* sectors, both inclusive */
};

/* 0, or -errno, reported to r; path is for that only */
int device_locate(const char *path, uint32_t number, struct device_place *at,
		  const struct reporter *r);

#endif
