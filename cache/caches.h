/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Caches in front of the devices of a run, and one in front of all of them.
 *
 * I/Os come as they are completed, but caches see them as they arrived, as far as
 * cache/inflow.h puts them in order.
 */
#ifndef CACHE_CACHES_H
#define CACHE_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct inflow;		/* cache/inflow.h */
struct cache;			/* cache/cache.h */
struct io;			/* request/io.h */
struct reader;			/* run/reader.h */

enum {
	CACHES_MAX = 256,	/* devices with a cache */
	CACHES_NAMES = 256	/* processes distinguished; others are the last */
};

struct caches {
	/* the owner's, before the first I/O: */
	unsigned int block_bits;
	bool fifo;		/* S3-FIFO, too */
	const struct reader *reader;

	struct inflow *inflow;	/* NULL: no I/O */
	struct cache **list;	/* by the device's id; NULL: no I/O */
	uint32_t count;
	/* An I/O that a device above passed down is not in it: that one is.  NULL: it
	 * is as that of the only device. */
	struct cache *all;
	uint32_t only;		/* this one, CACHES_MAX if there is none yet */
	char *names[CACHES_NAMES];	/* of processes */
	uint32_t name_count;
	struct hash by_name;	/* numbers of names */
	bool has_wall;		/* hours are those of the day, since 1970, UTC; else
				 * since the trace began */
	uint64_t start;		/* its time of day, ns */
};

/* c: all-zero but for the owner's part */
void caches_init(struct caches *c);

/* counts a read, write, discard or write of zeroes; 0 or -ENOMEM */
int caches_add(struct caches *c, const struct io *io);

/* after the last one; 0 or -ENOMEM */
int caches_end(struct caches *c);

/* the hour of the day, or of the trace, of one by cache/touched.h */
uint64_t caches_hour(const struct caches *c, uint32_t hour);

void caches_free(struct caches *c);

#endif
