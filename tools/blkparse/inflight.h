/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requests that blkparse follows: a pool, and a map by sector for each
 * device.  At its bound it forgets those merged into a completed one.
 * follow.h's track applies actions to requests.
 */
#ifndef TOOLS_BLKPARSE_INFLIGHT_H
#define TOOLS_BLKPARSE_INFLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bloom.h"
#include "base/hash.h"
#include "record/record.h"

#define UNSET UINT64_MAX	/* not happened yet */
#define NOT_MERGED 0
#define OVER UINT64_MAX		/* merged into one that has completed */

struct request {
	uint64_t allocated, queued, dispatched;	/* ns, or UNSET */
	uint64_t sector;	/* start of its first part */
	uint64_t merged;	/* its key in the map of merged ones, OVER, or
				 * NOT_MERGED */
	struct part *parts;	/* the others, latest first */
	struct request *free;	/* next in the free list */
	uint32_t pid;		/* of its first event */
	uint32_t device : 31;
	uint32_t issued : 1;	/* dispatched comes from an issue */
};

/* another start sector of a split request */
struct part {
	uint64_t sector;
	struct part *next;
};

/*
 * A device's requests.  Those that are over stay for the whole run, apart from
 * the others, which are few enough for the cache.  No sector is in both tables.
 */
struct inflight_map {
	struct hash by_sector;
	struct hash over;	/* those with merged OVER, by sector */
	struct hash merged;	/* back-merged ones, by the sector after them */
};

/* requests followed at once, with parts of split ones: at most 160 MiB */
enum { INFLIGHT_MAX = 1 << 20 };

/* sizes of sets of sectors: 8 and 32 KiB, as more requests are over */
enum { PARTS_BITS = 16, OVER_BITS = 18 };

/* all zero: empty */
struct inflight {
	struct inflight_map *devices;	/* by device id */
	uint32_t device_count;
	struct request *unused;
	struct chunk *chunks;	/* of the pool */
	uint32_t count;		/* requests and parts in use */
	uint32_t over;		/* of these, requests that are over */
	uint64_t left_out;	/* requests and parts without room */
	/* sectors of any device where a part starts, and a request is over */
	uint64_t parts[BLOOM_WORDS(PARTS_BITS)];
	uint64_t over_at[BLOOM_WORDS(OVER_BITS)];
};

/*
 * false: on no device has a second or later part started at that sector.  This
 * saves a search, which the processor predicts badly, for nearly all
 * completions in a trace with splits.
 */
static inline bool inflight_may_be_part(const struct inflight *t,
					uint64_t sector)
{
	return bloom_may_have(t->parts, PARTS_BITS, sector);
}

/* the sector after an event's last one */
static inline uint64_t event_end(const struct event *ev)
{
	return ev->sector + (ev->bytes >> 9);
}

/* the request at that sector that is over, or NULL */
static inline struct request *inflight_find_over(const struct inflight *t,
						 const struct inflight_map *m,
						 uint64_t sector)
{
	return bloom_may_have(t->over_at, OVER_BITS, sector) ?
		       hash_get(&m->over, sector) : NULL;
}

/* the request at a sector, or NULL */
static inline struct request *inflight_find(const struct inflight *t,
					    const struct inflight_map *m,
					    uint64_t sector)
{
	struct request *r = hash_get(&m->by_sector, sector);

	return r ? r : inflight_find_over(t, m, sector);
}

/* the map of the event's device, made if needed; NULL: no memory */
struct inflight_map *inflight_map(struct inflight *t, const struct event *ev);

/* the request at the event's sector, or a new one, with *created set; NULL: no
 * room, counted */
struct request *inflight_find_or_begin(struct inflight *t,
				       struct inflight_map *m,
				       const struct event *ev, bool *created);

/* the same, faster for a known request */
struct request *inflight_find_queued(struct inflight *t,
				     struct inflight_map *m,
				     const struct event *ev, bool *created);

/* r's sector is used again: makes r no merged one, if there is memory; returns
 * r */
struct request *inflight_renew(struct inflight *t, struct inflight_map *m,
			       struct request *r);

/* the event, which is in r, joins the request before it */
void inflight_merge(struct inflight *t, struct inflight_map *m,
		    const struct event *ev, struct request *r);

/* requests merged after the event's, as far as it covers them, are over */
void inflight_end_merged(struct inflight *t, struct inflight_map *m,
			 const struct event *ev);

/* moves r's start from a sector to another; false: a request is there already,
 * and r is forgotten if it has no other start */
bool inflight_move(struct inflight *t, struct inflight_map *m,
		   struct request *r, uint64_t from, uint64_t to);

/* adds a part of r at sector; counts one without room */
void inflight_add_part(struct inflight *t, struct inflight_map *m,
		       struct request *r, uint64_t sector);

/* r, found at the event's sector, ends with all its parts */
void inflight_end(struct inflight *t, struct inflight_map *m,
		  const struct event *ev, struct request *r);

void inflight_free(struct inflight *t);

#endif
