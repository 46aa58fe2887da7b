/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data of a joiner, for this room only.  Open I/Os, requests, devices and
 * processes are made and linked by open.h, open_request.h and open_queue.h.
 *
 * Items are in arrays of fixed size and are linked by number, OPEN_NONE for
 * none, which takes 4 bytes.  Memory of items never used is not touched.
 */
#ifndef REQUEST_ITEMS_H
#define REQUEST_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/hint.h"
#include "record/record.h"
#include "request/bounds.h"
#include "request/io.h"
#include "request/leftover.h"

/* --- index ---------------------------------------------------------------- */

/*
 * A hash index from keys to numbered items.  Items of one key form a chain in
 * the order in which they were added.
 *
 * Entries are inside of the items, which are in one array, so only buckets take
 * memory, and those not needed yet are not touched.  The hash is seeded, as
 * keys come from input.
 */

#define INDEX_NONE UINT32_MAX	/* no item's number */

struct index_entry {
	uint64_t mixed;		/* of the key and its space */
	uint32_t bucket;	/* in a chain's first: the next chain's first */
	uint32_t next;		/* in the chain, or INDEX_NONE */
	uint32_t prev;		/* in the first: the last */
} __attribute__((packed, aligned(4)));	/* 20 bytes, as there are many */

struct index {
	char *entries;		/* of item 0 */
	size_t step;		/* bytes to that of item 1 */
	uint32_t items;		/* larger numbers are in more */
	struct index_entry *more;	/* or NULL */

	uint64_t seed;
	uint32_t *buckets;
	uint32_t mask, most;	/* buckets less 1: in use; allocated */
	uint32_t count;		/* of chains */
};

/* An empty index over an array of items, whose entries start at entries and are
 * step bytes apart; about most of them will be used.  0 or -ENOMEM. */
int index_init(struct index *x, void *entries, size_t step, uint32_t most);

void index_free(struct index *x);

static inline struct index_entry *index_at(const struct index *x, uint32_t n)
{
	if (n >= x->items)
		return &x->more[n - x->items];
	return (struct index_entry *)(x->entries + (size_t)n * x->step);
}

/* Keys of different spaces practically never collide; the seed decides. */
static inline uint64_t index_mixed(const struct index *x, uint32_t space,
				   uint64_t key)
{
	return key ^ x->seed * space;
}

static inline uint32_t *index_bucket(const struct index *x, uint64_t mixed)
{
	return &x->buckets[hash_home(x->seed, mixed, x->mask)];
}

/* the first item of a key in the bucket that starts with n */
static inline uint32_t index_find(const struct index *x, uint32_t n,
				  uint64_t mixed)
{
	while (n != INDEX_NONE) {
		const struct index_entry *e = index_at(x, n);

		if (e->mixed == mixed)
			break;
		n = e->bucket;
	}
	return n;
}

/* the first item of a key, or INDEX_NONE */
static inline uint32_t index_first(const struct index *x, uint32_t space,
				   uint64_t key)
{
	uint64_t mixed = index_mixed(x, space, key);

	return index_find(x, *index_bucket(x, mixed), mixed);
}

/* whether n, which is in the index, has that key */
static inline bool index_is_under(const struct index *x, uint32_t n,
				  uint32_t space, uint64_t key)
{
	return index_at(x, n)->mixed == index_mixed(x, space, key);
}

/* the item after n in its chain, or INDEX_NONE */
static inline uint32_t index_next(const struct index *x, uint32_t n)
{
	return index_at(x, n)->next;
}

/* the last item of the chain that starts with first, or INDEX_NONE */
static inline uint32_t index_last(const struct index *x, uint32_t first)
{
	return first == INDEX_NONE ? first : index_at(x, first)->prev;
}

/* the item before n, or INDEX_NONE if n is the first */
static inline uint32_t index_before(const struct index *x, uint32_t n)
{
	uint32_t prev = index_at(x, n)->prev;

	return index_at(x, prev)->next == n ? prev : INDEX_NONE;
}

/* appends an item, which is not in the index, to a key's chain */
void index_add(struct index *x, uint32_t n, uint32_t space, uint64_t key);

/* removes an item, which is in the index */
void index_remove(struct index *x, uint32_t n);

/* --- items ---------------------------------------------------------------- */

#define OPEN_NONE INDEX_NONE
#define NO_TIME UINT64_MAX
#define NO_CPU UINT16_MAX

enum {
	COUNT_MAX = (1 << 24) - 1,	/* of D and R of a request */
	QUEUES_MAX = 4096,	/* devices */
	PROCESSES_NEAR = 16,	/* cached, a power of two */
	REMAPS_MAX = 65536,	/* of all devices */
	FLUSH_CPUS_MAX = 8192,	/* that complete flushes, of all devices */
	LATE = 100000000,	/* ns after which an I/O is not just slow */
	FLUSHES_KEPT = 3,	/* flushes that an empty one waits through */
};

/* an I/O's state */
enum io_place {
	IO_WAITS,		/* without a request; indexed by sector */
	IO_RIDES,		/* in a request */
	IO_WHOLE,		/* split: its parts continue */
};

/* an I/O that is open, or whose record was not taken yet */
struct open_io {
	uint64_t id, time, sector;
	uint64_t got;		/* time of M if merged, else of G; or NO_TIME */
	uint32_t bytes, categories, pid;
	uint32_t losses;	/* the device's, when it started */
	uint32_t events;
	uint32_t more;		/* struct more_io, or OPEN_NONE */
	uint32_t older, newer;	/* in the list of open I/Os; newer also of
				 * leaving or unused ones */
	union {
		struct {	/* IO_WAITS */
			struct index_entry by_sector;
			uint32_t before, after;	/* in the device's list, by
						 * start of waiting */
		};
		struct {	/* IO_RIDES; for IO_WHOLE only c */
			uint64_t c;	/* end of its own sectors */
			uint64_t plug;	/* ns in a plug, or NO_TIME */
			uint32_t rq;
			uint32_t prev, next;	/* by sectors */
		} __attribute__((packed, aligned(4)));	/* as index_entry */
	};
	uint16_t queue, cpu, cpu_c, error;
	uint8_t kind : 2, merge : 3, gap : 1;	/* as in io.h */
	uint8_t unsure : 1;	/* as sure in io.h, inverted */
	uint8_t reached : 1;	/* its bytes are done, but not its request */
	uint8_t ended;		/* as in io.h; IO_ENDINGS: open */
	uint8_t place;
	char birth;
};

/* more of an I/O, for cgroups and partitions */
struct more_io {
	uint64_t cgroup;
	uint64_t from_sector;	/* remapped */
	uint32_t from_device;
	uint32_t rare;		/* struct rare_io, or OPEN_NONE */
	bool remapped;
};

/* rarer: for stacked devices, splits, zones, and much merging */
struct rare_io {
	uint64_t parent_id;
	uint64_t done;		/* bytes of C events without a request */
	uint64_t other;		/* of G and M, the one not in got */
	uint64_t plug;		/* ns in a plug that it left, or NO_TIME */
	uint64_t x, a, below_c;		/* split; first remap; last C below */
	uint64_t below_bytes;		/* of completed I/Os below */
	uint64_t zone_plugged, zplug;	/* start; ns, once known */
	uint64_t rest;			/* dm: start of its last part */
	uint64_t at;			/* where an append was written */
	uint32_t parent;		/* while parent_id is open */
	uint32_t children, below;	/* I/Os below: all; ended */
	uint32_t parts;			/* of a parent: still open */
	uint32_t taught;		/* more sectors in the index */
	uint8_t link;			/* as in io.h */
	bool passed;		/* the bio itself was passed on below */
	uint8_t parts_ended;	/* ending of the last one without a C */
};

/* another sector by which a waiting I/O is found */
struct taught {
	uint32_t io;
	uint32_t next;		/* of the same I/O */
};

enum request_state {
	REQUEST_GOT,
	REQUEST_ISSUED,
	REQUEST_REQUEUED,
	REQUEST_POST,		/* done, except for a C without bytes */
};

/* the lists for requests, each of which is in at most one */
enum request_list {
	LIST_NONE,
	LIST_PLUG,		/* of a process */
	LIST_WAITERS,		/* empty flushes that wait */
	LIST_DATA,		/* not issued: data that wait for a flush */
	LIST_FLUSHES,		/* flush requests at the driver */
	LIST_COMMANDS,		/* passthrough */
	LIST_APPENDS,		/* writes at the driver that may be appends */
	LISTS
};

/* not at the driver; bits for choose_request() */
#define REQUEST_WAITS (1u << REQUEST_GOT | 1u << REQUEST_REQUEUED)

struct request {
	uint64_t bytes;
	uint64_t state : 2;	/* enum request_state */
	uint64_t list : 3, way : 2;
	uint64_t pre : 1, fua : 1;	/* needs a flush before, after */
	uint64_t sequenced : 1;	/* so a second C without bytes will follow */
	uint64_t by_start_too : 1, by_end_too : 1;	/* in these indices */
	uint64_t unsure : 1;	/* an event may have been another's */
	uint64_t muddled : 1;	/* its range is in doubt */
	uint64_t done : 50;	/* bytes; 2^18 I/Os of 4 GiB and a C fit */
	uint64_t i, d;		/* first I, last D; or NO_TIME */
	union {
		uint64_t sector;
		uint64_t lead;	/* ended: id of its leading I/O */
	};
	union {
		struct index_entry by_end;	/* not issued, by_end_too */
		struct {		/* the same, not in the index yet */
			uint32_t before_end, after_end;	/* in the queue */
		};
		struct {
			uint64_t c;		/* all bytes done, or NO_TIME */
			uint64_t preflushed;	/* end of that flush */
			uint64_t flush;	/* id of the flush before its data,
					 * or 0 */
		};
	};
	struct index_entry by_start;	/* sector of its next C */
	union {
		uint32_t process;	/* for LIST_PLUG */
		uint32_t depth;		/* issued */
	};
	uint32_t events, losses;
	uint32_t first;		/* its first I/O */
	union {
		uint32_t last;
		uint32_t count;		/* ended */
	};
	uint32_t own;		/* the I/O that got it, or OPEN_NONE */
	union {
		uint32_t reached;	/* first I/O that is not done */
		uint32_t leaving;	/* ended: records not taken */
	};
	uint32_t prev, next;	/* in its list; next also of unused ones */
	uint32_t more;		/* struct more_request, or OPEN_NONE */
	uint16_t cpu_d, cpu_c;
};

/* more of a request: requeued, issued in pieces, or with a flush after it */
struct more_request {
	uint64_t d;		/* its first, or NO_TIME */
	uint64_t bytes;		/* of that */
	uint64_t flush2;	/* ended: id of the flush after, or 0 */
	uint32_t stays;		/* the last struct stay, or OPEN_NONE */
	uint32_t issues;
	uint32_t requeues;	/* also the next unused one */
};

/* a time at the device until a requeue */
struct stay {
	struct io_stay is;	/* kept for records when freed */
	uint32_t before;	/* of the request; next unused one */
};

struct list {
	uint32_t first, last, count;
};

/* an A whose I/O has not come yet */
struct remap_wait {
	struct index_entry by_sector;
	uint64_t time, from_sector, parent_id;
	uint32_t bytes, pid, from_device, events;
	uint32_t parent;
	uint32_t before, after;	/* of the device; after: next unused one */
	uint16_t queue;
	uint8_t way;
	bool unsure;		/* of several I/Os above, or one of several */
};

/* a process on a device */
struct process {
	struct index_entry by_pid;
	struct list plug;	/* requests */
	uint32_t remap;		/* the last pending one, or OPEN_NONE */
	uint32_t last;		/* last I/O queued, maybe ended; OPEN_NONE */
	uint16_t queue;
	bool queued;		/* a Q was seen */
	bool plugged;		/* a P was seen */
	bool stayed;		/* requests stay after a U without a P */
};

/* flush requests on a CPU of a device */
struct flush_cpu {
	struct index_entry by_cpu;
	uint64_t id;		/* of the last one completed, or 0 */
	uint64_t issued, done;	/* its times */
	uint16_t cpu_d;		/* its CPU at issue */
	/* issue times of the last ones that are done */
	uint64_t times[FLUSHES_KEPT];
	uint32_t count;
};

/*
 * Sectors of the requests, of a way, whose range is in doubt, as a merge or
 * partial C may have been another's.  An event there may be about any of them.
 */
struct muddle {
	uint64_t from, to;
	uint32_t count;		/* 0: none, and from and to are unset */
};

/* a device's request queue, as far as events show it */
struct queue {
	const struct device *disk;
	uint16_t number;	/* index in the joiner */
	uint16_t origin;
	uint32_t device;
	struct list waiting;	/* I/Os, by start of waiting, without */
	uint32_t fresh;		/* the latest, or OPEN_NONE */
	struct list remaps;	/* in order */
	struct list ends;	/* requests not in the index of ends yet */
	struct list lists[LISTS];	/* requests; LIST_PLUG is per process */
	struct near {
		uint32_t pid, number;	/* or OPEN_NONE */
	} near[PROCESSES_NEAR];	/* last processes, by pid */

	bool begun;
	bool queued;		/* a Q was seen */
	uint8_t imported;	/* enum imported_times: what was measured */
	uint64_t since;		/* first event */
	uint64_t slowest;	/* ns, the longest from D to C */
	uint64_t flush_id, flush_done;	/* last flush request completed, or 0 */
	uint64_t times[FLUSHES_KEPT];	/* issue times of the last completed */
	uint32_t times_count;
	bool has_fua, no_fua;	/* by D's: FUA by device or flush */
	bool doubted;		/* events may be of other requests */
	bool two_flushes;	/* were in flight: several queues */
	uint32_t inflight;	/* requests at the driver */
	uint32_t issued;	/* the last request issued, with bytes, which
				 * may have ended; or OPEN_NONE */
	uint64_t head;		/* its end */
	uint32_t losses;	/* counts losses of events */
	int32_t in_holes;	/* CPUs that are losing events now */
	uint32_t given_up;	/* requests closed as lost whose C may come */
	uint64_t ghosts;	/* JOINER_GHOST_C's */
	uint32_t muddled;	/* requests, of all ways */
	struct muddle muddles[1 << 2];	/* by way */
	uint8_t ways;		/* 1 << way of D's seen; QUEUE_GOT: a G was
				 * seen; 0: the device may have no requests */
};

enum { QUEUE_GOT = 1 << 4 };	/* after the ways */

struct level_watcher;		/* request/level_watcher.h */

struct joiner {
	struct joiner_bounds bounds;
	struct joiner_counts counts;
	uint64_t ids;

	struct open_io *ios;
	struct more_io *more;
	struct rare_io *rare;
	struct request *requests;
	struct more_request *more_requests;
	struct stay *stays;
	int64_t *seeks;		/* by request, as in io.h; or NULL */
	const struct level_watcher *watcher;	/* or NULL */
	uint32_t *levels;	/* by I/O, as in io.h; if there is a watcher */
	uint64_t end;		/* of the trace, once it has ended; else 0 */
	struct taught *taught;
	struct index_entry *taught_keys;
	struct remap_wait *remaps;
	struct process *processes;
	struct flush_cpu *flush_cpus;
	/* numbers never used; used and freed, linked */
	struct unused {
		uint32_t fresh, first, size;
	} unused_ios, unused_more, unused_rare, unused_requests,
		unused_more_requests, unused_taught, unused_remaps,
		unused_stays;
	uint32_t process_count, next_process;	/* the oldest is reused */
	uint32_t flush_cpu_count;

	struct index waiting;	/* I/Os by sector */
	struct index starts, ends;	/* requests */
	struct index remapped;	/* remaps by sector */
	struct index by_pid, by_cpu;

	struct hash by_number;	/* queues */
	bool starved;		/* no memory for a queue */
	struct queue **queues;
	uint32_t queue_count;
	struct queue *last;	/* of the last event */

	struct list open;	/* I/Os by older and newer */
	struct list leaving;	/* by newer only */
	bool continues;		/* the trace, after the end of the window */
	uint64_t leaving_oldest;	/* first event of these */
	struct io record;	/* returned last */
	struct io *at;		/* where they are made: there, or elsewhere */
	struct io shown;	/* by joiner_open() */
};

/* category bits that are the same in all events of a request */
static inline uint8_t way_of(uint32_t categories)
{
	return (categories >> BLK_TC_WRITE & 1) |
	       (categories >> (BLK_TC_DISCARD - 1) & 2);
}

enum { WAY_WRITE = 1, WAY_DISCARD = 2 };

static inline uint8_t event_way(const struct event *ev)
{
	return way_of(ev->action >> 16);
}

static inline bool event_has(const struct event *ev, enum blk_category c)
{
	return event_categories(ev) & BLK_TC_BIT(c);
}

/* the kernel's error as a number of errno.h, or 0 */
static inline uint16_t event_errno(const struct event *ev)
{
	return (uint16_t)(0 - ev->error);
}

/* the end of an event, an I/O, a request: the first sector after it */
static inline uint64_t event_end(const struct event *ev)
{
	return ev->sector + (ev->bytes >> 9);
}

static inline uint64_t io_end(const struct open_io *io)
{
	return io->sector + (io->bytes >> 9);
}

static inline uint64_t request_end(const struct request *rq)
{
	return rq->sector + (rq->bytes >> 9);
}

/* start of its next C */
static inline uint64_t request_at(const struct request *rq)
{
	return rq->state == REQUEST_POST ? rq->sector :
					   rq->sector + (rq->done >> 9);
}

/* bytes not completed; negative if C's had more */
static inline int64_t request_left(const struct request *rq)
{
	return (int64_t)(rq->bytes - rq->done);
}

/* index spaces start at 1 */
static inline uint32_t queue_space(const struct queue *q)
{
	return q->number + 1u;
}

static inline bool io_same_way(const struct open_io *io, const struct event *ev)
{
	return way_of(io->categories) == event_way(ev);
}

/* whether it holds the event's range, moved to sector */
static inline bool io_holds(const struct open_io *io, const struct event *ev,
			    uint64_t sector)
{
	return io->bytes && io->sector <= sector &&
	       sector + (ev->bytes >> 9) <= io_end(io);
}

/* whether it is in the event's range */
static inline bool io_within(const struct open_io *io, const struct event *ev)
{
	return ev->sector <= io->sector && io_end(io) <= event_end(ev);
}

/* the time of its G, or NO_TIME */
static inline uint64_t request_g(const struct joiner *j,
				 const struct request *rq)
{
	return rq->own == OPEN_NONE ? NO_TIME : j->ios[rq->own].got;
}

/* the time of its first D, or NO_TIME */
static inline uint64_t request_first_d(const struct joiner *j,
				       const struct request *rq)
{
	return LIKELY(rq->more == OPEN_NONE) ? rq->d :
					       j->more_requests[rq->more].d;
}

/* the CPU of its Q, or NO_CPU */
static inline uint16_t request_cpu_g(const struct joiner *j,
				     const struct request *rq)
{
	return request_g(j, rq) == NO_TIME ? NO_CPU : j->ios[rq->own].cpu;
}

static inline struct open_io *request_first(const struct joiner *j,
					    const struct request *rq)
{
	return &j->ios[rq->first];
}

static inline struct queue *request_queue(const struct joiner *j,
					  const struct request *rq)
{
	return j->queues[request_first(j, rq)->queue];
}

/* events were lost: I/Os open now are in doubt */
static inline void queue_lost(struct joiner *j, struct queue *q)
{
	q->losses++;
	j->counts.losses++;
}

/* value of losses that an I/O starting now must still find at its end */
static inline uint32_t queue_safe(const struct queue *q)
{
	return q->losses - (q->in_holes != 0);
}

/* whether it was open when events were lost */
static inline bool is_doubtful(const struct queue *q, uint32_t losses)
{
	return (int32_t)(losses - q->losses) < 0;
}

#endif
