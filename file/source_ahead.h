/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packed sources, unpacked beside their reader: threads fill buffers ahead of
 * where each is read, and the reader unpacks itself where nothing is ready, or
 * what others need while a thread is at what it waits for.  The bytes, and the
 * place and kind of an error, are those of the source alone.
 *
 * A pool has one thread less than the CPUs that we may run on, at most
 * AHEAD_THREADS, and AHEAD_BUFFERS buffers for all its sources.  Threads begin
 * with the first source which is packed and long; without a second CPU, or if
 * a thread cannot be made, the reader does all, as it would without a pool.
 */
#ifndef FILE_SOURCE_AHEAD_H
#define FILE_SOURCE_AHEAD_H

#include <stdint.h>

struct ahead_pool;
struct source;			/* file/source.h */

enum {
	AHEAD_THREADS = 4,
	AHEAD_SIZE = 65536,	/* bytes in a buffer */
	AHEAD_BUFFERS = 64,	/* of a pool: 4 MiB */
	AHEAD_EACH = 4,		/* of one source at most */
	AHEAD_LONG = 256 * 1024,	/* stored bytes from which on it pays */
};

/* NULL: out of memory */
struct ahead_pool *ahead_pool_new(void);

/* Its sources have been closed.  Waits for the threads; NULL is fine. */
void ahead_pool_free(struct ahead_pool *pool);

/*
 * A source like in, which it takes over, also on failure: 0 and *out, or
 * -ENOMEM.  What is live stays as it is: *out is in.
 */
int source_ahead(struct source **out, struct source *in,
		 struct ahead_pool *pool);

#endif
