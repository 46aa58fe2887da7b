/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison of two sides; see compare.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/boot.h"
#include "compare/compare.h"
#include "compare/lag.h"
#include "compare/slices.h"
#include "compare/units.h"

/* a row has a verdict if fewer deals are as far out */
static const double CHANCE = 0.05;

/* the change that power is stated for, if no least one is given */
static const double AIM = 0.05;

/* a percentile has this many numbers above it on each side, or no row */
enum { ABOVE_LEAST = 10 };

static const uint32_t USUAL[] = { 50000, 90000, 99000, 99900 };

/* a table on its way */
struct judged {
	struct compare_rows rows;
	struct compare_units units;
	struct compare_deals deals;
	double correlation[COMPARE_ROWS];
	uint32_t apart;		/* rows whose slices do not overlap */
};

struct compare {
	struct compare_options options;
	struct compare_slices *runs[COMPARE_SIDES];
	struct compare_works *works;
	uint64_t ios[COMPARE_SIDES][IO_OPS];
	struct judged judged[1 + IO_OPS];
	double largest[COMPARE_DEALS];
	double null[COMPARE_DEALS];	/* as if the sides did not differ */
	struct compare_result result;
};

/* --- gathering ----------------------------------------------------------- */

static enum compare_unit unit_of(const unsigned int runs[COMPARE_SIDES])
{
	if (runs[COMPARE_A] >= COMPARE_RUNS_LEAST &&
	    runs[COMPARE_B] >= COMPARE_RUNS_LEAST)
		return COMPARE_BY_RUN;
	if (runs[COMPARE_A] == 1 && runs[COMPARE_B] == 1)
		return COMPARE_BY_SLICE;
	return COMPARE_BY_NONE;
}

static int make_runs(struct compare *c, enum compare_side side)
{
	unsigned int runs = c->options.runs[side];

	c->runs[side] = calloc(runs, sizeof(*c->runs[side]));
	if (!c->runs[side])
		return -ENOMEM;
	for (unsigned int i = 0; i < runs; i++)
		compare_slices_init(&c->runs[side][i],
				    c->result.unit != COMPARE_BY_SLICE);
	c->result.runs[side] = runs;
	return 0;
}

static void set_percentiles(struct compare_options *o)
{
	if (!o->percentiles[0])
		memcpy(o->percentiles, USUAL, sizeof(USUAL));
}

static int fill_new(struct compare *c)
{
	int error = 0;

	c->works = compare_works_new();
	if (!c->works)
		return -ENOMEM;
	for (unsigned int side = 0; side < COMPARE_SIDES && !error; side++)
		error = make_runs(c, side);
	return error;
}

static bool runs_fit(unsigned int runs)
{
	return runs >= 1 && runs <= COMPARE_RUNS_MAX;
}

int compare_new(struct compare **c, const struct compare_options *o)
{
	int error;

	if (!runs_fit(o->runs[COMPARE_A]) || !runs_fit(o->runs[COMPARE_B]))
		return -EINVAL;
	*c = calloc(1, sizeof(**c));
	if (!*c)
		return -ENOMEM;
	(*c)->options = *o;
	(*c)->result.unit = unit_of(o->runs);
	set_percentiles(&(*c)->options);
	error = fill_new(*c);
	if (error)
		compare_free(*c);
	return error;
}

int compare_io(struct compare *c, enum compare_side side, unsigned int run,
	       const struct io *io, uint64_t value)
{
	compare_works_add(c->works, side, io, value);
	c->ios[side][io->op]++;
	return compare_slices_add(&c->runs[side][run], io->op,
				  io->time + io->total, value);
}

int compare_histogram(struct compare *c, enum compare_side side,
		      unsigned int run, enum io_op op, uint64_t from,
		      uint64_t until, const struct histogram *h)
{
	compare_works_add_all(c->works, side, op, h);
	c->ios[side][op] += h->count;
	return compare_slices_add_all(&c->runs[side][run], op, from, until, h);
}

/* --- which tables and rows ----------------------------------------------- */

static uint64_t count_ops(const struct compare *c, enum compare_side side,
			  uint32_t ops)
{
	uint64_t count = 0;

	for (unsigned int op = 0; op < IO_OPS; op++)
		if (ops & 1U << op)
			count += c->ios[side][op];
	return count;
}

static void begin_table(struct compare *c, uint32_t ops)
{
	struct compare_table *t = &c->result.table[c->result.tables];
	uint64_t a = count_ops(c, COMPARE_A, ops);
	uint64_t b = count_ops(c, COMPARE_B, ops);

	if (!a || !b)
		return;
	*t = (struct compare_table) {
		.all = ops & (ops - 1),
		.op = (enum io_op)__builtin_ctz(ops),
		.count = { a, b },
	};
	c->result.tables++;
}

/* all but flushes, and each operation that both have, unless there is only one
 * anyway */
static void list_tables(struct compare *c)
{
	const uint32_t flush = 1U << IO_FLUSH_OP;
	uint32_t ops = 0;

	for (unsigned int op = 0; op < IO_OPS; op++)
		if (c->ios[COMPARE_A][op] || c->ios[COMPARE_B][op])
			ops |= 1U << op;
	if ((ops & ~flush) & ((ops & ~flush) - 1))
		begin_table(c, ops & ~flush);
	for (unsigned int op = 0; op < IO_OPS; op++)
		if (ops & 1U << op)
			begin_table(c, 1U << op);
}

static void list_rows(const struct compare *c, const struct compare_table *t,
		      struct compare_rows *rows)
{
	*rows = (struct compare_rows){ .count = COMPARE_PERCENTILE };
	for (unsigned int i = 0; i < COMPARE_PERCENTILES; i++) {
		uint32_t p = c->options.percentiles[i];

		if (!p)
			break;
		if (histogram_above(t->count[COMPARE_A], p) >= ABOVE_LEAST &&
		    histogram_above(t->count[COMPARE_B], p) >= ABOVE_LEAST)
			rows->percentile[rows->count++] = p;
	}
}

/* --- units --------------------------------------------------------------- */

/*
 * Whether so many slices can be made of what a run has: they are then equally
 * long, or nearly so; how long they are is known in any case.
 */
static bool divides(unsigned int used, unsigned int slices)
{
	return used == slices || used >= 2 * slices;
}

/* slices per side at first; 0: the recordings are too short */
static unsigned int most_slices(const struct compare *c)
{
	unsigned int a = compare_slices_used(c->runs[COMPARE_A]);
	unsigned int b = compare_slices_used(c->runs[COMPARE_B]);

	for (unsigned int n = COMPARE_SLICES_LEAST; n >= COMPARE_LAG_LEAST;
	     n /= 2)
		if (divides(a, n) && divides(b, n))
			return n;
	return 0;
}

static enum compare_state first_state(const struct compare *c,
				      const struct compare_table *t)
{
	if (c->result.unit == COMPARE_BY_NONE)
		return COMPARE_FEW_RUNS;
	if (c->result.unit == COMPARE_BY_RUN)
		return COMPARE_JUDGED;
	return t->count[COMPARE_A] >= COMPARE_IOS_LEAST &&
	       t->count[COMPARE_B] >= COMPARE_IOS_LEAST && most_slices(c) ?
		COMPARE_JUDGED : COMPARE_DRIFTS;
}

static uint32_t ops_of(const struct compare_table *t)
{
	return t->all ? ((1U << IO_OPS) - 1) & ~(1U << IO_FLUSH_OP) :
			1U << t->op;
}

static int make_units(struct compare *c, const struct compare_table *t,
		      struct judged *j)
{
	struct compare_units_source source = { .ops = ops_of(t) };

	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		source.runs[side] = c->runs[side];
		source.number[side] = c->options.runs[side];
	}
	if (c->result.unit == COMPARE_BY_SLICE)
		source.slices = t->state == COMPARE_JUDGED ? most_slices(c) : 1;
	return compare_units_make(&j->units, &source);
}

/* whether there are enough units for intervals */
static bool has_intervals(const struct compare_table *t)
{
	if (t->state == COMPARE_FEW_RUNS)
		return t->units[COMPARE_A] >= COMPARE_RUNS_INTERVAL &&
		       t->units[COMPARE_B] >= COMPARE_RUNS_INTERVAL;
	return t->state == COMPARE_JUDGED;
}

/* finds slices that are hardly alike; runs have nothing to do with another */
static void settle_units(const struct compare *c, struct compare_table *t,
			 struct judged *j)
{
	if (c->result.unit == COMPARE_BY_SLICE && t->state == COMPARE_JUDGED) {
		if (!compare_lag_settle(&j->units, &j->rows, j->correlation))
			t->state = COMPARE_DRIFTS;
		t->correlation = compare_lag_largest(&j->rows, j->correlation);
		j->apart = compare_units_apart(&j->units, &j->rows);
	}
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		t->units[side] = j->units.side[side];
}

/* --- rows ---------------------------------------------------------------- */

static uint64_t within(uint64_t value, uint64_t min, uint64_t max)
{
	return value < min ? min : value > max ? max : value;
}

static double percentile_of(const struct compare_units *u,
			    enum compare_side side, uint32_t percentile)
{
	uint16_t list[COMPARE_UNITS_MAX];
	unsigned int count = compare_units_side(u, side, list);
	uint64_t rank = histogram_rank(u->numbers[side], percentile);
	unsigned int cell = compare_units_rank(u, list, count, rank);

	return (double)within(u->middle[cell], u->min[side], u->max[side]);
}

static double value_of(const struct judged *j, enum compare_side side,
		       unsigned int row)
{
	uint16_t list[COMPARE_UNITS_MAX];
	struct compare_sample s;

	if (row >= COMPARE_PERCENTILE)
		return percentile_of(&j->units, side, j->rows.percentile[row]);
	compare_units_sample(&j->units, &j->rows, list,
			     compare_units_side(&j->units, side, list), &s);
	return s.absent & 1U << row ? 0 : exp(s.value[row]);
}

static void set_row(const struct judged *j,
		    const struct compare_interval *interval,
		    unsigned int row, struct compare_row *r)
{
	*r = (struct compare_row) {
		.kind = row < COMPARE_PERCENTILE ? (enum compare_kind)row :
						   COMPARE_PERCENTILE,
		.percentile = j->rows.percentile[row],
		.comparable = !(interval->valueless & 1U << row),
		.interval = !(interval->absent & 1U << row),
	};
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		r->value[side] = value_of(j, side, row);
	if (r->comparable)
		r->change = expm1(interval->value[row]);
	if (!r->interval)
		return;
	r->low = expm1(interval->low[row]);
	r->high = expm1(interval->high[row]);
}

static int set_rows(struct compare_table *t, struct judged *j)
{
	struct compare_interval interval;
	int error = 0;

	if (has_intervals(t))
		error = compare_boot(&j->units, &j->rows, j->correlation,
				     &interval);
	else
		compare_boot_values(&j->units, &j->rows, &interval);
	if (error)
		return error;
	t->rows = j->rows.count;
	for (unsigned int row = 0; row < t->rows; row++)
		set_row(j, &interval, row, &t->row[row]);
	return 0;
}

/* --- verdicts ------------------------------------------------------------ */

static enum compare_verdict direction(const struct compare_row *r)
{
	bool more = r->change > 0;

	return more != (r->kind == COMPARE_RATE) ? COMPARE_SLOWER :
						   COMPARE_FASTER;
}

enum compare_verdict compare_direction(const struct compare_row *r)
{
	switch (r->verdict) {
	case COMPARE_SLOWER:
	case COMPARE_FASTER:
	case COMPARE_SEPARATED:
		return direction(r);
	default:
		return COMPARE_NO_VERDICT;
	}
}

static enum compare_verdict verdict_of(const struct compare *c,
				       const struct compare_row *r)
{
	double least = c->options.least;

	if (r->tested && r->p < CHANCE)
		return direction(r);
	if (r->interval && least > 0 && r->low >= -least && r->high <= least)
		return COMPARE_SAME;
	return COMPARE_NOT_SIGNIFICANT;
}

static void set_apart(struct compare_row *r, bool apart)
{
	if (!apart || (r->verdict != COMPARE_NO_VERDICT &&
		       r->verdict != COMPARE_NOT_SIGNIFICANT))
		return;
	r->verdict = COMPARE_SEPARATED;
	r->tested = false;
}

static void set_verdicts(const struct compare *c, struct compare_table *t,
			 const struct judged *j)
{
	for (unsigned int row = 0; row < t->rows; row++) {
		struct compare_row *r = &t->row[row];

		r->tested = !(j->deals.absent & 1U << row);
		if (r->tested)
			r->p = compare_deals_p(&j->deals, row, c->largest);
		r->verdict = verdict_of(c, r);
	}
}

static void set_all_apart(struct compare_table *t, const struct judged *j)
{
	for (unsigned int row = 0; row < t->rows; row++)
		set_apart(&t->row[row], j->apart & 1U << row);
}

static void set_power(const struct compare *c, struct compare_table *t,
		      const struct judged *j)
{
	double aim = c->options.least > 0 ? c->options.least : AIM;

	t->power = compare_deals_power(&j->deals, c->null,
				       j->correlation[COMPARE_MEAN], CHANCE,
				       aim);
	if (c->result.unit == COMPARE_BY_RUN && t->power.needs &&
	    t->power.needs < COMPARE_RUNS_LEAST)
		t->power.needs = COMPARE_RUNS_LEAST;
}

static void note_deals(struct compare *c, const struct compare_deals *d)
{
	compare_deals_largest(d, c->largest);
	compare_deals_null(d, c->null);
}

/* values and intervals of a table, and its deals */
static int judge_table(struct compare *c, struct compare_table *t,
		       struct judged *j)
{
	int error;

	t->state = first_state(c, t);
	list_rows(c, t, &j->rows);
	error = make_units(c, t, j);
	if (error)
		return error;
	settle_units(c, t, j);
	error = set_rows(t, j);
	if (error || t->state != COMPARE_JUDGED)
		return error;
	error = compare_deals_make(&j->deals, &j->units, &j->rows,
				   j->correlation);
	if (!error)
		note_deals(c, &j->deals);
	return error;
}

static int judge_tables(struct compare *c)
{
	for (unsigned int i = 0; i < c->result.tables; i++) {
		int error = judge_table(c, &c->result.table[i], &c->judged[i]);

		/* by far the largest part is not needed any more */
		compare_units_free(&c->judged[i].units);
		if (error)
			return error;
	}
	for (unsigned int i = 0; i < c->result.tables; i++) {
		struct compare_table *t = &c->result.table[i];

		if (t->state == COMPARE_JUDGED) {
			set_verdicts(c, t, &c->judged[i]);
			set_power(c, t, &c->judged[i]);
		}
		set_all_apart(t, &c->judged[i]);
	}
	return 0;
}

static void sum_work(struct compare *c)
{
	uint64_t ns[COMPARE_SIDES] = { 0 };

	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		for (unsigned int i = 0; i < c->options.runs[side]; i++)
			ns[side] += compare_slices_length(&c->runs[side][i]);
	compare_works_sum(c->works, ns, &c->result.work);
}

int compare_end(struct compare *c, const struct compare_result **r)
{
	*r = &c->result;
	sum_work(c);
	list_tables(c);
	return judge_tables(c);
}

void compare_free(struct compare *c)
{
	if (!c)
		return;
	for (unsigned int i = 0; i <= IO_OPS; i++) {
		compare_units_free(&c->judged[i].units);
		compare_deals_free(&c->judged[i].deals);
	}
	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		for (unsigned int i = 0; c->runs[side] &&
		     i < c->options.runs[side]; i++)
			compare_slices_free(&c->runs[side][i]);
		free(c->runs[side]);
	}
	compare_works_free(c->works);
	free(c);
}
