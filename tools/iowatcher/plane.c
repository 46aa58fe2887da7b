/* SPDX-License-Identifier: GPL-2.0-only */
/* Device IO as cells; see plane.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "tools/iowatcher/figure.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/plane.h"
#include "tools/iowatcher/plane_range.h"
#include "tools/iowatcher/traced.h"

/* --- plane shares --------------------------------------------------------- */

/* so many are told apart at most: of callers as many as there are colours */
enum { SHOWN_MAX = 48 };

static void *plane_shares_allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		msg_die("out of memory");
	return p;
}

/* --- what there is -------------------------------------------------------- */

/* directions of names, else directions */
static size_t classes_of(const struct watch_options *o, const struct traced *t)
{
	return RATE_CLASSES * (o->per_process ? t->callers.name_count : 1);
}

/* the class of a raster by name in place of pid */
static unsigned int named_class(const struct watch_options *o,
				const struct traced *t, unsigned int class)
{
	unsigned int nr = class / RATE_CLASSES;

	if (!o->per_process)
		return class;
	return t->callers.list[nr].name * RATE_CLASSES + class % RATE_CLASSES;
}

static char *label_of(const struct watch_options *o, const struct traced *t,
		      unsigned int class)
{
	static const char *const words[RATE_CLASSES] = {
		[RATE_READ] = "Reads",
		[RATE_WRITE] = "Writes",
		[RATE_OTHER] = "Others",
	};
	const char *name = o->per_process ?
			   t->callers.names[class / RATE_CLASSES] : "";
	char *text;

	if (asprintf(&text, "%s%s%s%s%s", t->label, *t->label ? " " : "", name,
		     *name ? " " : "", words[class % RATE_CLASSES]) < 0)
		msg_die("out of memory");
	return text;
}

struct counting {
	struct plane_share *shares;	/* of the trace, by class */
	const struct watch_options *o;
	const struct traced *t;
};

static void count_cell(void *ctx, const struct raster_cell *c)
{
	struct counting *k = ctx;

	k->shares[named_class(k->o, k->t, c->class)].count += c->count;
}

static void count_marks(struct plane_share *shares,
			const struct watch_options *o, const struct traced *t)
{
	struct counting k = { .shares = shares, .o = o, .t = t };

	for (size_t i = 0; i < t->device_count; i++)
		raster_each(&t->devices[i].raster, count_cell, &k);
}

static void add_trace(struct plane_shares *s, const struct watch_options *o,
		      const struct traced *t, size_t trace)
{
	size_t classes = classes_of(o, t);
	struct plane_share *list = &s->list[s->count];

	for (size_t i = 0; i < classes; i++)
		list[i] = (struct plane_share){ .trace = trace,
					  .class = (unsigned int)i };
	count_marks(list, o, t);
	for (size_t i = 0; i < classes; i++) {
		list[i].label = label_of(o, t, (unsigned int)i);
		list[i].listed = list[i].count ||
			(!o->per_process && i != RATE_OTHER);
	}
	s->count += classes;
}

/* --- colours and places --------------------------------------------------- */

static int by_count(const void *a, const void *b)
{
	const struct plane_share *one = a, *other = b;

	if (one->count != other->count)
		return one->count < other->count ? 1 : -1;
	if (one->trace != other->trace)
		return one->trace < other->trace ? -1 : 1;
	return one->class < other->class ? -1 : 1;
}

static void set_colors(struct plane_shares *s, const struct watch_options *o)
{
	for (size_t i = 0; i < s->count; i++) {
		struct plane_share *one = &s->list[i];
		unsigned int nr = (unsigned int)i;

		if (!o->per_process)
			nr = one->class == RATE_OTHER ? COLORS :
			     (unsigned int)(2 * one->trace) + one->class;
		one->color = color_of(nr);
	}
}

/* how many of them are told apart */
static unsigned int shown_of(const struct plane_shares *s,
			     const struct watch_options *o)
{
	size_t most = o->per_process ? COLORS + 1 : SHOWN_MAX;

	return (unsigned int)(s->count < most ? s->count : most);
}

static void set_places(struct plane_shares *s, const struct watch_options *o,
		       const struct traced *traces, size_t count)
{
	unsigned int *place = plane_shares_allocate(s->count, sizeof(*place));
	size_t first = 0;

	s->by_class = plane_shares_allocate(count, sizeof(*s->by_class));
	s->traces = count;
	for (size_t i = 0; i < count; i++) {
		const struct traced *t = &traces[i];
		size_t pids = o->per_process ? t->callers.count : 1;

		for (size_t k = 0; k < s->count; k++)
			if (s->list[k].trace == i)
				place[first + s->list[k].class] =
					(unsigned int)k;
		s->by_class[i] = plane_shares_allocate(pids * RATE_CLASSES,
					  sizeof(**s->by_class));
		for (unsigned int c = 0; c < pids * RATE_CLASSES; c++)
			s->by_class[i][c] =
				place[first + named_class(o, t, c)];
		first += classes_of(o, t);
	}
	free(place);
}

/* which of those shown has a class of a trace, as its raster has it */
static unsigned int plane_shares_find(const struct plane_shares *s,
				      size_t trace, unsigned int class)
{
	unsigned int place = s->by_class[trace][class];

	return place < s->shown ? place : s->shown - 1;
}

const char *plane_shares_label(const struct plane_shares *s,
			       unsigned int share)
{
	return share + 1 == s->shown && s->shown < s->count ?
		"others" : s->list[share].label;
}

/* Without memory the program ends. */
static void plane_shares_find_all(struct plane_shares *s,
				  const struct watch_options *o,
				  const struct traced *traces, size_t count)
{
	size_t all = 0;

	*s = (struct plane_shares){ .mixed = count == 1 && !o->per_process };
	for (size_t i = 0; i < count; i++)
		all += classes_of(o, &traces[i]);
	s->list = plane_shares_allocate(all, sizeof(*s->list));
	for (size_t i = 0; i < count; i++)
		add_trace(s, o, &traces[i], i);
	if (o->per_process)
		qsort(s->list, s->count, sizeof(*s->list), by_count);
	set_colors(s, o);
	s->shown = shown_of(s, o);
	set_places(s, o, traces, count);
}

static void plane_shares_free(struct plane_shares *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].label);
	for (size_t i = 0; i < s->traces; i++)
		free(s->by_class[i]);
	free(s->by_class);
	free(s->list);
}

/* --- plane ---------------------------------------------------------------- */

/* a cell is blended of reads and writes in so many steps */
enum { MIXES = 5 };

/* so many cells are few: each is to be seen */
enum { FEW = 2000 };

static const double opacities[PLANE_STRENGTHS] = { 0.4, 0.6, 0.8, 1 };

/* ranks above which a cell is one stronger, in percent */
static const unsigned int ranks[PLANE_STRENGTHS - 1] = { 50, 80, 95 };

struct making {
	struct plane *p;
	struct plane_range range;
	const struct time_frame *frame;
	const struct watch_options *o;
	const struct traced *traces;
	size_t count;

	/* the raster that is being put in */
	const struct raster *raster;
	size_t trace;
	double base;

	double low, high;	/* sectors of the plot's foot and top */
};

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		msg_die("out of memory");
	return p;
}

/* --- counts --------------------------------------------------------------- */

/* from and behind which cells of the plot a stretch lies, at least one */
struct stretch {
	long from, to;
};

/*
 * What is smaller than a cell is where its middle is; what is larger fills all
 * that it covers.
 */
static struct stretch stretch_of(double from, double length, long cells)
{
	struct stretch s;

	if (length <= 1) {
		s.from = (long)(from + length / 2);
		s.to = s.from + 1;
	} else {
		s.from = (long)from;
		s.to = (long)(from + length + 0.5);
	}
	if (s.from < 0)
		s.from = 0;
	if (s.to > cells)
		s.to = cells;
	return s;
}

static void add_up(uint32_t *to, uint64_t n)
{
	*to = n < UINT32_MAX - *to ? *to + (uint32_t)n : UINT32_MAX;
}

static void put_cell(void *ctx, const struct raster_cell *c)
{
	struct making *m = ctx;
	const struct plane *p = m->p;
	double wide = (double)p->columns / (double)(m->frame->to -
						    m->frame->from);
	double high = p->rows / (m->high - m->low);
	double low = (m->base + (double)c->sector - m->low) * high;
	double left = (double)(c->time - m->frame->from) * wide;
	size_t share = plane_shares_find(&p->shares, m->trace, c->class);
	uint32_t *counts = p->counts + share * p->columns * p->rows;
	struct stretch x, y;

	if (low + (double)m->raster->height * high <= 0 || low >= p->rows)
		return;
	x = stretch_of(left, (double)m->raster->width * wide, p->columns);
	y = stretch_of(low, (double)m->raster->height * high, p->rows);
	for (long row = y.from; row < y.to; row++)
		for (long column = x.from; column < x.to; column++)
			add_up(&counts[(p->rows - 1 - row) * p->columns +
				       column], c->count);
}

static void count_all(struct making *m)
{
	for (m->trace = 0; m->trace < m->count; m->trace++) {
		const struct traced *t = &m->traces[m->trace];

		for (size_t i = 0; i < t->device_count; i++) {
			m->raster = &t->devices[i].raster;
			m->base = plane_range_base(&m->range, t, i);
			raster_each(m->raster, put_cell, m);
		}
	}
}

/* --- styles --------------------------------------------------------------- */

static uint32_t count_of(const struct making *m, unsigned int share,
			 size_t cell)
{
	return m->p->counts[(size_t)share * m->p->columns * m->p->rows + cell];
}

static uint64_t total_of(const struct making *m, size_t cell)
{
	uint64_t total = 0;

	for (unsigned int i = 0; i < m->p->shares.shown; i++)
		total += count_of(m, i, cell);
	return total;
}

static int by_number(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

/* Counts above which a cell is one stronger.  Few cells, or cells of the same
 * count, are all as strong as can be. */
static void find_limits(const struct making *m,
			uint64_t limits[PLANE_STRENGTHS - 1])
{
	size_t cells = (size_t)m->p->columns * m->p->rows, n = 0;
	uint64_t *totals = allocate(cells, sizeof(*totals));

	for (size_t i = 0; i < cells; i++) {
		uint64_t total = total_of(m, i);

		if (total)
			totals[n++] = total;
	}
	qsort(totals, n, sizeof(*totals), by_number);
	for (int i = 0; i < PLANE_STRENGTHS - 1; i++)
		limits[i] = n > FEW && totals[0] < totals[n - 1] ?
			totals[n * ranks[i] / 100] : 0;
	free(totals);
}

/* of a cell where reads and writes are blended: from 0, the last is others */
static unsigned int mix_of(const struct making *m, size_t cell)
{
	double reads = count_of(m, RATE_READ, cell);
	double writes = count_of(m, RATE_WRITE, cell);

	if (count_of(m, RATE_OTHER, cell) > reads + writes)
		return MIXES;
	/* the pure colours are of what is pure */
	if (reads <= 0 || writes <= 0)
		return reads > 0 ? 0 : MIXES - 1;
	return 1 + (unsigned int)(writes / (reads + writes) *
				  (MIXES - 2 - 1e-9));
}

/* of a cell which is the share's that has most of it */
static unsigned int winner_of(const struct making *m, size_t cell)
{
	unsigned int best = 0;

	for (unsigned int i = 1; i < m->p->shares.shown; i++)
		if (count_of(m, i, cell) > count_of(m, best, cell))
			best = i;
	return best;
}

static void set_cells(struct making *m)
{
	size_t cells = (size_t)m->p->columns * m->p->rows;
	uint64_t limits[PLANE_STRENGTHS - 1];

	find_limits(m, limits);
	for (size_t i = 0; i < cells; i++) {
		uint64_t total = total_of(m, i);
		unsigned int color, strength = 0;

		if (!total)
			continue;
		while (strength < PLANE_STRENGTHS - 1 &&
		       total > limits[strength])
			strength++;
		color = m->p->shares.mixed ? mix_of(m, i) : winner_of(m, i);
		m->p->cells[i] = (uint16_t)(color * PLANE_STRENGTHS +
					    strength + 1);
	}
}

static int32_t style_color(const struct making *m, unsigned int nr)
{
	if (!m->p->shares.mixed)
		return m->p->shares.list[nr].color;
	if (nr == MIXES)
		return COLOR_OTHERS;
	return color_mix(COLOR_READS, COLOR_WRITES,
			 (double)nr / (MIXES - 1));
}

static void set_styles(struct making *m)
{
	const struct plane_shares *s = &m->p->shares;
	unsigned int colors = s->mixed ? MIXES + 1 : s->shown;

	m->p->style_count = colors * PLANE_STRENGTHS;
	m->p->styles = allocate(m->p->style_count, sizeof(*m->p->styles));
	for (unsigned int i = 0; i < m->p->style_count; i++)
		m->p->styles[i] = (struct svg_cell_style){
			style_color(m, i / PLANE_STRENGTHS),
			opacities[i % PLANE_STRENGTHS],
		};
}

/* --- the rest ------------------------------------------------------------- */

static void set_legend(struct making *m)
{
	struct plane *p = m->p;

	p->legend = allocate(m->p->shares.count, sizeof(*p->legend));
	for (size_t i = 0; i < m->p->shares.count; i++) {
		const struct plane_share *s = &m->p->shares.list[i];

		if (!s->listed)
			continue;
		p->legend[p->legend_count++] = (struct svg_legend_entry){
			SVG_SQUARE, s->color, s->label
		};
	}
}

static void set_bands(struct making *m)
{
	size_t most = 0;

	for (size_t i = 0; i < m->count; i++)
		most += m->traces[i].device_count;
	m->p->bands = allocate(most, sizeof(*m->p->bands));
	for (size_t i = 0; m->range.stacked && i < m->count; i++) {
		const struct traced *t = &m->traces[i];

		for (size_t k = 0; k < t->device_count; k++)
			if (t->devices[k].raster.any)
				m->p->bands[m->p->band_count++] =
					(struct plane_band){
					t->devices[k].name,
					plane_range_base(&m->range, t, k) };
	}
}

/*
 * An axis that begins near 0 begins there, and ends at a tick; one that does
 * not is as long as what it shows, and so is one that the user has chosen.
 */
static void set_axis(struct making *m, unsigned int ticks)
{
	const double near = 0.2, mib = 2048;
	const struct watched_span *wanted = &m->o->sectors;
	struct scale *s = &m->p->axis;
	bool from_0 = !wanted->low && m->range.low < near * m->range.high;

	if (from_0 && wanted->high == UINT64_MAX)
		scale_set_up_to(s, m->range.high / mib, ticks);
	else
		scale_set(s, from_0 ? 0 : m->range.low / mib,
			  m->range.high / mib, ticks);
	m->low = s->low * mib;
	m->high = s->high * mib;
}

void plane_make(struct plane *p, const struct watch_options *o,
		const struct time_frame *frame, unsigned int ticks,
		const struct traced *traces, size_t count)
{
	struct making m = { .p = p, .o = o, .frame = frame, .traces = traces,
			    .count = count };
	size_t cells;

	*p = (struct plane){ .columns = o->width / PLANE_CELL,
			     .rows = o->height / PLANE_CELL };
	cells = (size_t)p->columns * p->rows;
	p->cells = allocate(cells, sizeof(*p->cells));
	plane_shares_find_all(&p->shares, o, traces, count);
	p->counts = allocate(cells * p->shares.shown, sizeof(*p->counts));
	if (!plane_range_find(&m.range, &o->sectors, traces, count)) {
		scale_set_up_to(&p->axis, 0, ticks);
	} else {
		set_axis(&m, ticks);
		count_all(&m);
		set_styles(&m);
		set_cells(&m);
		set_bands(&m);
	}
	set_legend(&m);
}

void plane_free(struct plane *p)
{
	plane_shares_free(&p->shares);
	free(p->counts);
	free(p->legend);
	free(p->bands);
	free(p->styles);
	free(p->cells);
}
