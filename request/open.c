/* SPDX-License-Identifier: GPL-2.0-only */
/* What is under way; see open.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "request/open.h"
#include "trace/device.h"

enum {
	/* an event begins this many ios at most, and others may be waiting to
	 * be handed out */
	SPARE_IOS = 8,
};

/* --- slots of arrays ------------------------------------------------------- */

static void unused_init(struct unused *u, uint32_t size)
{
	*u = (struct unused){ .first = OPEN_NONE, .size = size };
}

/* A number for a new item; next is where an unused item has its link. */
#define TAKE(u, items, next) \
	((u).first != OPEN_NONE ? unused_again(&(u), (items)[(u).first].next) : \
				  unused_fresh(&(u)))

static inline uint32_t unused_again(struct unused *u, uint32_t next)
{
	uint32_t n = u->first;

	u->first = next;
	return n;
}

static inline uint32_t unused_fresh(struct unused *u)
{
	return u->fresh < u->size ? u->fresh++ : OPEN_NONE;
}

/* what n's link has to be */
static inline uint32_t unused_give(struct unused *u, uint32_t n)
{
	uint32_t next = u->first;

	u->first = n;
	return next;
}

/* --- all of it ------------------------------------------------------------- */

static int make_arrays(struct joiner *j)
{
	uint32_t ios = j->unused_ios.size;

	j->ios = malloc(ios * sizeof(*j->ios));
	j->more = malloc(ios * sizeof(*j->more));
	j->rare = malloc(j->unused_rare.size * sizeof(*j->rare));
	j->requests = malloc(ios * sizeof(*j->requests));
	j->more_requests = malloc(ios * sizeof(*j->more_requests));
	j->taught = malloc(j->unused_taught.size * sizeof(*j->taught));
	j->taught_keys = malloc(j->unused_taught.size *
				sizeof(*j->taught_keys));
	j->remaps = malloc(j->unused_remaps.size * sizeof(*j->remaps));
	j->processes = malloc(j->bounds.pids * sizeof(*j->processes));
	j->flush_cpus = malloc(FLUSH_CPUS_MAX * sizeof(*j->flush_cpus));
	if (!j->ios || !j->more || !j->rare || !j->requests ||
	    !j->more_requests || !j->taught || !j->taught_keys ||
	    !j->remaps || !j->processes || !j->flush_cpus)
		return -ENOMEM;
	return 0;
}

#define INDEX_INIT(index, items, entry, most) \
	index_init(&(index), (char *)(items) + \
			offsetof(__typeof__(*(items)), entry), \
		   sizeof(*(items)), (most))

static int make_indexes(struct joiner *j)
{
	uint32_t ios = j->unused_ios.size;
	int err = 0;

	err |= INDEX_INIT(j->waiting, j->ios, by_sector, ios);
	err |= INDEX_INIT(j->starts, j->requests, by_start, ios);
	err |= INDEX_INIT(j->ends, j->requests, by_end, ios);
	err |= INDEX_INIT(j->remapped, j->remaps, by_sector,
			  j->unused_remaps.size);
	err |= INDEX_INIT(j->by_pid, j->processes, by_pid, j->bounds.pids);
	err |= INDEX_INIT(j->by_cpu, j->flush_cpus, by_cpu, FLUSH_CPUS_MAX);
	j->waiting.items = ios;
	j->waiting.more = j->taught_keys;
	return err ? -ENOMEM : 0;
}

int open_init(struct joiner *j, const struct joiner_bounds *bounds)
{
	uint32_t ios = bounds->ios + SPARE_IOS;
	int err;

	j->bounds = *bounds;
	unused_init(&j->unused_ios, ios);
	unused_init(&j->unused_requests, ios);
	unused_init(&j->unused_more_requests, ios);
	unused_init(&j->unused_more, ios);
	unused_init(&j->unused_rare, ios);
	unused_init(&j->unused_taught, ios);
	unused_init(&j->unused_remaps, REMAPS_MAX);
	j->open = j->leaving = (struct list){ OPEN_NONE, OPEN_NONE, 0 };
	err = make_arrays(j);
	return err ? err : make_indexes(j);
}

void open_free(struct joiner *j)
{
	free(j->ios);
	free(j->more);
	free(j->rare);
	free(j->requests);
	free(j->more_requests);
	free(j->seeks);
	free(j->taught);
	free(j->taught_keys);
	free(j->remaps);
	free(j->processes);
	free(j->flush_cpus);
	index_free(&j->waiting);
	index_free(&j->starts);
	index_free(&j->ends);
	index_free(&j->remapped);
	index_free(&j->by_pid);
	index_free(&j->by_cpu);
	for (uint32_t i = 0; i < j->queue_count; i++)
		free(j->queues[i]);
	free(j->queues);
	hash_free(&j->by_number);
}

/* --- devices --------------------------------------------------------------- */

struct queue *open_find_queue(const struct joiner *j, uint16_t origin,
			      uint32_t device)
{
	return hash_get(&j->by_number, origin_key(origin, device));
}

static struct queue *new_queue(struct joiner *j, uint16_t origin,
			       uint32_t device)
{
	const struct list none = { OPEN_NONE, OPEN_NONE, 0 };
	struct queue *q = calloc(1, sizeof(*q));

	if (!q || hash_put(&j->by_number, origin_key(origin, device), q)) {
		free(q);
		return NULL;
	}
	q->number = (uint16_t)j->queue_count;
	q->origin = origin;
	q->device = device;
	q->waiting = q->remaps = q->ends = none;
	q->fresh = q->issued = OPEN_NONE;
	for (int i = 0; i < LISTS; i++)
		q->lists[i] = none;
	for (int i = 0; i < PROCESSES_NEAR; i++)
		q->near[i].number = OPEN_NONE;
	j->queues[j->queue_count++] = q;
	return q;
}

struct queue *open_queue(struct joiner *j, uint16_t origin, uint32_t device)
{
	struct queue *q = open_find_queue(j, origin, device);

	if (q)
		return q;
	if (!j->queues)
		j->queues = calloc(QUEUES_MAX, sizeof(*j->queues));
	if (!j->queues || j->queue_count == QUEUES_MAX)
		return NULL;
	return new_queue(j, origin, device);
}

/* --- lists ----------------------------------------------------------------- */

/* Both for items that have the two links. */
#define LIST_APPEND(l, items, n, before, after) do { \
	(items)[n].before = (l)->last; \
	(items)[n].after = OPEN_NONE; \
	if ((l)->last != OPEN_NONE) \
		(items)[(l)->last].after = (n); \
	else \
		(l)->first = (n); \
	(l)->last = (n); \
	(l)->count++; \
} while (0)

#define LIST_REMOVE(l, items, n, before, after) do { \
	if ((items)[n].before != OPEN_NONE) \
		(items)[(items)[n].before].after = (items)[n].after; \
	else \
		(l)->first = (items)[n].after; \
	if ((items)[n].after != OPEN_NONE) \
		(items)[(items)[n].after].before = (items)[n].before; \
	else \
		(l)->last = (items)[n].before; \
	(l)->count--; \
} while (0)

/* --- ios ------------------------------------------------------------------- */

uint32_t open_number(const struct joiner *j, const struct open_io *io)
{
	return (uint32_t)(io - j->ios);
}

bool open_is(const struct joiner *j, uint32_t n, uint64_t id)
{
	return n != OPEN_NONE && j->ios[n].id == id &&
	       j->ios[n].ended == IO_ENDINGS;
}

static void note_cgroup(struct joiner *j, struct open_io *io,
			const struct event *ev)
{
	uint64_t id;

	if (ev->pdu_len < BLK_CGROUP_SIZE)
		return;
	id = get64(ev->payload);
	open_more(j, io)->cgroup = ev->swapped ? __builtin_bswap64(id) : id;
}

/* Each by itself: most of an io is set, and clearing all of it costs more. */
static inline void begin_nothing(struct open_io *io)
{
	io->got = NO_TIME;
	io->events = 1;
	io->more = OPEN_NONE;
	io->error = 0;
	io->cpu_c = NO_CPU;
	io->merge = IO_NOT_MERGED;
	io->ended = IO_ENDINGS;
	io->place = IO_WHOLE;
	io->gap = false;
}

struct open_io *open_begin(struct joiner *j, struct queue *q,
			   const struct event *ev, enum io_kind kind,
			   char birth)
{
	uint32_t n = TAKE(j->unused_ios, j->ios, newer);
	struct open_io *io = &j->ios[n];

	begin_nothing(io);
	io->id = ++j->ids;
	io->time = ev->time;
	io->sector = ev->sector;
	io->bytes = ev->bytes;
	io->categories = event_categories(ev);
	io->pid = ev->pid;
	io->cpu = (uint16_t)ev->cpu;
	io->queue = q->number;
	io->kind = (uint8_t)kind & 7;
	io->birth = birth;
	io->losses = queue_safe(q);
	LIST_APPEND(&j->open, j->ios, n, older, newer);
	if (UNLIKELY(ev->action & BLK_CGROUP_FLAG))
		note_cgroup(j, io, ev);
	return io;
}

/* There is one of each for each io. */
struct more_io *open_more(struct joiner *j, struct open_io *io)
{
	uint32_t n = io->more;

	if (n != OPEN_NONE)
		return &j->more[n];
	n = TAKE(j->unused_more, j->more, rare);
	io->more = n;
	j->more[n] = (struct more_io){
		.rare = OPEN_NONE,
	};
	return &j->more[n];
}

void open_merge(struct joiner *j, struct open_io *io, enum io_merge how)
{
	bool turns = (io->merge != IO_NOT_MERGED) != (how != IO_NOT_MERGED);
	struct rare_io *rare;
	uint64_t got = io->got;

	io->merge = (uint8_t)how & 7;
	if (!turns || (got == NO_TIME && io->more == OPEN_NONE))
		return;
	rare = open_rare(j, io);
	io->got = rare->other;
	rare->other = got;
}

struct rare_io *open_rare(struct joiner *j, struct open_io *io)
{
	struct more_io *more = open_more(j, io);
	uint32_t n = more->rare;

	if (n != OPEN_NONE)
		return &j->rare[n];
	n = TAKE(j->unused_rare, j->rare, taught);
	more->rare = n;
	j->rare[n] = (struct rare_io){
		.other = NO_TIME, .plug = NO_TIME,
		.x = NO_TIME, .a = NO_TIME, .below_c = NO_TIME,
		.zone_plugged = NO_TIME, .zplug = NO_TIME,
		.rest = IO_NONE, .at = IO_NONE,
		.parent = OPEN_NONE, .taught = OPEN_NONE,
	};
	return &j->rare[n];
}

void open_leaves(struct joiner *j, struct open_io *io)
{
	uint32_t n = open_number(j, io);

	LIST_REMOVE(&j->open, j->ios, n, older, newer);
	io->newer = OPEN_NONE;
	if (!j->leaving.count || io->time < j->leaving_oldest)
		j->leaving_oldest = io->time;
	if (j->leaving.count++)
		j->ios[j->leaving.last].newer = n;
	else
		j->leaving.first = n;
	j->leaving.last = n;
}

static void forget_more(struct joiner *j, uint32_t n)
{
	struct more_io *more = &j->more[n];
	uint32_t rare = more->rare;

	if (rare != OPEN_NONE)
		j->rare[rare].taught = unused_give(&j->unused_rare, rare);
	more->rare = unused_give(&j->unused_more, n);
}

void open_forget(struct joiner *j, struct open_io *io)
{
	uint32_t n = j->leaving.first;

	j->leaving.first = io->newer;
	j->leaving.count--;
	if (UNLIKELY(io->more != OPEN_NONE))
		forget_more(j, io->more);
	io->newer = unused_give(&j->unused_ios, n);
}

/* --- ios that wait ---------------------------------------------------------- */

void open_wait(struct joiner *j, struct queue *q, struct open_io *io)
{
	uint32_t n = open_number(j, io);

	io->place = IO_WAITS;
	index_add(&j->waiting, n, queue_space(q), io->sector);
	LIST_APPEND(&q->waiting, j->ios, n, before, after);
}

void open_wait_fresh(struct joiner *j, struct queue *q, struct open_io *io)
{
	open_settle(j, q);
	io->place = IO_WAITS;
	q->fresh = open_number(j, io);
}

void open_settle_fresh(struct joiner *j, struct queue *q)
{
	struct open_io *io = &j->ios[q->fresh];

	q->fresh = OPEN_NONE;
	open_wait(j, q, io);
}

static void unteach(struct joiner *j, struct rare_io *rare)
{
	uint32_t n = rare->taught, next;

	for (; n != OPEN_NONE; n = next) {
		next = j->taught[n].next;
		index_remove(&j->waiting, j->waiting.items + n);
		j->taught[n].next = unused_give(&j->unused_taught, n);
	}
	rare->taught = OPEN_NONE;
}

void open_unwait_settled(struct joiner *j, struct queue *q, struct open_io *io)
{
	uint32_t n = open_number(j, io);
	struct rare_io *rare;

	index_remove(&j->waiting, n);
	LIST_REMOVE(&q->waiting, j->ios, n, before, after);
	rare = open_has_rare(j, io);
	if (UNLIKELY(rare))
		unteach(j, rare);
}

static bool knows(const struct joiner *j, const struct queue *q,
		  const struct open_io *io, const struct rare_io *rare,
		  uint64_t sector)
{
	uint32_t looks = j->bounds.chain;

	if (io->sector == sector)
		return true;
	for (uint32_t n = rare->taught; n != OPEN_NONE; n = j->taught[n].next)
		if (index_is_under(&j->waiting, j->waiting.items + n,
				   queue_space(q), sector) || !looks--)
			return true;
	return false;
}

void open_teach(struct joiner *j, struct queue *q, struct open_io *io,
		uint64_t sector)
{
	struct rare_io *rare = open_rare(j, io);
	uint32_t n;

	if (io->place != IO_WAITS || knows(j, q, io, rare, sector))
		return;
	n = TAKE(j->unused_taught, j->taught, next);
	if (n == OPEN_NONE)
		return;
	j->taught[n] = (struct taught){ open_number(j, io), rare->taught };
	rare->taught = n;
	index_add(&j->waiting, j->waiting.items + n, queue_space(q), sector);
}

/* --- requests --------------------------------------------------------------- */

uint32_t open_request_number(const struct joiner *j, const struct request *rq)
{
	return (uint32_t)(rq - j->requests);
}

static inline void request_nothing(struct request *rq)
{
	rq->done = rq->flush = 0;
	rq->i = rq->d = NO_TIME;
	rq->c = rq->preflushed = NO_TIME;
	rq->pre = rq->fua = 0;
	rq->events = 0;
	rq->first = rq->last = rq->own = rq->reached = OPEN_NONE;
	rq->more = OPEN_NONE;
	rq->cpu_d = rq->cpu_c = NO_CPU;
	rq->state = REQUEST_GOT;
	rq->list = LIST_NONE;
	rq->sequenced = rq->by_start_too = rq->by_end_too = 0;
}

/* There are as many as ios, and each has one at least. */
struct request *open_request(struct joiner *j, const struct queue *q,
			     const struct event *ev)
{
	uint32_t n = TAKE(j->unused_requests, j->requests, next);
	struct request *rq = &j->requests[n];

	request_nothing(rq);
	if (UNLIKELY(j->seeks))
		j->seeks[n] = IO_NO_SEEK;
	rq->sector = ev->sector;
	rq->bytes = ev->bytes;
	rq->way = event_way(ev);
	rq->losses = queue_safe(q);
	return rq;
}

/* There is one for each request. */
struct more_request *open_more_request(struct joiner *j, struct request *rq)
{
	uint32_t n = rq->more;

	if (n != OPEN_NONE)
		return &j->more_requests[n];
	n = TAKE(j->unused_more_requests, j->more_requests, requeues);
	rq->more = n;
	j->more_requests[n] = (struct more_request){
		.d = rq->d,
		.bytes = rq->bytes,
		.issues = rq->d != NO_TIME,
	};
	return &j->more_requests[n];
}

void open_request_forget(struct joiner *j, struct request *rq)
{
	uint32_t n = open_request_number(j, rq), more = rq->more;

	if (UNLIKELY(more != OPEN_NONE))
		j->more_requests[more].requeues =
			unused_give(&j->unused_more_requests, more);
	rq->next = unused_give(&j->unused_requests, n);
}

/* No item in an index is before nothing: this is how those that are not in the
 * index of ends yet are known. */
void open_end(struct joiner *j, struct queue *q, struct request *rq)
{
	uint32_t n = open_request_number(j, rq);

	rq->by_end_too = true;
	rq->by_end.prev = INDEX_NONE;
	LIST_APPEND(&q->ends, j->requests, n, before_end, after_end);
}

void open_end_no_more(struct joiner *j, struct queue *q, struct request *rq)
{
	uint32_t n = open_request_number(j, rq);

	rq->by_end_too = false;
	if (LIKELY(rq->by_end.prev == INDEX_NONE))
		LIST_REMOVE(&q->ends, j->requests, n, before_end, after_end);
	else
		index_remove(&j->ends, n);
}

void open_enter_ends(struct joiner *j, struct queue *q)
{
	uint32_t n = q->ends.first, next;

	for (; n != OPEN_NONE; n = next) {
		struct request *rq = &j->requests[n];

		next = rq->after_end;
		index_add(&j->ends, n, queue_space(q), request_end(rq));
	}
	q->ends = (struct list){ OPEN_NONE, OPEN_NONE, 0 };
}

static inline struct list *list_of(struct joiner *j, const struct request *rq)
{
	if (LIKELY(rq->list == LIST_PLUG))
		return &j->processes[rq->process].plug;
	return &request_queue(j, rq)->lists[rq->list];
}

void open_list(struct joiner *j, struct request *rq, enum request_list list,
	       uint32_t process)
{
	uint32_t n = open_request_number(j, rq);
	struct list *l;

	rq->list = list;
	if (list == LIST_PLUG)
		rq->process = process;
	l = list_of(j, rq);
	LIST_APPEND(l, j->requests, n, prev, next);
}

void open_unlist(struct joiner *j, struct request *rq)
{
	uint32_t n = open_request_number(j, rq);
	struct list *l;

	if (rq->list == LIST_NONE)
		return;
	l = list_of(j, rq);
	LIST_REMOVE(l, j->requests, n, prev, next);
	rq->list = LIST_NONE;
}

/* --- remaps ------------------------------------------------------------------ */

struct remap_wait *open_remap(struct joiner *j, struct queue *q)
{
	uint32_t n = TAKE(j->unused_remaps, j->remaps, after);

	if (n == OPEN_NONE)
		return NULL;
	j->remaps[n].queue = q->number;
	return &j->remaps[n];
}

void open_remap_enter(struct joiner *j, struct queue *q, struct remap_wait *r,
		      uint64_t sector)
{
	uint32_t n = (uint32_t)(r - j->remaps);
	struct process *p = open_process(j, q, r->pid);

	index_add(&j->remapped, n, queue_space(q), sector);
	LIST_APPEND(&q->remaps, j->remaps, n, before, after);
	p->remap = n;
}

void open_remap_leave(struct joiner *j, struct remap_wait *r)
{
	uint32_t n = (uint32_t)(r - j->remaps);
	struct queue *q = j->queues[r->queue];
	struct process *p = open_process(j, q, r->pid);

	if (p->remap == n)
		p->remap = OPEN_NONE;
	index_remove(&j->remapped, n);
	LIST_REMOVE(&q->remaps, j->remaps, n, before, after);
}

void open_remap_forget(struct joiner *j, struct remap_wait *r)
{
	open_remap_leave(j, r);
	r->after = unused_give(&j->unused_remaps, (uint32_t)(r - j->remaps));
}

/* --- processes ---------------------------------------------------------------- */

/* The oldest gives way, and what its plug holds is in no plug any more. */
static uint32_t reuse_process(struct joiner *j)
{
	uint32_t n = j->next_process;
	struct process *p = &j->processes[n];
	struct queue *q = j->queues[p->queue];

	j->next_process = (n + 1) % j->bounds.pids;
	while (p->plug.first != OPEN_NONE)
		open_unlist(j, &j->requests[p->plug.first]);
	index_remove(&j->by_pid, n);
	for (int i = 0; i < PROCESSES_NEAR; i++)
		if (q->near[i].number == n)
			q->near[i].number = OPEN_NONE;
	return n;
}

static uint32_t new_process(struct joiner *j, struct queue *q, uint32_t pid)
{
	uint32_t n = j->process_count < j->bounds.pids ? j->process_count++ :
							 reuse_process(j);
	struct process *p = &j->processes[n];

	*p = (struct process){
		.plug = { OPEN_NONE, OPEN_NONE, 0 },
		.remap = OPEN_NONE,
		.last = OPEN_NONE,
		.queue = q->number,
	};
	index_add(&j->by_pid, n, queue_space(q), pid);
	return n;
}

struct process *open_far_process(struct joiner *j, struct queue *q,
				 uint32_t pid)
{
	uint32_t n = index_first(&j->by_pid, queue_space(q), pid);

	if (n == OPEN_NONE)
		n = new_process(j, q, pid);
	q->near[pid % PROCESSES_NEAR] = (struct near){ pid, n };
	return &j->processes[n];
}

/* --- flush requests ------------------------------------------------------------ */

struct flush_cpu *open_flush_cpu(struct joiner *j, struct queue *q,
				 uint16_t cpu, bool make)
{
	uint32_t n = index_first(&j->by_cpu, queue_space(q), cpu);

	if (n != OPEN_NONE)
		return &j->flush_cpus[n];
	if (!make || j->flush_cpu_count == FLUSH_CPUS_MAX)
		return NULL;
	n = j->flush_cpu_count++;
	j->flush_cpus[n] = (struct flush_cpu){ .cpu_d = NO_CPU };
	index_add(&j->by_cpu, n, queue_space(q), cpu);
	return &j->flush_cpus[n];
}
