/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Caches in front of the devices of a run.
 */
#ifndef TOOLS_BTSTAT_CACHES_H
#define TOOLS_BTSTAT_CACHES_H

#include <stdbool.h>
#include <stdint.h>

struct cache;			/* cache/cache.h */
struct io;			/* request/io.h */

/* Devices that would need another cache have none. */
enum { CACHES_MAX = 256 };

struct caches {
	unsigned int block_bits;	/* 0: none are wanted */
	bool fifo;		/* S3-FIFO, too */
	struct cache **list;	/* by the device's id; NULL: no I/O */
	uint32_t count;
};

/* counts a read or write; 0 or -ENOMEM */
int caches_add(struct caches *c, const struct io *io);

void caches_free(struct caches *c);

#endif
