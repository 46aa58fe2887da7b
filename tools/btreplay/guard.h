/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What uses a device: mounts, swap, devices built on it, processes that have
 * it open for writing.  The same for its partitions and, for a partition, for
 * its disk.
 *
 * All of that is from the kernel's text files.  Uses that they do not show,
 * such as a mount in another namespace, make an exclusive open fail: callers
 * need both.
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
 * Finds the uses of a device.  root is prepended to /proc and /sys, "" but in
 * tests.  0 or -ENOMEM; what cannot be read counts as no use.
 */
int guard_find(struct guard_uses *u, const char *root, dev_t dev);

void guard_free(struct guard_uses *u);

#endif
