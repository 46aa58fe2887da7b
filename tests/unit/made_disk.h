/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A disk that is made up: requests come in, wait where a test makes them wait,
 * and leave as records of ios.  Times are ns, chance is the same in every run.
 *
 * It has some servers, takes so many requests at a time (tags), and the queue
 * has so many requests in all; the rest is up to the caller's functions.
 */
#ifndef TESTS_UNIT_MADE_DISK_H
#define TESTS_UNIT_MADE_DISK_H

#include "base/array.h"
#include "base/heap.h"
#include "make.h"
#include "request/io.h"
#include "run/device.h"

#define US 1000ULL
#define MS 1000000ULL
#define SECOND 1000000000ULL

struct made {
	uint64_t queued;	/* set by who makes it, with what follows */
	enum io_op op;
	uint64_t sector, bytes;
	uint32_t pid, cpu;
	uint64_t plug;		/* ns in a plug; 0: hardly */
	uint64_t throttled;	/* ns before it may ask for a request */
	uint16_t error;
	bool part, requeued, open, gap, gone;

	uint64_t got, inserted, issued, done;	/* set by the disk */
	uint32_t cpu_done, depth;
};

struct made_disk {
	uint64_t seed, first_seed;	/* now; and at first, for the same use */
	uint32_t servers, tags, requests, cpus;
	bool no_scheduler;	/* requests are not inserted */
	bool stacked;		/* it makes no requests: Q and C only */
	uint64_t ends;		/* when its trace ends; 0: with its last event */
	/* what a request takes from now on; by default about 400 us */
	uint64_t (*service)(struct made_disk *d, const struct made *m,
			    uint64_t now);
	/* whether the scheduler holds it back */
	bool (*holds)(struct made_disk *d, const struct made *m, uint64_t now);
	/* the program that waits for each: what it does next, false: nothing */
	bool (*next)(struct made_disk *d, const struct made *m, uint64_t now,
		     struct made *next);
	uint32_t complete_on;	/* a CPU, or UINT32_MAX: where it came from */
	uint64_t until;		/* for these functions' use */

	struct made *list;
	size_t count, size;

	/* while it runs */
	struct heap events;
	uint64_t stamp, free_at[64];
	uint32_t in_use, under_way;
	uint32_t *waiting;	/* without a request */
	uint32_t *queue;	/* in the scheduler */
	size_t waiting_count, waiting_first, queue_count, queue_first;
};

/* --- chance -------------------------------------------------------------- */

/* above 0, up to 1 */
static inline double made_chance(struct made_disk *d)
{
	return (chance(&d->seed) + 1.0) / 2147483648.0;
}

static inline double made_between(struct made_disk *d, double a, double b)
{
	return a + made_chance(d) * (b - a);
}

static inline double made_log(double x)
{
	double sum = 0, z, power;

	for (; x < 0.75; x *= 2)
		sum -= 0.69314718055994531;
	z = power = (x - 1) / (x + 1);
	for (int i = 1; i < 12; i += 2, power *= z * z)
		sum += 2 * power / i;
	return sum;
}

/* how long until the next of so many a second */
static inline uint64_t made_gap(struct made_disk *d, double rate)
{
	return (uint64_t)(-made_log(made_chance(d)) / rate * 1e9);
}

/* around middle, in most cases within a third */
static inline uint64_t made_around(struct made_disk *d, uint64_t middle)
{
	double normal = -6, x;

	for (int i = 0; i < 12; i++)
		normal += made_chance(d);
	x = 1 + 0.3 * normal / 1024;
	for (int i = 0; i < 10; i++)
		x *= x;
	return (uint64_t)((double)middle * x);
}

/* --- the queue ----------------------------------------------------------- */

enum made_kind { MADE_ARRIVE, MADE_INSERT, MADE_POKE, MADE_DONE, MADE_KINDS };

static inline void made_push(struct made_disk *d, uint64_t time,
			     enum made_kind kind, size_t i)
{
	struct order key = { time, 0, d->stamp++ };

	assert_int_equal(heap_push(&d->events, &key,
				   (uint32_t)(i * MADE_KINDS + kind)), 0);
}

static inline struct made *made_add(struct made_disk *d, struct made m)
{
	struct made *list = array_reserve(d->list, d->count, &d->size, 1024,
					  sizeof(*list));

	assert_non_null(list);
	d->list = list;
	list[d->count] = m;
	return &list[d->count++];
}

static inline void made_start(struct made_disk *d, uint64_t now)
{
	while (d->queue_first < d->queue_count && d->under_way < d->tags) {
		uint32_t i = d->queue[d->queue_first], s = 0;
		struct made *m = &d->list[i];
		uint64_t begin;

		if (d->holds && d->holds(d, m, now)) {
			made_push(d, now + 100 * US, MADE_POKE, i);
			return;
		}
		d->queue_first++;
		m->depth = ++d->under_way;
		m->issued = now;
		for (uint32_t k = 1; k < d->servers; k++)
			if (d->free_at[k] < d->free_at[s])
				s = k;
		begin = now > d->free_at[s] ? now : d->free_at[s];
		d->free_at[s] = begin + (d->service
			? d->service(d, m, begin) : made_around(d, 400 * US));
		made_push(d, d->free_at[s], MADE_DONE, i);
	}
}

static inline void made_get(struct made_disk *d, size_t i, uint64_t now)
{
	struct made *m = &d->list[i];

	d->in_use++;
	m->got = now;
	made_push(d, now + (m->plug ? m->plug : 1500), MADE_INSERT, i);
}

static inline void made_done(struct made_disk *d, size_t i, uint64_t now)
{
	struct made *m = &d->list[i], next = { 0 };

	d->in_use--;
	d->under_way--;
	m->done = now;
	m->cpu_done = d->complete_on == UINT32_MAX ? m->cpu : d->complete_on;
	if (d->waiting_first < d->waiting_count)
		made_get(d, d->waiting[d->waiting_first++], now + 500);
	made_start(d, now + 700);
	if (d->next && d->next(d, m, now, &next)) {
		uint64_t when = next.queued;

		made_add(d, next);
		made_push(d, when, MADE_ARRIVE, d->count - 1);
	}
}

static inline void made_event(struct made_disk *d, enum made_kind kind,
			      size_t i, uint64_t now)
{
	if (kind == MADE_DONE) {
		made_done(d, i, now);
	} else if (kind == MADE_POKE) {
		made_start(d, now);
	} else if (kind == MADE_INSERT) {
		d->list[i].inserted = now;
		d->queue[d->queue_count++] = (uint32_t)i;
		made_start(d, now + 1000);
	} else if (d->list[i].throttled) {
		made_push(d, now + d->list[i].throttled, MADE_ARRIVE, i);
		d->list[i].throttled = 0;
	} else if (d->in_use < d->requests) {
		made_get(d, i, now + 800);
	} else {
		d->waiting[d->waiting_count++] = (uint32_t)i;
	}
}

enum { MADE_MOST = 1 << 18 };

static inline void made_run(struct made_disk *d)
{
	d->waiting = calloc(MADE_MOST, sizeof(*d->waiting));
	d->queue = calloc(MADE_MOST, sizeof(*d->queue));
	for (size_t i = 0; i < d->count; i++)
		made_push(d, d->list[i].queued, MADE_ARRIVE, i);
	while (heap_top(&d->events)) {
		uint64_t now = heap_top(&d->events)->key.time;
		uint32_t what = heap_pop(&d->events);

		assert_true(d->count < MADE_MOST);
		made_event(d, what % MADE_KINDS, what / MADE_KINDS, now);
	}
	free(d->waiting);
	free(d->queue);
	heap_free(&d->events);
}

/* --- records ------------------------------------------------------------- */

static inline void made_phase(struct io *io, enum io_phase phase, uint64_t ns)
{
	io->has |= 1U << phase;
	io->phase[phase] = ns;
}

static inline struct io made_blank(const struct device *disk, uint64_t id)
{
	return (struct io){
		.id = id, .birth = 'Q', .disk = disk, .total = IO_NONE,
		.issued = IO_NONE, .served = IO_NONE, .plug = IO_NONE,
		.zplug = IO_NONE, .at = IO_NONE, .cpu_d = IO_NO_CPU,
		.cpu_c = IO_NO_CPU, .ended = IO_ENDED_OPEN,
	};
}

/* of a device without requests */
static inline void made_bare(struct io *io, const struct made *m)
{
	io->rq = 0;
	io->rq_bytes = io->issues = io->requeues = io->rq_ios = 0;
	io->cpu_d = IO_NO_CPU;
	if (m->open)
		return;
	made_phase(io, IO_REST, m->done - m->queued);
	io->total = m->done - m->queued;
	io->ended = IO_ENDED_C;
	io->cpu_c = m->cpu_done;
}

static inline void made_phases(struct io *io, const struct made *m,
			       bool inserted)
{
	made_phase(io, IO_Q2G, m->got - m->queued);
	if (inserted) {
		made_phase(io, IO_G2I, m->inserted - m->got);
		made_phase(io, IO_I2D, m->issued - m->inserted);
	} else {
		made_phase(io, IO_G2D, m->issued - m->got);
	}
	if (m->requeued)
		made_phase(io, IO_REQUEUE, 100 * US);
	io->issued = m->issued + (m->requeued ? 100 * US : 0);
	if (m->open)
		return;
	made_phase(io, IO_D2C, m->done - io->issued);
	io->total = m->done - m->queued;
	io->served = m->done;
	io->ended = IO_ENDED_C;
	io->cpu_c = m->cpu_done;
}

/* the record of one, as request/joiner would make it */
static inline struct io made_io(const struct made_disk *d,
				const struct device *disk, size_t i)
{
	const struct made *m = &d->list[i];
	bool flush = m->op == IO_FLUSH_OP;
	struct io io = made_blank(disk, i + 1);

	io.kind = m->part ? IO_PART : flush ? IO_FLUSH : IO_BIO;
	io.birth = m->part ? 'X' : flush ? 'D' : 'Q';
	io.rq = io.id;
	io.op = m->op;
	io.categories = flush ? CAT(FLUSH) : 0;
	io.sector = m->sector;
	io.bytes = io.rq_bytes = m->bytes;
	io.pid = m->pid;
	io.cpu = io.cpu_d = m->cpu;
	io.error = m->error;
	io.gap = m->gap;
	io.time = m->queued;
	io.rq_ios = 1;
	io.depth = m->depth;
	io.issues = 1 + m->requeued;
	io.requeues = m->requeued;
	if (d->stacked)
		made_bare(&io, m);
	else
		made_phases(&io, m, !d->no_scheduler);
	return io;
}

static inline void made_free(struct made_disk *d)
{
	free(d->list);
	d->list = NULL;
}

#endif
