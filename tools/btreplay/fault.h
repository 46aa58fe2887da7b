/* SPDX-License-Identifier: GPL-2.0-only */
/* Failed I/Os, of both threads of a channel; prints a line for the first few.
 * */
#ifndef TOOLS_BTREPLAY_FAULT_H
#define TOOLS_BTREPLAY_FAULT_H

#include <stdatomic.h>
#include <stdint.h>

struct fault {
	const char *node;	/* of the device */
	atomic_uint count;
};

/* an I/O at sector has returned result: -errno, or fewer bytes than requested
 * */
void fault_add(struct fault *f, long result, long result2, uint64_t sector,
	       uint32_t bytes);

#endif
