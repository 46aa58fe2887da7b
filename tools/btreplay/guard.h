/*
 * Who uses a device: mounts, swap, devices built on it, processes that have
 * it open for writing; for the device itself, its partitions and, for a
 * partition, its disk.
 *
 * What is found comes from the kernel's text files.  Uses that they do not
 * show, such as a mount in another namespace, are found by opening the device
 * exclusively; both belong together.
 */
#ifndef TOOLS_BTREPLAY_GUARD_H
#define TOOLS_BTREPLAY_GUARD_H

#include <stdint.h>
#include <sys/types.h>

#include "tools/btreplay/scan.h"

struct guard_uses {
	struct region *list;
	unsigned int count;
};

/*
 * Finds the uses of a device.  root is put in front of /proc and /sys, ""
 * ordinarily.  0 or -ENOMEM; what cannot be read is taken for no use.
 */
int guard_find(struct guard_uses *u, const char *root, dev_t dev);

void guard_free(struct guard_uses *u);

#endif
