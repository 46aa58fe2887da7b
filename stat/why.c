/* SPDX-License-Identifier: GPL-2.0-only */
/* Why one I/O took so long; see why.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stat/why.h"

struct why {
	why_name *name;
	const void *ctx;
	struct why_io *list;	/* a ring of size, by ends */
	size_t size, first, count;
	uint64_t dropped;
};

int why_new(struct why **w, why_name *name, const void *ctx)
{
	*w = calloc(1, sizeof(**w));
	if (!*w)
		return -ENOMEM;
	(*w)->name = name;
	(*w)->ctx = ctx;
	return 0;
}

void why_free(struct why *w)
{
	if (w)
		free(w->list);
	free(w);
}

uint64_t why_dropped(const struct why *w)
{
	return w->dropped;
}

/* --- the past ------------------------------------------------------------- */

static struct why_io *at(const struct why *w, size_t i)
{
	return &w->list[(w->first + i) % w->size];
}

static void drop_first(struct why *w)
{
	w->first = (w->first + 1) % w->size;
	w->count--;
}

/* in a new, larger one they begin at 0 */
static int grow(struct why *w)
{
	size_t size = w->size ? 2 * w->size : 1024;
	struct why_io *list = malloc(size * sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < w->count; i++)
		list[i] = *at(w, i);
	free(w->list);
	w->list = list;
	w->size = size;
	w->first = 0;
	return 0;
}

static int make_room(struct why *w)
{
	if (w->count < w->size)
		return 0;
	if (w->size < WHY_MOST)
		return grow(w);
	w->dropped++;
	drop_first(w);
	return 0;
}

static uint64_t done_of(const struct io *io, uint64_t end)
{
	uint64_t done = io->issued + io->phase[IO_D2C];

	if (io->issued == IO_NONE || !(io->has & 1U << IO_D2C))
		return end;
	return done < end ? done : end;
}

static struct why_io make_io(const struct io *io, uint64_t now)
{
	uint64_t end = io_completed(io) ? io->time + io->total : now;
	struct why_io o = {
		.id = io->id, .parent = io->parent, .rq = io->rq,
		.time = io->time, .end = end, .issued = io->issued,
		.done = done_of(io, end), .sector = io->sector,
		.bytes = io->bytes, .disk = io->disk, .pid = io->pid,
		.has = io->has & ((1U << IO_PHASES) - 1), .depth = io->depth,
		.origin = io->origin, .op = (uint8_t)io->op,
		.open = !io_completed(io),
	};

	/* a device without requests has it from the start */
	if (!io->rq && io->bio_based)
		o.issued = io->time;
	memcpy(o.phase, io->phase, sizeof(o.phase));
	return o;
}

static int keep(struct why *w, const struct io *io, uint64_t now)
{
	int err = make_room(w);

	if (!err)
		*at(w, w->count++) = make_io(io, now);
	return err;
}

int why_add(struct why *w, const struct io *io, uint64_t oldest)
{
	while (w->count && at(w, 0)->end < oldest)
		drop_first(w);
	return io_completed(io) ? keep(w, io, 0) : 0;
}

int why_add_open(struct why *w, const struct io *io, uint64_t now)
{
	return keep(w, io, now);
}

/* --- steps ---------------------------------------------------------------- */

/* whose turn it was: requests at the device, not those merged into them */
static bool has_device(const struct why_io *o)
{
	return (o->rq == o->id || !o->rq) && o->issued != IO_NONE;
}

static bool is_same(const struct why *w, const struct why_who *a,
		    const struct why_io *o)
{
	const char *x, *y;

	if (a->disk != o->disk || a->op != o->op)
		return false;
	if (a->origin == o->origin && a->pid == o->pid)
		return true;
	x = w->name(w->ctx, a->origin, a->pid);
	y = w->name(w->ctx, o->origin, o->pid);
	return x && y && !strcmp(x, y);
}

static struct why_who who_of(const struct why_io *o)
{
	return (struct why_who){ .disk = o->disk, .pid = o->pid,
				 .origin = o->origin, .op = o->op };
}

/* groups of those that had the device; later ones than the first 16 are not
 * the most */
struct tally {
	struct why_who who[16];
	uint32_t counts[16];
	uint32_t count;
};

static void count_one(const struct why *w, struct tally *t,
		      const struct why_io *o)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (is_same(w, &t->who[i], o)) {
			t->counts[i]++;
			return;
		}
	if (t->count == sizeof(t->counts) / sizeof(t->counts[0]))
		return;
	t->who[t->count] = who_of(o);
	t->counts[t->count++] = 1;
}

static void set_most(struct why_step *s, const struct tally *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->counts[i] > s->most) {
			s->most = t->counts[i];
			s->who = t->who[i];
		}
}

/* whether it had the device for some of the step; in the device itself: when
 * that began */
static bool had_device(const struct why_io *o, const struct why_step *s)
{
	uint64_t until = s->phase == IO_D2C ? s->from : s->from + s->ns;

	return o->disk == s->disk && has_device(o) && o->issued <= until &&
	       o->done > s->from && (s->phase == IO_D2C || o->issued < until);
}

static void find_others(const struct why *w, const struct why_io *self,
			struct why_step *s)
{
	struct tally t = { .count = 0 };

	for (size_t i = 0; i < w->count; i++) {
		const struct why_io *o = at(w, i);

		if (o->id == self->id || o->id == self->rq ||
		    !had_device(o, s))
			continue;
		s->others++;
		count_one(w, &t, o);
	}
	set_most(s, &t);
	s->depth = self->depth;
}

/* what is spent beside the device says nothing about those in it */
static bool is_wait(enum io_phase phase)
{
	return phase == IO_Q2G || phase == IO_G2D || phase == IO_I2D ||
	       phase == IO_M2D || phase == IO_D2C;
}

static void add_step(const struct why *w, struct why_answer *a,
		     const struct why_io *io, enum io_phase phase,
		     uint64_t from, uint64_t ns)
{
	struct why_step *s;

	if (!ns)
		return;
	s = a->step_count ? &a->steps[a->step_count - 1] : NULL;
	/* goes on, or there is no room for another one */
	if (s && (a->step_count == WHY_STEPS ||
		  (s->phase == phase && s->disk == io->disk))) {
		s->ns += ns;
		return;
	}
	s = &a->steps[a->step_count++];
	*s = (struct why_step){ .phase = phase, .disk = io->disk,
				.from = from, .ns = ns };
	if (is_wait(phase))
		find_others(w, io, s);
}

/* the I/O below, or the part, that it waited for: the last to end */
static const struct why_io *last_below(const struct why *w,
				       const struct why_io *io)
{
	const struct why_io *last = NULL;

	for (size_t i = 0; i < w->count; i++) {
		const struct why_io *o = at(w, i);

		if (o->parent == io->id && !o->open &&
		    (!last || o->end > last->end))
			last = o;
	}
	return last;
}

enum { DEEPEST = 8 };

static void add_steps(const struct why *w, struct why_answer *a,
		      const struct why_io *io, unsigned int depth);

/* The time below, by what is below; false: that does not fit into it. */
static bool add_below(const struct why *w, struct why_answer *a,
		      const struct why_io *io, enum io_phase phase,
		      uint64_t from, uint64_t ns, unsigned int depth)
{
	const struct why_io *below = depth < DEEPEST ? last_below(w, io) : NULL;

	if (!below || below->time < from || below->end > from + ns)
		return false;
	add_step(w, a, io, phase == IO_LOWER ? IO_Q2A : IO_Q2X, from,
		 below->time - from);
	add_steps(w, a, below, depth + 1);
	add_step(w, a, io, phase == IO_LOWER ? IO_A2C : IO_X2C, below->end,
		 from + ns - below->end);
	return true;
}

/* of one in flight: what it does since its last event */
static enum io_phase phase_now(const struct why_io *io)
{
	static const struct {
		enum io_phase has, then;
	} order[] = {
		{ IO_Q2A, IO_LOWER }, { IO_I2D, IO_D2C }, { IO_G2D, IO_D2C },
		{ IO_M2D, IO_D2C }, { IO_G2I, IO_I2D }, { IO_Q2M, IO_M2D },
		{ IO_Q2G, IO_G2D },
	};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (io->has & 1U << order[i].has)
			return order[i].then;
	return io->issued != IO_NONE ? IO_D2C : IO_REST;
}

static void add_steps(const struct why *w, struct why_answer *a,
		      const struct why_io *io, unsigned int depth)
{
	uint64_t from = io->time;

	for (int p = 0; p < IO_PHASES; p++) {
		uint64_t ns = io->phase[p];

		if (!(io->has & 1U << p))
			continue;
		if ((p != IO_LOWER && p != IO_X2C) ||
		    !add_below(w, a, io, p, from, ns, depth))
			add_step(w, a, io, p, from, ns);
		from += ns;
	}
	if (io->open && io->end > from)
		add_step(w, a, io, phase_now(io), from, io->end - from);
}

void why_explain(const struct why *w, const struct io *io, uint64_t now,
		 struct why_answer *a)
{
	*a = (struct why_answer){ .io = make_io(io, now) };
	add_steps(w, a, &a->io, 0);
}

/* --- crowds --------------------------------------------------------------- */

static bool is_below(const struct why_answer *a, const struct device *disk)
{
	for (uint32_t i = 0; i < a->step_count; i++)
		if (a->steps[i].disk == disk)
			return true;
	return disk == a->io.disk;
}

/* ns in flight at the same time */
static uint64_t overlap(const struct why_answer *a, const struct why_io *o)
{
	uint64_t from = o->time > a->io.time ? o->time : a->io.time;
	uint64_t until = o->end < a->io.end ? o->end : a->io.end;

	return until > from ? until - from : 0;
}

static bool was_beside(const struct why_answer *a, const struct why_io *o)
{
	return o->id != a->io.id && is_below(a, o->disk) && overlap(a, o);
}

static struct why_crowd *crowd_of(const struct why *w, struct why_answer *a,
				  uint32_t i)
{
	const struct why_io *o = at(w, i);

	for (uint32_t k = 0; k < a->crowd_count; k++)
		if (is_same(w, &a->crowds[k].who, o))
			return &a->crowds[k];
	if (a->crowd_count == WHY_CROWDS)
		return NULL;
	a->crowds[a->crowd_count] = (struct why_crowd){ .who = who_of(o),
							.first = i };
	return &a->crowds[a->crowd_count++];
}

static int by_overlap(const void *a, const void *b)
{
	const struct why_crowd *x = a, *y = b;

	if (x->overlap != y->overlap)
		return x->overlap > y->overlap ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

void why_crowds(const struct why *w, struct why_answer *a)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct why_io *o = at(w, i);
		struct why_crowd *c;

		if (!was_beside(a, o))
			continue;
		c = crowd_of(w, a, i);
		if (!c) {
			a->crowd_more++;
			continue;
		}
		c->count++;
		c->bytes += o->bytes;
		c->overlap += overlap(a, o);
	}
	qsort(a->crowds, a->crowd_count, sizeof(a->crowds[0]), by_overlap);
}

/* the column of a time, below count */
static uint32_t column_of(const struct why_answer *a, uint32_t count,
			  uint64_t time)
{
	uint64_t all = a->io.end - a->io.time, since = time - a->io.time;
	double part = (double)since / (double)(all ? all : 1) * count;

	return part < count ? (uint32_t)part : count - 1;
}

void why_columns(const struct why *w, const struct why_answer *a,
		 const struct why_crowd *crowd, uint32_t count,
		 uint32_t *columns)
{
	memset(columns, 0, count * sizeof(*columns));
	for (uint32_t i = crowd->first; i < w->count; i++) {
		const struct why_io *o = at(w, i);
		uint32_t from, until;

		if (!was_beside(a, o) || !is_same(w, &crowd->who, o))
			continue;
		from = column_of(a, count, o->time > a->io.time ? o->time
								: a->io.time);
		until = column_of(a, count, o->end < a->io.end ? o->end
							       : a->io.end);
		for (uint32_t k = from; k <= until; k++)
			columns[k]++;
	}
}
