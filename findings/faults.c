/* SPDX-License-Identifier: GPL-2.0-only */
/* What went wrong; see faults.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "findings/faults.h"
#include "findings/served.h"
#include "request/io.h"

/* --- faults --------------------------------------------------------------- */

void faults_free(struct faults *f)
{
	free(f->open.times);
}

/* A discard may be refused, and a command of a program tried in vain. */
bool faults_failed(const struct io *io)
{
	return io->error && io->op != IO_DISCARD && io->kind != IO_PASS &&
	       io_completed(io);
}

static void count_error(struct faults *f, uint16_t error)
{
	int i = 0;

	while (i < FAULTS_ERRORS && f->errors[i].count &&
	       f->errors[i].error != error)
		i++;
	f->errors[i].error = i < FAULTS_ERRORS ? error : 0;
	f->errors[i].count++;
}

static void note_failed_at(struct faults *f, uint64_t end)
{
	if (!f->failed || end < f->from)
		f->from = end;
	if (end > f->until)
		f->until = end;
}

static void add_failed(struct faults *f, const struct io *io)
{
	note_failed_at(f, io->time + io->total);
	uint64_t sectors = io->bytes >> 9, end = io->sector + sectors;

	if (end < io->sector)
		end = UINT64_MAX;
	if (!f->failed || io->sector < f->first)
		f->first = io->sector;
	if (!f->failed || end > f->last)
		f->last = end;
	f->failed++;
	wide_add(&f->lost, io->total);
	count_error(f, io->error);
}

static void note_oldest(struct open_ios *o, const struct io *io)
{
	uint64_t issued = io->issued != IO_NONE ? io->issued : io->time;

	if (!o->count || issued < o->issued)
		o->issued = issued;
	if (io->time > o->newest)
		o->newest = io->time;
	if (o->count && io->time >= o->oldest)
		return;
	o->oldest = io->time;
	o->sector = io->sector;
	o->pid = io->pid;
	o->op = (uint8_t)io->op;
}

static int add_open(struct open_ios *o, const struct io *io)
{
	uint64_t *times;

	note_oldest(o, io);
	o->count++;
	if (o->kept == FAULTS_OPEN)
		return 0;
	times = array_reserve(o->times, o->kept, &o->size, 16, sizeof(*times));
	if (!times)
		return -ENOMEM;
	o->times = times;
	times[o->kept++] = io->time;
	return 0;
}

/* whether parts stand for it */
static bool is_parent(const struct io *io)
{
	return io->has & 1U << IO_Q2X;
}

static void add_completed(struct faults *f, const struct io *io)
{
	uint64_t end = io->time + io->total;

	f->completed++;
	f->measured += !io->gap;
	if (io->total > f->longest && !io->gap && io->sure)
		f->longest = io->total;
	if (end > f->last_end)
		f->last_end = end;
	if (faults_failed(io))
		add_failed(f, io);
}

/*
 * How often a request that had been issued came back: the kernel also requeues
 * requests that it never issued, and each D but the first follows one that did
 * not last.
 */
static uint32_t pushed_back(const struct io *io)
{
	uint32_t repeats = io->issues ? io->issues - 1 : 0;

	return io->requeues < repeats ? io->requeues : repeats;
}

int faults_add(struct faults *f, const struct io *io)
{
	if (io_leads(io)) {
		f->issues += io->issues;
		f->requeues += pushed_back(io);
		if (io->has & 1U << IO_REQUEUE)
			wide_add(&f->requeued, io->phase[IO_REQUEUE]);
	}
	if (io_completed(io) && io->kind != IO_PASS && !is_parent(io))
		add_completed(f, io);
	return io->ended == IO_ENDED_OPEN && io->kind == IO_BIO
		? add_open(&f->open, io) : 0;
}

static int by_count(const void *a, const void *b)
{
	const struct fault *x = a, *y = b;

	return (x->count < y->count) - (x->count > y->count);
}

void faults_end(struct faults *f)
{
	qsort(f->errors, FAULTS_ERRORS + 1, sizeof(f->errors[0]), by_count);
}

/* --- stalls --------------------------------------------------------------- */

static const uint64_t SHORTEST = 20000000, WAITED = 5000000;	/* ns */

uint64_t stalls_from(const struct stall_gap *g)
{
	return g->issued > g->last ? g->issued : g->last;
}

static uint64_t length(const struct stall_gap *g)
{
	return g->next - stalls_from(g);
}

/* Takes the shortest out, an older one of equals. */
static void evict(struct stalls *l)
{
	uint32_t least = 0;

	for (uint32_t i = 1; i < l->count; i++)
		if (length(&l->gaps[i]) < length(&l->gaps[least]))
			least = i;
	l->count--;
	memmove(l->gaps + least, l->gaps + least + 1,
		(l->count - least) * sizeof(*l->gaps));
}

static void open_gap(struct stalls *l, uint64_t next)
{
	if (l->count == STALLS_MAX)
		evict(l);
	l->gaps[l->count++] = (struct stall_gap){
		.last = l->last, .next = next, .issued = next,
		.begun = { UINT64_MAX, UINT64_MAX, UINT64_MAX },
	};
}

/* begun among the oldest that waited */
static void keep_oldest(struct stall_gap *g, uint64_t begun)
{
	for (int i = 0; i < STALLS_WAITERS; i++) {
		uint64_t other = g->begun[i];

		if (begun < other) {
			g->begun[i] = begun;
			begun = other;
		}
	}
}

/* a request that was open when the gap ended */
static void wait_in(struct stall_gap *g, const struct served *s)
{
	uint64_t begun = s->at[SERVED_BEGUN], issued = s->at[SERVED_ISSUED];

	if (issued < g->issued)
		g->issued = issued;
	if (s->gap && begun < g->next)
		g->hole = true;
	keep_oldest(g, begun);
	if (g->next - begun <= WAITED)
		return;
	g->waiters++;
	g->waited += g->next - (begun > g->last ? begun : g->last);
}

void stalls_add(struct stalls *l, const struct served *s)
{
	uint64_t done = s->at[SERVED_DONE];

	if (l->any && done > l->last && done - l->last >= SHORTEST)
		open_gap(l, done);
	for (uint32_t i = l->count; i--;) {
		if (s->at[SERVED_BEGUN] >= l->gaps[i].next)
			break;
		wait_in(&l->gaps[i], s);
	}
	if (!l->any || done > l->last)
		l->last = done;
	l->any = true;
}

/* Nothing completes any more: shorter than this, that is chance, or how a
 * capture ends. */
static const uint64_t SHORTEST_OPEN = 200000000;	/* ns */

static void wait_until_end(struct stall_gap *g, uint64_t begun)
{
	if (begun >= g->next)
		return;
	keep_oldest(g, begun);
	if (g->next - begun <= WAITED)
		return;
	g->waiters++;
	g->waited += g->next - (begun > g->last ? begun : g->last);
}

void stalls_end(struct stalls *l, const struct open_ios *open, uint64_t to)
{
	uint64_t from = l->last > open->issued ? l->last : open->issued;
	struct stall_gap *g;

	if (!l->any || !open->count || to <= from ||
	    to - from < SHORTEST_OPEN)
		return;
	open_gap(l, to);
	g = &l->gaps[l->count - 1];
	g->open = true;
	g->issued = open->issued;
	for (size_t i = 0; i < open->kept; i++)
		wait_until_end(g, open->times[i]);
}

bool stalls_is_one(const struct stall_gap *g, uint64_t least)
{
	uint64_t third = g->begun[STALLS_WAITERS - 1];

	return !g->hole && length(g) >= least && third < g->next &&
	       g->next - third > least / 4;
}
