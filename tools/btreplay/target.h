/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device that is replayed on.  It is opened once for all of its replay files:
 * with --write-enable exclusively, and only if it is not in use.
 */
#ifndef TOOLS_BTREPLAY_TARGET_H
#define TOOLS_BTREPLAY_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btreplay/guard.h"

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
