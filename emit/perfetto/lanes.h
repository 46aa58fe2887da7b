/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lanes of a device, on which what overlaps lies side by side: each span gets
 * the lowest lane that is free when it begins.
 *
 * Spans that come in the order of their begins need as many lanes as there
 * ever were at a time.  In any other order a lane may be left that would have
 * had room; no two on a lane ever overlap.
 */
#ifndef EMIT_PERFETTO_LANES_H
#define EMIT_PERFETTO_LANES_H

#include <stdbool.h>
#include <stdint.h>

/* all zeros: none so far */
struct lanes {
	uint64_t *free_from;	/* a tree, see lanes.c */
	uint32_t *tracks;	/* of each lane: the caller's */
	uint32_t size;		/* lanes there is room for: a power of two */
	uint32_t count;		/* that were ever used: those below */
};

/*
 * The lane of a span up to to, which is not before from; lanes->count grows if
 * it is a new one.  0 and *lane, or -ENOMEM.
 */
int lanes_take(struct lanes *l, uint64_t from, uint64_t to, uint32_t *lane);

void lanes_free(struct lanes *l);

#endif
