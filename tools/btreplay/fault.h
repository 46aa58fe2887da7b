/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os that fail: the first few are printed, each on a line.  Both threads of a
 * channel add to it.
 */
#ifndef TOOLS_BTREPLAY_FAULT_H
#define TOOLS_BTREPLAY_FAULT_H

#include <stdatomic.h>
#include <stdint.h>

struct fault {
	const char *node;	/* of the device */
	atomic_uint count;
};

/* an I/O at sector has given result: -errno, or fewer bytes than asked for */
void fault_add(struct fault *f, long result, long result2, uint64_t sector,
	       uint32_t bytes);

#endif
