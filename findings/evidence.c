/* SPDX-License-Identifier: GPL-2.0-only */
/* What is gathered of a device; see evidence.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/hint.h"
#include "base/histogram.h"
#include "base/wide.h"
#include "blktrace.h"
#include "findings/evidence.h"
#include "findings/processes.h"
#include "findings/served.h"
#include "request/io.h"
#include "run/device.h"

/* --- cpus ----------------------------------------------------------------- */

static uint32_t index_of(uint32_t cpu)
{
	return cpu < CPUS_SEEN ? cpu : CPUS_SEEN - 1;
}

/* a request with data that completed */
static void cpus_add(struct cpus *c, const struct io *io)
{
	if (io->cpu_d == IO_NO_CPU || io->cpu_c == IO_NO_CPU)
		return;
	c->issues[index_of(io->cpu_d)]++;
	c->completions[index_of(io->cpu_c)]++;
	c->count++;
}

void cpus_share(const struct cpus *c, struct cpus_share *share)
{
	struct wide sum = { 0, 0 };

	*share = (struct cpus_share){ 0 };
	for (uint32_t i = 0; i < CPUS_SEEN; i++) {
		wide_join(&sum, wide_product(c->issues[i], c->issues[i]));
		share->issuers += c->issues[i] > 0;
		if (c->completions[i] > share->completions) {
			share->completions = c->completions[i];
			share->cpu = i;
		}
	}
	share->issues = c->issues[share->cpu];
	if (!wide_is_zero(sum))
		share->alike = wide_divide(
			wide_times(wide_product(c->count, c->count), 1000),
			sum, NULL).low;
}

/* --- delays --------------------------------------------------------------- */

static const uint64_t LONG = 1000000;	/* ns */

static bool add_where(struct delays *w, const struct io *io,
		      enum delays_where where, enum io_phase phase)
{
	bool is_long;

	if (!(io->has & 1U << phase))
		return false;
	is_long = io->phase[phase] >= LONG;
	wide_add(&w->sums[where], io->phase[phase]);
	w->counts[where]++;
	w->often[where] += is_long;
	return is_long;
}

/* a request that completed; whether it stayed in a plug for long */
static bool delays_add(struct delays *w, const struct io *io)
{
	bool plugged;

	if (io->birth == 'Q' || io->birth == 'X')
		wide_add(&w->total, io->total);
	add_where(w, io, DELAYS_REQUEST, IO_Q2G);
	add_where(w, io, DELAYS_SCHEDULER, IO_I2D);
	plugged = add_where(w, io, DELAYS_PLUG, IO_G2I);
	if (plugged && io->rq_ios)
		w->gained += io->rq_ios - 1;
	return plugged;
}

/* --- shape ---------------------------------------------------------------- */

enum {
	SMALL = 16384,		/* bytes of a piece, at most */
	LARGE = 65536,		/* of a write that others may wait for */
	PAGE = 4096,		/* the border that processes are counted by */
};

static void shape_free(struct shape *h)
{
	histogram_free(&h->part_sizes);
	histogram_free(&h->streams[0].sizes);
	histogram_free(&h->streams[1].sizes);
}

/* an io that was split: its parts are records of their own */
static void shape_parent(struct shape *h)
{
	h->parents++;
}

static int add_part(struct shape *h, struct processes *p,
		    const struct served *s)
{
	h->parts++;
	/* no process waits for writeback */
	if (p->list[s->process].kworker)
		return 0;
	h->part_bytes += s->bytes;
	processes_count(p, s->process, PROCESSES_PARTS);
	return histogram_add(&h->part_sizes, s->bytes);
}

static void add_write(struct shape *h, struct processes *p,
		      const struct served *s)
{
	uint64_t both = s->sector | s->bytes >> 9 | 1 << (SHAPE_BORDERS - 1);

	h->writes++;
	h->write_bytes += s->bytes;
	h->kworker_bytes += p->list[s->process].kworker ? s->bytes : 0;
	if (s->bytes >= LARGE)
		processes_count(p, s->process, PROCESSES_LARGE_WRITES);
	h->borders[s->bytes % 512 ? 0 : __builtin_ctzll(both)]++;
	if (s->sector % (PAGE / 512) || s->bytes % PAGE)
		processes_count(p, s->process, PROCESSES_MISALIGNED);
}

/* a request with data, also counted in processes; 0, or -ENOMEM */
static int shape_add(struct shape *h, struct processes *p,
		     const struct served *s, const struct io *io)
{
	h->count++;
	h->bytes += s->bytes;
	p->list[processes_first(p, s->process)].bytes += s->bytes;
	p->list[processes_first(p, s->process)].held += served_device_time(s);
	processes_count(p, s->process, PROCESSES_ALL);
	/* the devices below decide about bios */
	if (UNLIKELY(s->bare))
		return 0;
	if (s->op == SERVED_WRITE)
		add_write(h, p, s);
	if (s->op <= SERVED_WRITE && io->rq_ios)
		h->streams[s->op].merged += io->rq_ios - 1;
	return s->part ? add_part(h, p, s) : 0;
}

/* the same, in queueing order; 0, or -ENOMEM */
static int shape_in_order(struct shape *h, struct processes *p,
			  const struct served *s)
{
	struct process *who = &p->list[s->process];
	struct shape_stream *stream;
	uint64_t next;

	if (s->op > SERVED_WRITE || s->bare)
		return 0;
	stream = &h->streams[s->op];
	stream->count++;
	next = who->next[s->op];
	who->next[s->op] = s->process == PROCESSES_OTHERS
		? UINT64_MAX : s->sector + (s->bytes >> 9);
	if (s->bytes > SMALL || s->sector != next)
		return 0;
	stream->sequential++;
	processes_count(p, s->process, s->op == SERVED_READ
				   ? PROCESSES_SEQUENTIAL_READS
				   : PROCESSES_SEQUENTIAL_WRITES);
	return histogram_add(&stream->sizes, s->bytes);
}

uint64_t shape_misaligned(const struct shape *h, uint32_t block)
{
	uint64_t sum = 0;

	for (int i = 0; i < SHAPE_BORDERS && 512ULL << i < block; i++)
		sum += h->borders[i];
	return sum;
}

uint64_t shape_part_size(const struct shape *h)
{
	uint64_t count, most = 0, size = 0;
	int cell = -1;

	while (histogram_next(&h->part_sizes, &cell, &count))
		if (count > most) {
			most = count;
			size = histogram_cell_low((unsigned int)cell);
		}
	return size;
}

/* --- evidence ------------------------------------------------------------- */

int evidence_new(struct evidence **e, const struct device *disk,
		 findings_name *name, const void *names)
{
	*e = calloc(1, sizeof(**e));
	if (!*e)
		return -ENOMEM;
	(*e)->disk = disk;
	(*e)->processes.name = name;
	(*e)->processes.names = names;
	(*e)->processes.origin = disk->origin;
	return 0;
}

/* --- in order of time ---------------------------------------------------- */

static APART int see_begun(struct evidence *e, const struct served *s)
{
	int err = flight_begun(&e->flight, s, e->recent.now);

	if (!err && s->data)
		err = shape_in_order(&e->shape, &e->processes, s);
	if (!err && s->data)
		err = behind_add(&e->behind, &e->processes, s);
	return err;
}

/* What comes next of the way; 1, 0 if that was all, or -ENOMEM. */
static inline int sweep_one(struct evidence *e, struct recent_way *w)
{
	struct recent *r = &e->recent;
	const struct served *s;

	switch (recent_which(w)) {
	case SERVED_BEGUN:
		s = recent_take(r, w, SERVED_BEGUN);
		return see_begun(e, s) ? -ENOMEM : 1;
	case SERVED_WAITS:
		recent_take(r, w, SERVED_WAITS);
		flight_ready(&e->flight, r->now);
		return 1;
	case SERVED_ISSUED:
		s = recent_take(r, w, SERVED_ISSUED);
		flight_issued(&e->flight, s, r->now);
		return 1;
	case SERVED_DONE:
		s = recent_take(r, w, SERVED_DONE);
		return flight_done(&e->flight, s, r->now) ? -ENOMEM : 1;
	default:
		return 0;
	}
}

static int sweep(struct evidence *e, uint64_t until)
{
	struct recent_way w;
	int got;

	if (!e->recent.count)
		return 0;
	w = recent_start(&e->recent, until);
	do
		got = sweep_one(e, &w);
	while (got > 0);
	recent_stop(&e->recent, &w);
	return got;
}

static int hold(struct evidence *e, const struct served *s)
{
	int err;

	if (recent_full(&e->recent)) {
		err = sweep(e, recent_oldest_end(&e->recent));
		if (err)
			return err;
		recent_drop(&e->recent);
	}
	recent_add(&e->recent, s);
	return 0;
}

/* --- as they end --------------------------------------------------------- */

static int add_slow(struct evidence *e, const struct served *s)
{
	uint64_t usual;
	int err = times_usual_of_all(&e->times, &usual);

	return err ? err : rhythm_add(&e->rhythm, s, usual);
}

/* evidence from the time of a request */
static int add_times(struct evidence *e, const struct served *s)
{
	uint64_t usual = times_usual(&e->times, s);
	int err = times_add(&e->times, s);

	if (usual)
		regions_add(&e->regions, s, usual);
	return err || served_device_time(s) < RHYTHM_SLOW ? err
							   : add_slow(e, s);
}

static int add_data(struct evidence *e, const struct served *s,
		    const struct io *io)
{
	int err = add_times(e, s);

	if (!err)
		err = shape_add(&e->shape, &e->processes, s, io);
	if (s->bare)
		return err;
	if (delays_add(&e->delays, io))
		processes_count(&e->processes, s->process, PROCESSES_PLUGGED);
	cpus_add(&e->cpus, io);
	return err;
}

static int add_served(struct evidence *e, struct served *s, const struct io *io)
{
	int err;

	stalls_add(&e->stalls, s);
	if (UNLIKELY(!s->data))
		return hold(e, s);
	if (s->op <= SERVED_WRITE)
		stalls_add(&e->stalls_of[s->op], s);
	err = add_data(e, s, io);
	return err ? err : hold(e, s);
}

/* whoever asked for a flush, and whose io failed */
static void add_process(struct evidence *e, const struct io *io,
			uint32_t process)
{
	if (faults_failed(io))
		processes_count(&e->processes, process, PROCESSES_ERRORS);
	if (io->kind == IO_BIO && io->categories & BLK_TC_BIT(BLK_TC_FLUSH)) {
		processes_count(&e->processes, process, PROCESSES_FLUSHES);
		e->flushes++;
	}
}

int evidence_add(struct evidence *e, const struct io *io)
{
	struct served s;
	int process = processes_find(&e->processes, io->pid);
	int err = process < 0 ? process : faults_add(&e->faults, io);

	if (UNLIKELY(err))
		return err;
	add_process(e, io, (uint32_t)process);
	err = course_add(&e->course, &e->processes, (uint32_t)process, io);
	if (UNLIKELY(err))
		return err;
	if (io->has & 1U << IO_Q2X)
		shape_parent(&e->shape);
	if (UNLIKELY(!served_from_io(&s, io)))
		return 0;
	s.process = (uint32_t)process;
	return add_served(e, &s, io);
}

int evidence_end(struct evidence *e, uint64_t from, uint64_t to)
{
	int err = sweep(e, UINT64_MAX);

	e->from = from;
	e->to = to;
	faults_end(&e->faults);
	stalls_end(&e->stalls, &e->faults.open, to);
	if (!err)
		err = times_end(&e->times);
	if (!err)
		err = changes_find(&e->changes, &e->course);
	return err ? err : rhythm_end(&e->rhythm);
}

uint64_t evidence_length(const struct evidence *e)
{
	return e->to > e->from ? e->to - e->from : 1;
}

void evidence_free(struct evidence *e)
{
	if (!e)
		return;
	behind_free(&e->behind);
	faults_free(&e->faults);
	flight_free(&e->flight);
	course_free(&e->course);
	processes_clear(&e->processes);
	rhythm_free(&e->rhythm);
	shape_free(&e->shape);
	times_free(&e->times);
	free(e);
}
