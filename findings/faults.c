/* SPDX-License-Identifier: GPL-2.0-only */
/* What went wrong; see faults.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "findings/faults.h"
#include "request/io.h"

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

static void add_failed(struct faults *f, const struct io *io)
{
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
static bool is_whole(const struct io *io)
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
	if (io_completed(io) && io->kind != IO_PASS && !is_whole(io))
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
