/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hears of each I/O that comes to a device (Q, or its first event) or goes (C, or
 * as its record leaves), in order of events.  Not counted are the kernel's own
 * flush requests and I/Os of which only the C was seen.  One that is split or
 * merged is no longer, once that is known.
 */
#ifndef REQUEST_LEVEL_WATCHER_H
#define REQUEST_LEVEL_WATCHER_H

#include <stdbool.h>
#include <stdint.h>

struct device;			/* run/device.h */

struct level_watcher {
	/* returns the depth with this one: at least 1 */
	uint32_t (*come)(void *ctx, const struct device *disk, uint64_t time);
	/* came: when it did; absorbed: another I/O, or several, carry on */
	void (*go)(void *ctx, const struct device *disk, uint64_t time,
		   uint64_t came, bool absorbed);
	void *ctx;
	const uint64_t *now;	/* time of the event that is joined */
};

#endif
