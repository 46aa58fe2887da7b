/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many different blocks each of several groups of I/Os touched: exact for a
 * number of blocks of all groups, beyond from a sample (cache/sample.h).
 */
#ifndef CACHE_TOUCHED_H
#define CACHE_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/sample.h"

struct touched;

enum {
	TOUCHED_MOST = 1 << 12,	/* as a rule: 0.1 MiB */
	TOUCHED_GROUPS = 1 << 20	/* groups are below this */
};

/* 0 and *t, or -ENOMEM */
int touched_new(struct touched **t, uint32_t most);

/* 0 or -ENOMEM */
int touched_add(struct touched *t, uint32_t group, struct sampled s,
		bool write);

struct touched_row {
	uint32_t group;
	uint64_t all, read, written;	/* different blocks */
};

/* *rows: *count groups that touched any, by number, to be freed; 0 or -ENOMEM */
int touched_rows(const struct touched *t, struct touched_row **rows,
		 uint32_t *count);

/* blocks for each that is followed; 1: exact */
uint64_t touched_share(const struct touched *t);

/* NULL is fine */
void touched_free(struct touched *t);

#endif
