/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is under way, as data: ios, the requests that carry them, remaps that
 * wait for their io, what a device and its processes are known to do.  For the
 * modules of this room; all of it belongs to a joiner.  open.h and its kind make
 * and link them.
 *
 * Items lie in arrays of fixed size and are known by their number, OPEN_NONE
 * for none: links between them take 4 bytes, and never move.  Memory that no
 * item has ever used is not touched.
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
 * From keys to numbered items, several of which may have one key: those are a
 * chain in the order in which they were added.
 *
 * An item has its entry inside of it, and all items lie in one array, so an
 * index needs no memory but its buckets; those it has not needed yet are not
 * touched.  Keys come from input: where they go depends on a number that is
 * another one in each run.
 */

#define INDEX_NONE UINT32_MAX	/* no item's number */

struct index_entry {
	uint64_t mixed;		/* the key and its space */
	uint32_t bucket;	/* of a chain's first: the next chain's first */
	uint32_t next;		/* in the chain; INDEX_NONE behind the last */
	uint32_t prev;		/* before the first: the last */
} __attribute__((packed, aligned(4)));	/* 20 bytes, as there are so many */

struct index {
	char *entries;		/* that of item 0 */
	size_t step;		/* bytes from there to that of item 1 */
	uint32_t items;		/* numbers from here on are in more */
	struct index_entry *more;	/* or NULL */

	uint64_t seed;
	uint32_t *buckets;
	uint32_t mask, most;	/* buckets less 1: in use; there are */
	uint32_t count;		/* chains */
};

/*
 * An empty index over the items of an array: their entries begin at entries
 * and are step bytes apart.  There will be some most items.  0 or -ENOMEM.
 */
int index_init(struct index *x, void *entries, size_t step, uint32_t most);

void index_free(struct index *x);

static inline struct index_entry *index_at(const struct index *x, uint32_t n)
{
	if (n >= x->items)
		return &x->more[n - x->items];
	return (struct index_entry *)(x->entries + (size_t)n * x->step);
}

/*
 * Keys of different spaces do not meet, but by the rarest of chances, which
 * depends on the seed.
 */
static inline uint64_t index_mixed(const struct index *x, uint32_t space,
				   uint64_t key)
{
	return key ^ x->seed * space;
}

static inline uint32_t *index_bucket(const struct index *x, uint64_t mixed)
{
	return &x->buckets[hash_home(x->seed, mixed, x->mask)];
}

/* the first item with that key in the bucket that begins with n */
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

/* whether n, which is in the index, is under that key */
static inline bool index_is_under(const struct index *x, uint32_t n,
				  uint32_t space, uint64_t key)
{
	return index_at(x, n)->mixed == index_mixed(x, space, key);
}

/* the item that is behind n under its key, or INDEX_NONE */
static inline uint32_t index_next(const struct index *x, uint32_t n)
{
	return index_at(x, n)->next;
}

/* the last item of the chain that begins with first, which may be INDEX_NONE */
static inline uint32_t index_last(const struct index *x, uint32_t first)
{
	return first == INDEX_NONE ? first : index_at(x, first)->prev;
}

/* the item before n, or INDEX_NONE: n is the first */
static inline uint32_t index_before(const struct index *x, uint32_t n)
{
	uint32_t prev = index_at(x, n)->prev;

	return index_at(x, prev)->next == n ? prev : INDEX_NONE;
}

/* puts an item, which is under no key, behind all others of a key */
void index_add(struct index *x, uint32_t n, uint32_t space, uint64_t key);

/* takes an item out that is in the index */
void index_remove(struct index *x, uint32_t n);

/* --- items ---------------------------------------------------------------- */

#define OPEN_NONE INDEX_NONE
#define NO_TIME UINT64_MAX
#define NO_CPU UINT16_MAX

enum {
	COUNT_MAX = (1 << 24) - 1,	/* D's and R's of a request */
	QUEUES_MAX = 4096,	/* devices */
	PROCESSES_NEAR = 16,	/* found at once; a power of two */
	REMAPS_MAX = 65536,	/* of all devices */
	FLUSH_CPUS_MAX = 8192,	/* CPUs of all devices that completed a flush */
	LATE = 100000000,	/* ns: what is this old is not simply slow */
	FLUSHES_KEPT = 3,	/* that a waiting empty flush survives at most */
};

/* where an io is */
enum io_place {
	IO_WAITS,		/* it has no request; and is looked for by its
				 * sector */
	IO_RIDES,		/* in a request */
	IO_WHOLE,		/* it was split: its parts go on */
};

/* an io that is open, or has ended and is not handed out yet */
struct open_io {
	uint64_t id, time, sector;
	uint64_t got;		/* time of its M if it was merged, else of its
				 * G; or NO_TIME */
	uint32_t bytes, categories, pid;
	uint32_t losses;	/* as the device's when it was begun */
	uint32_t events;
	uint32_t more;		/* struct more_io, or OPEN_NONE */
	uint32_t older, newer;	/* of all that are open; newer also of those to
				 * be handed out, and of unused ones */
	union {
		struct {	/* IO_WAITS */
			struct index_entry by_sector;
			uint32_t before, after;	/* of the device's, as they
						 * began to wait */
		};
		struct {	/* IO_RIDES; of IO_WHOLE c only */
			uint64_t c;	/* time of the end of its own sectors */
			uint64_t plug;	/* ns held in one, or NO_TIME */
			uint32_t rq;
			uint32_t prev, next;	/* in the order of sectors */
		} __attribute__((packed, aligned(4)));	/* as an entry is */
	};
	uint16_t queue, cpu, cpu_c, error;
	uint8_t kind : 2, merge : 3, gap : 1;	/* as in io.h */
	uint8_t unsure : 1;	/* not sure, as in io.h */
	uint8_t reached : 1;	/* its bytes are done, others of its request
				 * are not */
	uint8_t ended;		/* as in io.h; IO_ENDINGS while it is open */
	uint8_t place;
	char birth;
};

/* more of an io: of cgroups and partitions */
struct more_io {
	uint64_t cgroup;
	uint64_t from_sector;	/* remapped */
	uint32_t from_device;
	uint32_t rare;		/* struct rare_io, or OPEN_NONE */
	bool remapped;
};

/* what fewer have: of stacked devices, splits, zones, and much merging */
struct rare_io {
	uint64_t parent_id;
	uint64_t done;		/* bytes of C events without a request */
	uint64_t other;		/* of G and M the one that got is not */
	uint64_t plug;		/* of what rides no longer, or NO_TIME */
	uint64_t x, a, below_c;		/* cut; first remap; last C below */
	uint64_t below_bytes;		/* of ios below that have ended */
	uint64_t zone_plugged, zplug;	/* since when; ns, when known */
	uint64_t rest;			/* dm: where its last part begins */
	uint64_t at;			/* where an append was written */
	uint32_t parent;		/* while parent_id is open */
	uint32_t children, below;	/* ios below: begun, ended */
	uint32_t parts;			/* of a whole: not ended yet */
	uint32_t taught;		/* more sectors it is known by */
	uint8_t link;			/* what the parent is, as in io.h */
	bool passed;		/* the bio itself went to the device below */
	uint8_t parts_ended;	/* how the last did that had no C */
};

/* one more sector that a waiting io is known by */
struct taught {
	uint32_t io;
	uint32_t next;		/* of the same io */
};

enum request_state {
	REQUEST_GOT,
	REQUEST_ISSUED,
	REQUEST_REQUEUED,
	REQUEST_POST,		/* its bytes are done, and a C of none is due */
};

/* the lists that a request may be in, one at a time */
enum request_list {
	LIST_NONE,
	LIST_PLUG,		/* of a process */
	LIST_WAITERS,		/* empty flushes that wait for a flush request */
	LIST_DATA,		/* not issued, with bytes, and a flush comes
				 * before them */
	LIST_FLUSHES,		/* flush requests at the driver */
	LIST_COMMANDS,		/* passthrough */
	LIST_APPENDS,		/* writes at the driver that may be appends */
	LISTS
};

/* not at the driver, as bits for choose_request() */
#define REQUEST_WAITS (1u << REQUEST_GOT | 1u << REQUEST_REQUEUED)

struct request {
	uint64_t bytes;
	uint64_t state : 2;	/* enum request_state */
	uint64_t list : 3, way : 2;
	uint64_t pre : 1, fua : 1;	/* its io wants a flush before, after */
	uint64_t sequenced : 1;	/* so a second C, of no bytes, will follow */
	uint64_t by_start_too : 1, by_end_too : 1;	/* found by these */
	uint64_t unsure : 1;	/* an event may have been another's */
	uint64_t muddled : 1;	/* its range is not sure */
	uint64_t done : 50;	/* enough for 2^18 ios of 4 GiB, and a C */
	uint64_t i, d;		/* first I, last D; or NO_TIME */
	union {
		uint64_t sector;
		uint64_t lead;	/* ended: id of the io that stands for it */
	};
	union {
		struct index_entry by_end;	/* not issued, by_end_too */
		struct {		/* the same, not in the index yet */
			uint32_t before_end, after_end;	/* of its queue's */
		};
		struct {
			uint64_t c;		/* all bytes done, or NO_TIME */
			uint64_t preflushed;	/* when its flush was done */
			uint64_t flush;	/* id of the flush before its data,
					 * or 0 */
		};
	};
	struct index_entry by_start;	/* where its next C begins */
	union {
		uint32_t process;	/* with LIST_PLUG: whose */
		uint32_t depth;		/* issued */
	};
	uint32_t events, losses;
	uint32_t first;		/* its ios */
	union {
		uint32_t last;
		uint32_t count;		/* ended */
	};
	uint32_t own;		/* the io that got it, or OPEN_NONE */
	union {
		uint32_t reached;	/* the first io with bytes not done */
		uint32_t leaving;	/* ended: ios not handed out yet */
	};
	uint32_t prev, next;	/* in its list; next also of unused ones */
	uint32_t more;		/* struct more_request, or OPEN_NONE */
	uint16_t cpu_d, cpu_c;
};

/* more of a request: it was sent back, or begun in pieces, or flushed after */
struct more_request {
	uint64_t d;		/* its first, or NO_TIME */
	uint64_t bytes;		/* of that */
	uint64_t flush2;	/* ended: id of the flush behind, or 0 */
	uint32_t stays;		/* the last of its struct stay, or OPEN_NONE */
	uint32_t issues;
	uint32_t requeues;	/* also the next of unused ones */
};

/* once at the device, until it was sent back */
struct stay {
	struct io_stay is;	/* stays as it is when it is given back: records
				 * show it until the next event */
	uint32_t before;	/* of the same request; or next unused one */
};

struct list {
	uint32_t first, last, count;
};

/* an A whose io has not come yet */
struct remap_wait {
	struct index_entry by_sector;
	uint64_t time, from_sector, parent_id;
	uint32_t bytes, pid, from_device, events;
	uint32_t parent;
	uint32_t before, after;	/* of its device's; after of unused ones */
	uint16_t queue;
	uint8_t way;
	bool unsure;		/* of several ios above, or one of several */
};

/* what a process does on a device */
struct process {
	struct index_entry by_pid;
	struct list plug;	/* requests in it */
	uint32_t remap;		/* its last pending one, or OPEN_NONE */
	uint32_t last;		/* the io it queued last, maybe gone; or NONE */
	uint16_t queue;
	bool queued;		/* a Q of it was seen */
	bool plugged;		/* a P was */
	bool stayed;		/* requests were in the plug after a U, and no P
				 * has come since */
};

/* what flush requests do on a CPU of a device */
struct flush_cpu {
	struct index_entry by_cpu;
	uint64_t id;		/* of the one completed here last, or 0 */
	uint64_t issued, done;	/* times of it */
	uint16_t cpu_d;		/* and where it was issued */
	/* the last that were issued here and are done: when */
	uint64_t times[FLUSHES_KEPT];
	uint32_t count;
};

/*
 * Requests of a way whose range is not sure, as a merge, or a C of some of the
 * bytes, may have been another's: an event between these sectors may be about
 * any of them.
 */
struct muddle {
	uint64_t from, to;
	uint32_t count;		/* 0: there are none, whatever from and to are */
};

/* a device: its request queue, as far as events show it */
struct queue {
	const struct device *disk;
	uint16_t number;	/* in the joiner, from 0 */
	uint16_t origin;
	uint32_t device;
	struct list waiting;	/* ios, as they began to wait, but for: */
	uint32_t fresh;		/* the last; or OPEN_NONE */
	struct list remaps;	/* as they came */
	struct list ends;	/* requests not in the index of ends yet */
	struct list lists[LISTS];	/* requests; of LIST_PLUG each process
					 * has its own */
	struct near {
		uint32_t pid, number;	/* or OPEN_NONE */
	} near[PROCESSES_NEAR];	/* processes seen last, by pid modulo that */

	bool begun;
	bool queued;		/* a Q of it was seen */
	uint64_t since;		/* time of the first event */
	uint64_t slowest;	/* ns: the longest from D to C */
	uint64_t flush_id, flush_done;	/* flush request done last, or 0 */
	uint64_t times[FLUSHES_KEPT];	/* when the last done were issued */
	uint32_t times_count;
	bool has_fua, no_fua;	/* D's say so: what FUA asks for is done by the
				 * device, or by a flush behind */
	bool doubted;		/* an event may have been about another request */
	bool two_flushes;	/* were under way at a time: many queues */
	uint32_t inflight;	/* requests at the driver */
	uint32_t issued;	/* the request that went there last, with bytes:
				 * maybe gone; or OPEN_NONE */
	uint64_t head;		/* the sector behind it */
	uint32_t losses;	/* times that events were lost */
	int32_t in_holes;	/* CPUs on which they are being lost now */
	uint32_t given_up;	/* requests closed as lost whose C may come */
	uint64_t ghosts;	/* JOINER_GHOST_C's of it */
	uint32_t muddled;	/* requests, of all ways */
	struct muddle muddles[1 << 2];	/* by way */
	uint8_t ways;		/* 1 << way: D's that were seen; QUEUE_GOT: a G
				 * was; 0: it may make no requests */
};

enum { QUEUE_GOT = 1 << 4 };	/* behind the ways */

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
	int64_t *seeks;		/* of requests, as io.h has it; or NULL */
	struct taught *taught;
	struct index_entry *taught_keys;
	struct remap_wait *remaps;
	struct process *processes;
	struct flush_cpu *flush_cpus;
	/* numbers: never used before; used and free again, linked */
	struct unused {
		uint32_t fresh, first, size;
	} unused_ios, unused_more, unused_rare, unused_requests,
		unused_more_requests, unused_taught, unused_remaps,
		unused_stays;
	uint32_t process_count, next_process;	/* the oldest gives way */
	uint32_t flush_cpu_count;

	struct index waiting;	/* ios by sector */
	struct index starts, ends;	/* requests */
	struct index remapped;	/* remaps by sector */
	struct index by_pid, by_cpu;

	struct hash by_number;	/* queues */
	bool starved;		/* there was no memory for one */
	struct queue **queues;
	uint32_t queue_count;
	struct queue *last;	/* of the event before */

	struct list open;	/* ios by older and newer */
	struct list leaving;	/* by newer only */
	bool goes_on;		/* the trace, after its end here */
	uint64_t leaving_oldest;	/* of those since it was empty */
	struct io record;	/* the one handed out */
	struct io shown;	/* the one that joiner_open() shows */
};

/* category bits that do not change between the events of a request */
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

/* the sector behind an event, an io, a request */
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

/* where its next C begins */
static inline uint64_t request_at(const struct request *rq)
{
	return rq->state == REQUEST_POST ? rq->sector :
					   rq->sector + (rq->done >> 9);
}

/* bytes not completed; negative if C's had more than there were */
static inline int64_t request_left(const struct request *rq)
{
	return (int64_t)(rq->bytes - rq->done);
}

/* index spaces begin with 1 */
static inline uint32_t queue_space(const struct queue *q)
{
	return q->number + 1u;
}

static inline bool io_same_way(const struct open_io *io, const struct event *ev)
{
	return way_of(io->categories) == event_way(ev);
}

/* whether its range holds the event's, moved to sector */
static inline bool io_holds(const struct open_io *io, const struct event *ev,
			    uint64_t sector)
{
	return io->bytes && io->sector <= sector &&
	       sector + (ev->bytes >> 9) <= io_end(io);
}

/* whether the event's range holds it */
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

/* the CPU that queued what it was got for, or NO_CPU */
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

/* more ios of the queue are doubtful: events were lost */
static inline void queue_lost(struct joiner *j, struct queue *q)
{
	q->losses++;
	j->counts.losses++;
}

/* what losses must still be when an io that begins now ends, for it to be
 * exact */
static inline uint32_t queue_safe(const struct queue *q)
{
	return q->losses - (q->in_holes != 0);
}

/* whether what has these losses was open when events were lost */
static inline bool is_doubtful(const struct queue *q, uint32_t losses)
{
	return (int32_t)(losses - q->losses) < 0;
}

#endif
