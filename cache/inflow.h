/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os in the order in which they arrived, though they come as they are completed:
 * each waits until INFLOW_HELD others are held.
 *
 * They come nearly in order, so a list that is searched from its end does with a third
 * of what base/hold needs; an I/O that all the others overtook costs INFLOW_HELD steps.
 */
#ifndef CACHE_INFLOW_H
#define CACHE_INFLOW_H

#include <stdbool.h>
#include <stdint.h>

/* all recorded traces are in order with fewer */
enum { INFLOW_HELD = 1024 };

/* what caches need of an I/O */
struct arrival {
	uint64_t time, id;	/* of its arrival, ns; and which is first if equal */
	uint64_t sector, bytes;
	uint32_t disk, pid;
	uint16_t origin;
	unsigned char op;	/* enum cache_op */
	bool passed_down;	/* by a device above */
};

struct inflow;

/* NULL: no memory; 0.1 MiB */
struct inflow *inflow_new(void);

/* whether INFLOW_HELD are held */
bool inflow_full(const struct inflow *a);

/* keeps a copy; not if it is full */
void inflow_add(struct inflow *a, const struct arrival *one);

/* Removes the first, valid until the next inflow_add(); NULL: there is none. */
const struct arrival *inflow_take(struct inflow *a);

/* NULL is fine */
void inflow_free(struct inflow *a);

#endif
