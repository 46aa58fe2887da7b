/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a device was asked for: completed I/Os by operation, size and the level to
 * which they came.
 *
 * Memory is a histogram for each combination that there was: at most 4 MiB.
 */
#ifndef CAPACITY_MIX_H
#define CAPACITY_MIX_H

#include <stdint.h>

#include "base/histogram.h"

struct io;			/* request/io.h */

enum mix_op {
	MIX_READ,
	MIX_WRITE,
	MIX_OTHER,		/* discards, flushes and the like */
	MIX_OPS
};

enum {
	MIX_SIZES = 6,		/* up to 4K, 16K, 64K, 256K, 1M, more */
	MIX_BANDS = 7		/* levels 1, 2 to 3, 4 to 7, and so on; 64 and more */
};

struct mix {
	struct mix_class {
		uint64_t bytes;
		struct histogram latency[MIX_BANDS];	/* Q2C, ns */
	} classes[MIX_OPS][MIX_SIZES];
	/* with those that were merged into others */
	uint64_t ios[MIX_OPS], bytes[MIX_OPS];
};

/* an all-zero struct mix is empty */

/* Adds a completed I/O.  0, or what histogram_add() returns. */
int mix_add(struct mix *m, const struct io *io);

/* the I/Os of a class */
uint64_t mix_count(const struct mix_class *c);

/* "read", "write", "other" */
const char *mix_op_name(enum mix_op op);
/* bytes of the largest I/O of a size; UINT64_MAX: of any */
uint64_t mix_size(unsigned int size);
/* the least level of a band */
uint32_t mix_level(unsigned int band);

void mix_free(struct mix *m);

#endif
