/*
 * I/Os that fail, told one by one until it gets too many.  Both threads of a
 * channel tell, so that lines are counted together.
 */
#ifndef TOOLS_BTREPLAY_FAULT_H
#define TOOLS_BTREPLAY_FAULT_H

#include <stdatomic.h>
#include <stdint.h>

struct fault {
	const char *node;	/* of the device */
	atomic_uint told;
};

/* an I/O at sector has given result: -errno, or fewer bytes than asked for */
void fault_add(struct fault *f, long result, long result2, uint64_t sector,
	       uint32_t bytes);

#endif
