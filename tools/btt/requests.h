/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests that are under way: queued, not yet completed.
 *
 * Those of a device form a red-black tree by start sector, whose shape decides
 * which of several overlapping requests an event reaches, and in which order;
 * btt's files show that order.  The requests of all devices lie in one pool
 * and have numbers in it.
 */
#ifndef TOOLS_BTT_REQUESTS_H
#define TOOLS_BTT_REQUESTS_H

#include <stddef.h>
#include <stdint.h>

#include "tools/btt/rbtree.h"
#include "tools/btt/seconds.h"

struct share;			/* tools/btt/state.h */

struct request {
	uint64_t sector;	/* of the Q */
	uint32_t blocks;	/* 512 bytes each */
	uint32_t issue_blocks;	/* of the last D, */
	uint64_t issue_sector;	/* and its place */
	uint64_t queued;	/* times in ns; those below may be NEVER */
	uint64_t allocated;	/* G */
	uint64_t inserted;	/* I */
	uint64_t merged;	/* M, F */
	uint64_t issued;	/* the last D */
	uint64_t slept;		/* S; 0: never */
	struct share *share;	/* whose request it is, on which device */
	const uint32_t *tree;	/* the root of the tree it is in, or NULL */
};

enum { REQUESTS_RECENT = 256 };

struct requests {
	struct rb_node *nodes;	/* by start sector; the value is the length */
	struct request *list;	/* by the same numbers, from 1 */
	uint32_t used, size;
	uint32_t unused;	/* list of those that are free, by their first
				 * child; 0 at its end */
	uint32_t recent[REQUESTS_RECENT];	/* opened last, by sector */
	uint32_t *found;	/* by requests_within() */
	uint32_t found_count;
	size_t found_size;
};

/* an all-zero struct requests is empty */
void requests_free(struct requests *r);

/*
 * A new request in a device's tree, its times unset; it takes the place of one
 * that begins at the same sector.  Good until the next one is opened; dies
 * without memory.
 */
struct request *requests_open(struct requests *r, uint32_t *root,
			      uint64_t sector, uint32_t blocks);

/* where in recent[] a request that begins at sector is looked for */
static inline uint32_t requests_slot(uint64_t sector)
{
	return (sector >> 3) % REQUESTS_RECENT;	/* most begin at 4 KiB */
}

/* slow path of requests_find() */
struct request *requests_search(const struct requests *r, const uint32_t *root,
				uint64_t sector);

/* the one that begins at sector, or NULL */
static inline struct request *requests_find(const struct requests *r,
					    const uint32_t *root,
					    uint64_t sector)
{
	uint32_t number = r->recent[requests_slot(sector)];
	struct request *it = number ? &r->list[number] : NULL;

	if (it && it->sector == sector && it->tree == root)
		return it;
	return requests_search(r, root, sector);
}

/*
 * Those that lie within sector and end, into found[], nodes before what hangs
 * below them.  1.3.0: a request that reaches beyond the end hides
 * what is on its right.
 */
void requests_within(struct requests *r, uint32_t root, uint64_t sector,
		     uint64_t end);

/* takes a request, by its number, out of its tree; it is gone then */
void requests_close(struct requests *r, uint32_t *root, uint32_t number);

/* the earliest issue among all that are under way, or NEVER */
uint64_t requests_oldest_issue(const struct requests *r);

#endif
