/* SPDX-License-Identifier: GPL-2.0-only */
/* All that is open, and its I/Os; see open.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/hint.h"
#include "request/level_watcher.h"
#include "request/open.h"
#include "request/slots.h"
#include "run/device.h"

enum {
	/* I/Os that an event starts, at most, while records wait */
	SPARE_IOS = 8,
};

/* --- memory --------------------------------------------------------------- */

static int make_arrays(struct joiner *j)
{
	uint32_t ios = j->unused_ios.size;

	j->ios = malloc(ios * sizeof(*j->ios));
	j->more = malloc(ios * sizeof(*j->more));
	j->rare = malloc(j->unused_rare.size * sizeof(*j->rare));
	j->requests = malloc(ios * sizeof(*j->requests));
	j->more_requests = malloc(ios * sizeof(*j->more_requests));
	j->stays = malloc(ios * sizeof(*j->stays));
	j->taught = malloc(j->unused_taught.size * sizeof(*j->taught));
	j->taught_keys = malloc(j->unused_taught.size *
				sizeof(*j->taught_keys));
	j->remaps = malloc(j->unused_remaps.size * sizeof(*j->remaps));
	j->processes = malloc(j->bounds.pids * sizeof(*j->processes));
	j->flush_cpus = malloc(FLUSH_CPUS_MAX * sizeof(*j->flush_cpus));
	if (!j->ios || !j->more || !j->rare || !j->requests ||
	    !j->more_requests || !j->stays || !j->taught ||
	    !j->taught_keys || !j->remaps || !j->processes || !j->flush_cpus)
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
	unused_init(&j->unused_stays, ios);
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
	free(j->levels);
	free(j->stays);
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

/* --- I/Os ----------------------------------------------------------------- */

uint32_t open_number(const struct joiner *j, const struct open_io *io)
{
	return (uint32_t)(io - j->ios);
}

bool open_is(const struct joiner *j, uint32_t n, uint64_t id)
{
	return n != OPEN_NONE && j->ios[n].id == id &&
	       j->ios[n].ended == IO_ENDINGS;
}

/* --- levels --------------------------------------------------------------- */

static uint64_t now_of(const struct joiner *j)
{
	return j->end ? j->end : *j->watcher->now;
}

static COLD void come(struct joiner *j, const struct open_io *io)
{
	const struct level_watcher *w = j->watcher;
	bool counts = io->kind != IO_FLUSH && io->birth != 'C';

	j->levels[open_number(j, io)] = !counts ? 0 :
		w->come(w->ctx, j->queues[io->queue]->disk, now_of(j));
}

static COLD void go(struct joiner *j, const struct open_io *io, bool absorbed)
{
	const struct level_watcher *w = j->watcher;

	if (j->levels[open_number(j, io)])
		w->go(w->ctx, j->queues[io->queue]->disk, now_of(j), io->time,
		      absorbed);
}

void open_absorbed(struct joiner *j, struct open_io *io)
{
	if (LIKELY(!j->watcher))
		return;
	go(j, io, true);
	j->levels[open_number(j, io)] = 0;
}

/* Merged, it counts no longer; or it does again. */
static COLD void change_merge(struct joiner *j, struct open_io *io, bool merged)
{
	uint32_t level = j->levels[open_number(j, io)];

	if (merged)
		open_absorbed(j, io);
	else if (!level)
		come(j, io);
}

/* --- making and ending them ----------------------------------------------- */

static void note_cgroup(struct joiner *j, struct open_io *io,
			const struct event *ev)
{
	uint64_t id;

	if (ev->pdu_len < BLK_CGROUP_SIZE)
		return;
	id = get64(ev->payload);
	open_more(j, io)->cgroup = ev->swapped ? __builtin_bswap64(id) : id;
}

/* Field by field: most of an I/O is set, and clearing all of it costs more. */
static inline void clear_io(struct open_io *io)
{
	io->got = NO_TIME;
	io->events = 1;
	io->more = OPEN_NONE;
	io->error = 0;
	io->cpu_c = NO_CPU;
	io->merge = IO_NOT_MERGED;
	io->ended = IO_ENDINGS;
	io->place = IO_WHOLE;
	io->gap = io->unsure = io->reached = false;
}

struct open_io *open_begin(struct joiner *j, struct queue *q,
			   const struct event *ev, enum io_kind kind,
			   char birth)
{
	uint32_t n = TAKE(j->unused_ios, j->ios, newer);
	struct open_io *io = &j->ios[n];

	clear_io(io);
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
	if (UNLIKELY(j->watcher))
		come(j, io);
	return io;
}

/* There is one for each I/O. */
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
	if (UNLIKELY(j->watcher))
		change_merge(j, io, how != IO_NOT_MERGED);
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

	if (UNLIKELY(j->watcher))
		go(j, io, false);
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

/* --- waiting I/Os --------------------------------------------------------- */

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
