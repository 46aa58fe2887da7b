/*
 * A device that I/Os go to.  Each is opened once, however many replay files
 * go to it: with --write-enable exclusively, and only if nobody uses it.
 */
#ifndef TOOLS_BTREPLAY_TARGET_H
#define TOOLS_BTREPLAY_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btreplay/guard.h"

struct target_options {
	bool write;		/* I/Os that write will do so */
	bool force;		/* even if somebody uses the device */
	bool look_only;		/* nothing at all will be done */
};

struct target {
	char *node;
	int fd;
	uint64_t sectors;
	struct guard_uses uses;
};

/*
 * Opens the device at node.  0 and *t; or a status to exit with, told on
 * stderr: 1 if it is refused for safety, 2 if it cannot be opened.
 */
int target_open(struct target *t, const char *node,
		const struct target_options *o);

void target_close(struct target *t);

#endif
