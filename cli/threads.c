/* SPDX-License-Identifier: GPL-2.0-only */
/* How many threads to use; see threads.h. */
#include "base/thread.h"
#include "cli/threads.h"

/* below some 300,000 events there is less to gain than may be lost */
enum { BYTES_LEAST = 16 << 20 };

unsigned int threads_for(unsigned int wanted, uint64_t bytes)
{
	if (wanted)
		return wanted;
	return bytes >= BYTES_LEAST && thread_spare_cpus(1) ? THREADS_MOST : 1;
}
