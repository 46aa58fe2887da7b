/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits of what joining keeps. */
#ifndef REQUEST_BOUNDS_H
#define REQUEST_BOUNDS_H

#include <stdint.h>

struct joiner_bounds {
	uint32_t ios;		/* open at a time; the oldest is dropped */
	uint32_t remaps;	/* waiting for their I/O, per device */
	uint32_t plugged;	/* requests in a plug */
	uint32_t pids;		/* remembered, of all devices */
	uint32_t looks;		/* items of a device examined for an event */
	uint32_t chain;		/* the same for one sector */
};

#define JOINER_BOUNDS \
	((struct joiner_bounds){ 262144, 4096, 1024, 65536, 256, 64 })

#endif
