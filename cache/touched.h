/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many different blocks each process and each hour touched: exact for a number
 * of blocks of both, beyond from a sample (cache/sample.h).
 */
#ifndef CACHE_TOUCHED_H
#define CACHE_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/sample.h"

struct touched;

enum {
	TOUCHED_MOST = 1 << 12,	/* as a rule: 0.1 MiB */
	/* their numbers are below these */
	TOUCHED_PROCESSES = 1 << 8,
	TOUCHED_HOURS = 1 << 12
};

/* by which touched_rows() tells blocks apart */
enum touched_key {
	TOUCHED_PROCESS,
	TOUCHED_HOUR
};

struct touched_by {
	uint32_t process, hour;
};

/* 0 and *t, or -ENOMEM */
int touched_new(struct touched **t, uint32_t most);

/* one of 2^n blocks is followed */
unsigned int touched_shift(const struct touched *t);

/* 0 or -ENOMEM */
int touched_add(struct touched *t, struct touched_by by, struct sampled s,
		bool write);

struct touched_row {
	uint32_t group;		/* process or hour */
	uint64_t all, read, written;	/* different blocks */
};

/* *rows: *count groups that touched any, by number, to be freed; 0 or -ENOMEM */
int touched_rows(const struct touched *t, enum touched_key key,
		 struct touched_row **rows, uint32_t *count);

/* blocks for each that is followed; 1: exact */
uint64_t touched_share(const struct touched *t);

/* NULL is fine */
void touched_free(struct touched *t);

#endif
