/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Caches in front of the devices of a run.
 */
#ifndef TOOLS_BTSTAT_CACHES_H
#define TOOLS_BTSTAT_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct cache;			/* cache/cache.h */
struct io;			/* request/io.h */
struct reader;			/* run/reader.h */

enum {
	CACHES_MAX = 256,	/* devices with a cache */
	CACHES_NAMES = 256	/* processes told apart; others are the last */
};

struct caches {
	unsigned int block_bits;	/* 0: none are wanted */
	bool fifo;		/* S3-FIFO, too */
	const struct reader *reader;
	struct cache **list;	/* by the device's id; NULL: no I/O */
	uint32_t count;
	char *names[CACHES_NAMES];	/* of processes */
	uint32_t name_count;
	struct hash by_name;	/* numbers of names */
	bool has_wall;		/* hours are those of the day, since 1970, UTC; else
				 * since the trace began */
	uint64_t start;		/* its time of day, ns */
};

/* counts a read or write; 0 or -ENOMEM */
int caches_add(struct caches *c, const struct io *io);

void caches_free(struct caches *c);

#endif
