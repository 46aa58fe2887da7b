/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests that are queued and not yet completed.
 *
 * A device's requests are a red-black tree by start sector.  Its shape decides
 * which of several overlapping requests an event reaches, and in which order,
 * which btt's files show.  Requests of all devices are numbered in one pool.
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
	uint32_t issue_blocks;	/* of the last D */
	uint64_t issue_sector;
	uint64_t queued;	/* times in ns; those below may be NEVER */
	uint64_t allocated;	/* G */
	uint64_t inserted;	/* I */
	uint64_t merged;	/* M, F */
	uint64_t issued;	/* the last D */
	uint64_t slept;		/* S; 0: never */
	struct share *share;	/* of its process and device */
	const uint32_t *tree;	/* the root of its tree, or NULL */
};

enum { REQUESTS_RECENT = 256 };

struct requests {
	struct rb_node *nodes;	/* by start sector; the value is the length */
	struct request *list;	/* by the same numbers, from 1 */
	uint32_t used, size;
	uint32_t unused;	/* list of free ones, linked by first child,
				 * 0 at its end */
	uint32_t recent[REQUESTS_RECENT];	/* by requests_slot() */
	uint32_t *found;	/* by requests_within() */
	uint32_t found_count;
	size_t found_size;
};

/* an all-zero struct requests is empty */
void requests_free(struct requests *r);

/* A new request in a device's tree, its times unset; it replaces one with this
 * start sector.  Valid until the next one is opened; dies without memory. */
struct request *requests_open(struct requests *r, uint32_t *root,
			      uint64_t sector, uint32_t blocks);

/* the index in recent[] of a request with this start sector */
static inline uint32_t requests_slot(uint64_t sector)
{
	return (sector >> 3) % REQUESTS_RECENT;	/* most are 4 KiB aligned */
}

/* slow path of requests_find() */
struct request *requests_search(const struct requests *r, const uint32_t *root,
				uint64_t sector);

/* the request with this start sector, or NULL */
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

/* Finds the requests within sector..end, in preorder, into found[].  1.3.0: a
 * request beyond the end hides its right subtree. */
void requests_within(struct requests *r, const uint32_t *root, uint64_t sector,
		     uint64_t end);

/* removes and frees a request */
void requests_close(struct requests *r, uint32_t *root, uint32_t number);

/* the earliest issue of all requests, or NEVER */
uint64_t requests_oldest_issue(const struct requests *r);

#endif
