/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unpacks packed sources in threads, ahead of their reader, which gets the same
 * bytes and errors.
 *
 * A pool has one thread less than the process has CPUs, at most AHEAD_THREADS,
 * and AHEAD_BUFFERS buffers for all its sources.  It starts them with the first
 * long packed source.  The reader unpacks, too, when it would have to wait, and
 * alone if there are no threads.
 */
#ifndef FILE_SOURCE_AHEAD_H
#define FILE_SOURCE_AHEAD_H

#include <stdint.h>

struct ahead_pool;
struct source;			/* file/source.h */

enum {
	AHEAD_THREADS = 4,
	AHEAD_SIZE = 262144,	/* bytes in a buffer */
	AHEAD_BUFFERS = 16,	/* of a pool: 4 MiB */
	AHEAD_EACH = 4,		/* of one source at most */
	AHEAD_LONG = 256 * 1024,	/* stored bytes worth a thread */
};

/* NULL: out of memory */
struct ahead_pool *ahead_pool_new(void);

/* Close its sources before.  Waits for the threads; NULL is fine. */
void ahead_pool_free(struct ahead_pool *pool);

/*
 * Takes in over, also on failure: 0 and *out, or -ENOMEM.  *out is in itself if
 * that is live.
 */
int source_ahead(struct source **out, struct source *in,
		 struct ahead_pool *pool);

#endif
