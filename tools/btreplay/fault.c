/* SPDX-License-Identifier: GPL-2.0-only */
/* I/Os that fail; see fault.h. */
#include <inttypes.h>
#include <string.h>

#include "base/msg.h"
#include "tools/btreplay/fault.h"

enum { LINES = 8 };

static const char *reason(long result, uint32_t bytes)
{
	if (result < 0)
		return strerror((int)-result);
	return result < (long)bytes ? "beyond the end" : "too much";
}

void fault_add(struct fault *f, long result, long result2, uint64_t sector,
	       uint32_t bytes)
{
	unsigned int before = atomic_fetch_add(&f->count, 1);

	if (before < LINES)
		msg_warn("%s: Event failure %ld/%ld\t(%" PRIu64 " + %u): %s",
			 f->node, result, result2, sector, bytes / 512,
			 reason(result, bytes));
	else if (before == LINES)
		msg_warn("%s: more failures are only counted", f->node);
}
