/* SPDX-License-Identifier: GPL-2.0-only */
/* The units of a comparison; see units.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare/slices.h"
#include "compare/units.h"

/* a pass over all histograms, and its purpose */
struct visit {
	struct compare_units *u;
	uint16_t *place;	/* per cell: which of those that are used */
	void (*histogram)(struct visit *v, enum compare_side side,
			  unsigned int unit, const struct histogram *h);
};

static void visit_slice(struct visit *v, enum compare_side side,
			unsigned int unit, const struct compare_slices *s,
			unsigned int slice, uint32_t ops)
{
	for (unsigned int op = 0; op < IO_OPS; op++)
		if (s->of[op] && ops & 1U << op && s->of[op][slice].count)
			v->histogram(v, side, unit, &s->of[op][slice]);
}

/* which unit of its side slice i of a run is in */
static unsigned int unit_of(const struct compare_units_source *source,
			    unsigned int run, unsigned int i,
			    unsigned int used)
{
	return source->slices ? i * source->slices / used : run;
}

static void visit_side(struct visit *v, enum compare_side side,
		       const struct compare_units_source *source)
{
	unsigned int first = side == COMPARE_B ? v->u->side[COMPARE_A] : 0;

	for (unsigned int run = 0; run < source->number[side]; run++) {
		const struct compare_slices *s = &source->runs[side][run];
		unsigned int used = compare_slices_used(s);

		for (unsigned int i = 0; i < used; i++)
			visit_slice(v, side,
				    first + unit_of(source, run, i, used),
				    s, i, source->ops);
	}
}

static void visit_all(struct visit *v,
		      const struct compare_units_source *source)
{
	visit_side(v, COMPARE_A, source);
	visit_side(v, COMPARE_B, source);
}

/* --- making them --------------------------------------------------------- */

static void note_cells(struct visit *v, enum compare_side side,
		       unsigned int unit, const struct histogram *h)
{
	uint64_t count;

	(void)side;
	(void)unit;
	for (int cell = -1; histogram_next(h, &cell, &count);)
		v->place[cell] = 1;
}

static void note_extremes(struct compare_units *u, enum compare_side side,
			  const struct histogram *h)
{
	if (!u->numbers[side] || h->min < u->min[side])
		u->min[side] = h->min;
	if (h->max > u->max[side])
		u->max[side] = h->max;
	u->numbers[side] += h->count;
}

static void fill(struct visit *v, enum compare_side side, unsigned int unit,
		 const struct histogram *h)
{
	struct compare_units *u = v->u;
	uint64_t count;

	note_extremes(u, side, h);
	u->count[unit] += h->count;
	u->sum[unit] += wide_double(h->sum);
	for (int cell = -1; histogram_next(h, &cell, &count);)
		u->upto[(size_t)v->place[cell] * u->all + unit] += count;
}

static void fill_times(struct compare_units *u,
		       const struct compare_units_source *source)
{
	unsigned int first = 0;

	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		for (unsigned int run = 0; run < source->number[side]; run++) {
			const struct compare_slices *s =
				&source->runs[side][run];
			unsigned int used = compare_slices_used(s);

			for (unsigned int i = 0; i < used; i++)
				u->ns[first + unit_of(source, run, i, used)] +=
					(double)compare_slices_ns(s, i);
		}
		first += u->side[side];
	}
}

/* Numbers the cells that are used. */
static void place_cells(struct compare_units *u, uint16_t *place)
{
	for (unsigned int i = 0; i < HISTOGRAM_CELLS; i++)
		if (place[i])
			place[i] = (uint16_t)u->cells++;
}

static int make_room(struct compare_units *u)
{
	size_t cells = u->cells ? u->cells : 1;

	u->middle = calloc(cells, sizeof(*u->middle));
	u->upto = calloc(cells * u->all, sizeof(*u->upto));
	u->count = calloc(u->all, sizeof(*u->count));
	u->sum = calloc(u->all, sizeof(*u->sum));
	u->ns = calloc(u->all, sizeof(*u->ns));
	return u->middle && u->upto && u->count && u->sum && u->ns ?
		0 : -ENOMEM;
}

static uint64_t middle_of(unsigned int cell)
{
	uint64_t low = histogram_cell_low(cell);

	return low + (histogram_cell_high(cell) - low) / 2;
}

/* Notes middles of used cells, and cumulates. */
static void finish_cells(struct compare_units *u, const uint16_t *place,
			 const bool *used)
{
	for (unsigned int i = 0; i < HISTOGRAM_CELLS; i++)
		if (used[i])
			u->middle[place[i]] = middle_of(i);
	for (size_t i = u->all; i < (size_t)u->cells * u->all; i++)
		u->upto[i] += u->upto[i - u->all];
}

static int make_with(struct compare_units *u, uint16_t *place, bool *used,
		     const struct compare_units_source *source)
{
	struct visit v = { u, place, note_cells };
	int error;

	visit_all(&v, source);
	for (unsigned int i = 0; i < HISTOGRAM_CELLS; i++)
		used[i] = place[i];
	place_cells(u, place);
	error = make_room(u);
	if (error)
		return error;
	v.histogram = fill;
	visit_all(&v, source);
	fill_times(u, source);
	finish_cells(u, place, used);
	return 0;
}

int compare_units_make(struct compare_units *u,
		       const struct compare_units_source *source)
{
	uint16_t *place = calloc(HISTOGRAM_CELLS, sizeof(*place));
	bool *used = calloc(HISTOGRAM_CELLS, sizeof(*used));
	int error = -ENOMEM;

	*u = (struct compare_units){ 0 };
	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		u->side[side] = source->slices ? source->slices :
						 source->number[side];
	u->all = u->side[COMPARE_A] + u->side[COMPARE_B];
	if (place && used)
		error = make_with(u, place, used, source);
	free(place);
	free(used);
	return error;
}

/* --- halving ------------------------------------------------------------- */

static void halve_counts(uint64_t *to, const uint64_t *from, unsigned int all)
{
	for (unsigned int i = 0; i < all / 2; i++)
		to[i] = from[2 * i] + from[2 * i + 1];
}

static void halve_parts(double *x, unsigned int all)
{
	for (unsigned int i = 0; i < all / 2; i++)
		x[i] = x[2 * i] + x[2 * i + 1];
}

/* writes never pass reads */
void compare_units_halve(struct compare_units *u)
{
	for (size_t cell = 0; cell < u->cells; cell++)
		halve_counts(u->upto + cell * (u->all / 2),
			     u->upto + cell * u->all, u->all);
	halve_counts(u->count, u->count, u->all);
	halve_parts(u->sum, u->all);
	halve_parts(u->ns, u->all);
	u->side[COMPARE_A] /= 2;
	u->side[COMPARE_B] /= 2;
	u->all /= 2;
}

/* --- samples ------------------------------------------------------------- */

static uint64_t add_up(const uint64_t *of, const uint16_t *list,
		       unsigned int count)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += of[list[i]];
	return sum;
}

static double add_parts(const double *of, const uint16_t *list,
			unsigned int count)
{
	double sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += of[list[i]];
	return sum;
}

unsigned int compare_units_rank(const struct compare_units *u,
				const uint16_t *list, unsigned int count,
				uint64_t rank)
{
	unsigned int low = 0, high = u->cells - 1;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (add_up(u->upto + (size_t)middle * u->all, list, count) <
		    rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* 0 has no logarithm: half of the resolution replaces it */
static double log_of(uint64_t value)
{
	return log(value ? (double)value : 0.5);
}

void compare_units_sample(const struct compare_units *u,
			  const struct compare_rows *rows,
			  const uint16_t *list, unsigned int count,
			  struct compare_sample *sample)
{
	uint64_t numbers = add_up(u->count, list, count);
	double sum = add_parts(u->sum, list, count);
	double ns = add_parts(u->ns, list, count);

	*sample = (struct compare_sample){ .absent = 0 };
	if (!numbers || ns <= 0) {
		sample->absent = (1U << rows->count) - 1;
		return;
	}
	if (sum > 0)
		sample->value[COMPARE_MEAN] = log(sum / (double)numbers);
	else
		sample->absent |= 1U << COMPARE_MEAN;
	sample->value[COMPARE_RATE] = log((double)numbers / ns * 1e9);
	for (unsigned int i = COMPARE_PERCENTILE; i < rows->count; i++) {
		uint64_t rank = histogram_rank(numbers, rows->percentile[i]);
		unsigned int cell = compare_units_rank(u, list, count, rank);

		sample->value[i] = log_of(u->middle[cell]);
	}
}

double compare_units_above(const struct compare_units *u, const uint16_t *list,
			   unsigned int count, unsigned int cell)
{
	const uint64_t *upto = u->upto + (size_t)cell * u->all;
	double numbers = (double)add_up(u->count, list, count);
	double in = (double)add_up(upto, list, count);
	double below = cell ? (double)add_up(upto - u->all, list, count) : 0;

	return numbers > 0 ? 1 - (in + below) / 2 / numbers : 0;
}

/* the least and the most of each row, of the units of a side */
struct extent {
	double low[COMPARE_ROWS], high[COMPARE_ROWS];
	uint32_t absent;
};

static void extent_of(const struct compare_units *u,
		      const struct compare_rows *rows, enum compare_side side,
		      struct extent *e)
{
	uint16_t list[COMPARE_UNITS_MAX];
	unsigned int units = compare_units_side(u, side, list);

	e->absent = 0;
	for (unsigned int i = 0; i < units; i++) {
		struct compare_sample s;

		compare_units_sample(u, rows, &list[i], 1, &s);
		e->absent |= s.absent;
		for (unsigned int row = 0; row < rows->count; row++) {
			double x = s.value[row];

			e->low[row] = i ? fmin(e->low[row], x) : x;
			e->high[row] = i ? fmax(e->high[row], x) : x;
		}
	}
}

uint32_t compare_units_apart(const struct compare_units *u,
			     const struct compare_rows *rows)
{
	struct extent a, b;
	uint32_t apart = 0;

	extent_of(u, rows, COMPARE_A, &a);
	extent_of(u, rows, COMPARE_B, &b);
	for (unsigned int row = 0; row < rows->count; row++)
		if (a.high[row] < b.low[row] || b.high[row] < a.low[row])
			apart |= 1U << row;
	return apart & ~(a.absent | b.absent);
}

unsigned int compare_units_side(const struct compare_units *u,
				enum compare_side side,
				uint16_t list[COMPARE_UNITS_MAX])
{
	unsigned int first = side == COMPARE_B ? u->side[COMPARE_A] : 0;

	for (unsigned int i = 0; i < u->side[side]; i++)
		list[i] = (uint16_t)(first + i);
	return u->side[side];
}

void compare_units_free(struct compare_units *u)
{
	free(u->middle);
	free(u->upto);
	free(u->count);
	free(u->sum);
	free(u->ns);
	*u = (struct compare_units){ 0 };
}
