/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slowest ios of a run: so many are kept, not all.
 */
#ifndef TOOLS_BTSTAT_TOP_H
#define TOOLS_BTSTAT_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"

struct io;			/* request/io.h */

struct top_io {
	uint64_t id, time, sector, bytes, pid;
	uint64_t by;		/* how long it took in what is asked for */
	uint64_t q2c, i2d, d2c;	/* IO_NONE: it has none; i2d: or m2d */
	bool open;		/* it is not over: by and q2c are its age */
	uint32_t device;	/* its id */
	uint32_t op;		/* as of GROUP_OP */
	uint16_t origin, error;
};

struct top {
	unsigned int measure, wanted;
	struct heap heap;	/* the fastest of them first */
	struct top_io *list;
	unsigned int count;
};

/* wanted may be 0; 0 or -ENOMEM */
int top_init(struct top *t, unsigned int wanted, unsigned int measure);

/* an io that completed, or is open; 0 or -ENOMEM */
int top_add(struct top *t, const struct io *io);

/* puts list into its order: the slowest first, then by id */
void top_sort(struct top *t);

void top_free(struct top *t);

#endif
