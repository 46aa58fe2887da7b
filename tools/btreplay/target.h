/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device that is replayed on.  It is opened once for all of its replay files:
 * with --write-enable exclusively, and only if it is not in use.
 */
#ifndef TOOLS_BTREPLAY_TARGET_H
#define TOOLS_BTREPLAY_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/btreplay/scan.h"

/* --- guard ---------------------------------------------------------------- */

/*
 * What uses a device: mounts, swap, devices built on it, processes that have
 * it open for writing.  The same for its partitions and, for a partition, for
 * its disk.
 *
 * All of that is from the kernel's text files.  Uses that they do not show,
 * such as a mount in another namespace, make an exclusive open fail: callers
 * need both.
 */

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

/* --- target --------------------------------------------------------------- */

struct target_options {
	bool write;		/* writes are done, not sent as reads */
	bool force;		/* even if the device is in use */
	bool look_only;		/* for a dry run */
};

struct target {
	char *node;
	int fd;
	uint64_t sectors;
	struct guard_uses uses;
};

/*
 * Opens the device at node.  0 and *t; or, reported on stderr, the exit status:
 * 1: it is refused for safety, 2: it cannot be opened.
 */
int target_open(struct target *t, const char *node,
		const struct target_options *o);

void target_close(struct target *t);

#endif
