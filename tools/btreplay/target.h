/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device to replay on, opened once for all of its replay files: with
 * --write-enable exclusively, and only if it is not in use.
 */
#ifndef TOOLS_BTREPLAY_TARGET_H
#define TOOLS_BTREPLAY_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/btreplay/scan.h"

/* --- guard ---------------------------------------------------------------- */

/*
 * The uses of a device: mounts, swap, devices built on it, processes that have
 * it open for writing; also of its partitions and, for a partition, of its
 * disk.
 *
 * The kernel's text files do not show all uses, such as mounts in other
 * namespaces, but those make an exclusive open fail: callers need both.
 */

struct guard_uses {
	struct region *list;
	unsigned int count;
};

/*
 * Finds the uses of a device.  root is prepended to /proc and /sys, "" except
 * in tests.  0 or -ENOMEM; an unreadable file counts as no use.
 */
int guard_find(struct guard_uses *u, const char *root, dev_t dev);

void guard_free(struct guard_uses *u);

/* --- target --------------------------------------------------------------- */

struct target_options {
	bool write;		/* sends writes as writes */
	bool force;		/* even if the device is in use */
	bool look_only;		/* for a dry run */
};

struct target {
	char *node;
	int fd;
	uint64_t sectors;
	struct guard_uses uses;
};

/* opens the device at node; 0 and *t; or, reported on stderr, the exit status:
 * 1: refused for safety, 2: cannot be opened */
int target_open(struct target *t, const char *node,
		const struct target_options *o);

void target_close(struct target *t);

#endif
