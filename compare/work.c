/* SPDX-License-Identifier: GPL-2.0-only */
/* The work of both sides; see work.h. */
#include <math.h>
#include <stdlib.h>

#include "base/histogram.h"
#include "compare/work.h"

enum { SIZES = 65 };

/* a count, and its sum in ns */
struct work_sum {
	uint64_t count;
	struct wide ns;
};

struct side {
	uint64_t count;
	struct wide served;	/* requests times ns at the device */
	struct work_sum class[IO_OPS][SIZES];
	struct work_sum total, phase[IO_PHASES];
};

struct compare_works {
	struct side side[COMPARE_SIDES];
	bool bare;		/* of some ios only the operation is known */
};

struct compare_works *compare_works_new(void)
{
	return calloc(1, sizeof(struct compare_works));
}

void compare_works_free(struct compare_works *w)
{
	free(w);
}

/* sizes up to 2^n bytes, and more than 2^(n-1) */
static unsigned int size_class(uint64_t bytes)
{
	return bytes < 2 ? (unsigned int)bytes :
		65 - (unsigned int)__builtin_clzll(bytes - 1);
}

static void add(struct work_sum *s, uint64_t ns)
{
	s->count++;
	wide_add(&s->ns, ns);
}

void compare_works_add(struct compare_works *w, enum compare_side side,
		       const struct io *io, uint64_t value)
{
	struct side *s = &w->side[side];

	add(&s->class[io->op][size_class(io->bytes)], value);
	if (io->op == IO_FLUSH_OP)
		return;
	s->count++;
	add(&s->total, io->total);
	for (unsigned int i = 0; i < IO_PHASES; i++)
		if (io->has & 1U << i)
			add(&s->phase[i], io->phase[i]);
	if (io_leads(io) && io->issued != IO_NONE && io->served != IO_NONE &&
	    io->served > io->issued)
		wide_add(&s->served, io->served - io->issued);
}

void compare_works_add_all(struct compare_works *w, enum compare_side side,
			   enum io_op op, const struct histogram *h)
{
	struct work_sum *class = &w->side[side].class[op][0];

	w->bare = true;
	if (op != IO_FLUSH_OP)
		w->side[side].count += h->count;
	class->count += h->count;
	wide_join(&class->ns, h->sum);
}

/* --- sums ---------------------------------------------------------------- */

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* whether the larger one is that many times the other */
static bool times(const double of[COMPARE_SIDES], double many)
{
	double low = fmin(of[COMPARE_A], of[COMPARE_B]);
	double high = fmax(of[COMPARE_A], of[COMPARE_B]);

	return high > 0 && high >= low * many;
}

static struct work_sum sum_sizes(const struct side *s, unsigned int op)
{
	struct work_sum all = { .count = 0 };

	for (unsigned int size = 0; size < SIZES; size++) {
		all.count += s->class[op][size].count;
		wide_join(&all.ns, s->class[op][size].ns);
	}
	return all;
}

/* numbers of a side, with flushes */
static double sum_all(const struct side *s)
{
	return (double)(s->count + sum_sizes(s, IO_FLUSH_OP).count);
}

/* how much of all work a class is on one side only */
static void add_other(const struct compare_works *w, const struct work_sum *a,
		      const struct work_sum *b, struct compare_work *sum)
{
	double of_a = ratio((double)a->count, sum_all(&w->side[COMPARE_A]));
	double of_b = ratio((double)b->count, sum_all(&w->side[COMPARE_B]));

	sum->other += fabs(of_b - of_a) / 2;
}

/* what a class does to the mean */
static void add_class(const struct compare_works *w, const struct work_sum *a,
		      const struct work_sum *b, struct compare_work *sum)
{
	double share[COMPARE_SIDES], mean[COMPARE_SIDES];

	if (!a->count && !b->count)
		return;
	share[COMPARE_A] = ratio((double)a->count,
				 (double)w->side[COMPARE_A].count);
	share[COMPARE_B] = ratio((double)b->count,
				 (double)w->side[COMPARE_B].count);
	/* a side that never did it would have done it as the other did */
	mean[COMPARE_A] = a->count ? wide_double(a->ns) / (double)a->count :
				     wide_double(b->ns) / (double)b->count;
	mean[COMPARE_B] = b->count ? wide_double(b->ns) / (double)b->count :
				     mean[COMPARE_A];
	sum->by_work += (share[COMPARE_B] - share[COMPARE_A]) *
			(mean[COMPARE_A] + mean[COMPARE_B]) / 2;
	sum->by_speed += (mean[COMPARE_B] - mean[COMPARE_A]) *
			 (share[COMPARE_A] + share[COMPARE_B]) / 2;
}

static void add_both(const struct compare_works *w, unsigned int op,
		     const struct work_sum *a, const struct work_sum *b,
		     struct compare_work *sum)
{
	add_other(w, a, b, sum);
	if (op != IO_FLUSH_OP)
		add_class(w, a, b, sum);
}

static void add_classes(const struct compare_works *w,
			struct compare_work *sum)
{
	for (unsigned int op = 0; op < IO_OPS; op++)
		for (unsigned int size = 0; size < SIZES; size++)
			add_both(w, op, &w->side[COMPARE_A].class[op][size],
				 &w->side[COMPARE_B].class[op][size], sum);
}

/* the same when sizes are not known everywhere */
static void add_ops(const struct compare_works *w, struct compare_work *sum)
{
	for (unsigned int op = 0; op < IO_OPS; op++) {
		struct work_sum a = sum_sizes(&w->side[COMPARE_A], op);
		struct work_sum b = sum_sizes(&w->side[COMPARE_B], op);

		add_both(w, op, &a, &b, sum);
	}
}

static void sum_phase(struct compare_phase *p, enum compare_side side,
		      const struct work_sum *s, uint64_t ios)
{
	p->count[side] = s->count;
	p->mean[side] = ratio(wide_double(s->ns), (double)ios);
}

static void sum_side(const struct side *s, enum compare_side side, uint64_t ns,
		     struct compare_work *sum)
{
	struct wide value = { 0, 0 };

	for (unsigned int op = 0; op < IO_OPS; op++)
		if (op != IO_FLUSH_OP)
			wide_join(&value, sum_sizes(s, op).ns);
	sum->count[side] = s->count;
	sum->seconds[side] = (double)ns / 1e9;
	sum->rate[side] = ratio((double)s->count, sum->seconds[side]);
	sum->depth[side] = ratio(wide_double(s->served), (double)ns);
	sum->mean[side] = ratio(wide_double(value), (double)s->count);
	sum_phase(&sum->total, side, &s->total, s->count);
	for (unsigned int i = 0; i < IO_PHASES; i++)
		sum_phase(&sum->phase[i], side, &s->phase[i], s->count);
}

void compare_works_sum(const struct compare_works *w,
		       const uint64_t ns[COMPARE_SIDES],
		       struct compare_work *sum)
{
	*sum = (struct compare_work){ .other = 0 };
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		sum_side(&w->side[side], side, ns[side], sum);
	if (w->bare)
		add_ops(w, sum);
	else
		add_classes(w, sum);
	sum->other_work = sum->other > COMPARE_OTHER;
	sum->other_rate = times(sum->rate, 1 + COMPARE_OTHER);
	sum->other_depth = !w->bare && times(sum->depth, COMPARE_DEPTHS);
}
