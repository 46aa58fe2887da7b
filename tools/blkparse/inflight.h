/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requests that blkparse follows, by device and sector: a pool of them
 * and a map for each device.  At the bound, those are forgotten that have been
 * merged into another which has completed.  What an action does to a request
 * is track's work.
 */
#ifndef TOOLS_BLKPARSE_INFLIGHT_H
#define TOOLS_BLKPARSE_INFLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bloom.h"
#include "base/hash.h"
#include "record/record.h"

#define UNSET UINT64_MAX	/* this has not happened yet */
#define NOT_MERGED 0
#define OVER UINT64_MAX		/* merged into one that has completed */

struct request {
	uint64_t allocated, queued, dispatched;	/* ns, or UNSET */
	uint64_t sector;	/* where its first part begins */
	uint64_t merged;	/* its key in the map of merged ones, OVER, or
				 * NOT_MERGED */
	struct part *parts;	/* the others, latest first */
	struct request *free;	/* next in the free list */
	uint32_t pid;		/* of the event that began it */
	uint32_t device : 31;
	uint32_t issued : 1;	/* dispatched comes from an issue */
};

/* one more place where a split request is known */
struct part {
	uint64_t sector;
	struct part *next;
};

/*
 * The requests of a device.  Those that are over stay for the whole run: out of
 * the way of the others, which are few enough for the cache.  No sector is in
 * both tables.
 */
struct inflight_map {
	struct hash by_sector;
	struct hash over;	/* those with merged OVER, by sector, too */
	struct hash merged;	/* back-merged ones by the sector behind them */
};

/*
 * More requests at a time, parts of split ones counted, are not followed: 160
 * MiB at most.  Before that, those are forgotten which have been merged into
 * another that has completed.
 */
enum { INFLIGHT_MAX = 1 << 20 };

/* of sets of sectors: 8 and 32 KiB, as there are more requests that are over */
enum { PARTS_BITS = 16, OVER_BITS = 18 };

/* all zeros: there are none */
struct inflight {
	struct inflight_map *devices;	/* by device id */
	uint32_t device_count;
	struct request *unused;
	struct chunk *chunks;	/* of the pool */
	uint32_t count;		/* requests and parts in use */
	uint32_t over;		/* of these, requests that are over */
	uint64_t left_out;	/* what there was no place for */
	/* sectors of any device where a part has begun, and a request is over */
	uint64_t parts[BLOOM_WORDS(PARTS_BITS)];
	uint64_t over_at[BLOOM_WORDS(OVER_BITS)];
};

/*
 * false: no part but a request's first has ever begun at that sector of any
 * device.  So nearly all completions in a trace with splits are known to be of
 * a whole request without a search, which is not foreseeable by the processor.
 */
static inline bool inflight_may_be_part(const struct inflight *t,
					uint64_t sector)
{
	return bloom_may_have(t->parts, PARTS_BITS, sector);
}

/* the sector behind an event's last one */
static inline uint64_t event_end(const struct event *ev)
{
	return ev->sector + (ev->bytes >> 9);
}

/* the request that is over and was at that sector, or NULL */
static inline struct request *inflight_find_over(const struct inflight *t,
						 const struct inflight_map *m,
						 uint64_t sector)
{
	return bloom_may_have(t->over_at, OVER_BITS, sector) ?
		       hash_get(&m->over, sector) : NULL;
}

/* the request that is known at a sector, or NULL */
static inline struct request *inflight_find(const struct inflight *t,
					    const struct inflight_map *m,
					    uint64_t sector)
{
	struct request *r = hash_get(&m->by_sector, sector);

	return r ? r : inflight_find_over(t, m, sector);
}

/* the map of the event's device, made if need be, or NULL without memory */
struct inflight_map *inflight_map(struct inflight *t, const struct event *ev);

/*
 * The request at the event's sector; one begins there, and *created is set,
 * if none does yet.  NULL, and counted, where there is no place for it.
 */
struct request *inflight_find_or_begin(struct inflight *t,
				       struct inflight_map *m,
				       const struct event *ev, bool *created);

/* the same, and faster where the request is known already */
struct request *inflight_find_queued(struct inflight *t,
				     struct inflight_map *m,
				     const struct event *ev, bool *created);

/* r's sector is used anew: it is not, or no longer, a merged one, unless there
 * is no memory for that; returns r */
struct request *inflight_renew(struct inflight *t, struct inflight_map *m,
			       struct request *r);

/* the event, which lies in r, joins the request before it */
void inflight_merge(struct inflight *t, struct inflight_map *m,
		    const struct event *ev, struct request *r);

/* what is merged behind a request, as far as the event covers it, is over */
void inflight_end_merged(struct inflight *t, struct inflight_map *m,
			 const struct event *ev);

/* what of r begins at a sector begins at another; false: there is a request
 * already, and r is forgotten if it has no other place */
bool inflight_move(struct inflight *t, struct inflight_map *m,
		   struct request *r, uint64_t from, uint64_t to);

/* a further part of r begins at sector; counted where there is no place */
void inflight_add_part(struct inflight *t, struct inflight_map *m,
		       struct request *r, uint64_t sector);

/* r, found at the event's sector, ends with all its parts */
void inflight_end(struct inflight *t, struct inflight_map *m,
		  const struct event *ev, struct request *r);

/* frees what t has */
void inflight_free(struct inflight *t);

#endif
