/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of graphs as numbers; see figure.h. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/msg.h"
#include "base/time.h"
#include "tools/iowatcher/figure.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/sources.h"
#include "tools/iowatcher/traced.h"

/* --- smooth --------------------------------------------------------------- */

/* The mean at one place; the sum is made anew each time, as one that is carried
 * on keeps the rounding of all before. */
static double mean_at(const double *x, const double *y, size_t at,
		      double window)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = at + 1; i-- && x[at] - x[i] < window;) {
		if (isnan(y[i]))
			continue;
		sum += y[i];
		n++;
	}
	return n ? sum / (double)n : NAN;
}

void smooth(const double *x, double *y, size_t count, double window)
{
	/* from the end, so that what is still needed is as it was */
	for (size_t i = count; i--;)
		if (!isnan(y[i]))
			y[i] = mean_at(x, y, i, window);
}

/* --- figure --------------------------------------------------------------- */

enum { PERCENTILE = 99 * HISTOGRAM_PERCENT };

/* --- time ----------------------------------------------------------------- */

/* A bin is some of the bins that traces have, all of which are a power of two
 * times the same. */
static uint64_t bin_length(uint64_t range, unsigned int wanted, uint64_t fine)
{
	uint64_t length = range / wanted + 1;

	if (length < NS_PER_MS)
		length = NS_PER_MS;
	return (length + fine - 1) / fine * fine;
}

static void take_more(uint64_t *most, uint64_t n)
{
	if (n > *most)
		*most = n;
}

static uint64_t widest(const struct sources *s)
{
	uint64_t most = 1;

	for (size_t i = 0; i < s->trace_count; i++) {
		const struct traced *t = &s->traces[i];

		for (int k = 0; k < TRACED_SOURCES; k++)
			take_more(&most, t->rates[k].width);
		for (int k = 0; k < TRACED_DEPTHS; k++)
			take_more(&most, t->depth[k].width);
	}
	for (size_t i = 0; i < s->log_count; i++)
		take_more(&most, s->logs[i].rates.width);
	return most;
}

/* when CPUs were last measured, as far as that is wanted */
static uint64_t cpus_end(const struct traced *t, const struct watch_options *o)
{
	double ns = t->cpus.end * (double)NS_PER_SECOND;

	return ns < (double)o->time.high ? (uint64_t)ns : o->time.high;
}

void time_frame_find(struct time_frame *f, const struct watch_options *o,
		     const struct sources *s)
{
	*f = (struct time_frame){ .from = o->time.low, .to = o->time.low };
	for (size_t i = 0; i < s->trace_count; i++) {
		take_more(&f->to, s->traces[i].end);
		take_more(&f->to, cpus_end(&s->traces[i], o));
	}
	for (size_t i = 0; i < s->log_count; i++)
		take_more(&f->to, s->logs[i].end);
	/* what happened at the very end is shown, too */
	f->to += f->to < UINT64_MAX;
	f->bin = bin_length(f->to - f->from, o->width / 2, widest(s));
	f->bins = (size_t)((f->to - f->from - 1) / f->bin + 1);
}

static uint64_t begin_of(const struct time_frame *f, size_t bin)
{
	return f->from + bin * f->bin;
}

static uint64_t end_of(const struct time_frame *f, size_t bin)
{
	uint64_t left = f->to - begin_of(f, bin);

	return begin_of(f, bin) + (left < f->bin ? left : f->bin);
}

/* how much of a bin counts: a sliver at the end is not to be a peak */
static double seconds_of(const struct time_frame *f, const struct traced *t,
			 size_t bin)
{
	uint64_t end = end_of(f, bin), length;

	if (end > t->end && end > t->end + 1)
		end = t->end + 1;
	length = end > begin_of(f, bin) ? end - begin_of(f, bin) : 0;
	if (length < f->bin / 2)
		length = f->bin / 2;
	return (double)length / (double)NS_PER_SECOND;
}

/* --- curves --------------------------------------------------------------- */

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		msg_die("out of memory");
	return p;
}

/* "LABEL WORD", or the one of them that there is */
static char *label_of(const char *label, const char *word)
{
	char *text;

	if (asprintf(&text, "%s%s%s", label, *label && *word ? " " : "",
		     word) < 0)
		msg_die("out of memory");
	return text;
}

/* how a line is drawn */
struct manner {
	const char *word;	/* behind the trace's label */
	enum svg_swatch swatch;
	int32_t color;
};

/* a curve of so many points, which are the caller's to set */
static struct curve *add_curve(struct figure *f, size_t points,
			       const char *label, const struct manner *m)
{
	struct curve *list = array_resize(f->curves, f->count + 1,
					  sizeof(*list));
	struct curve *c;

	if (!list)
		msg_die("out of memory");
	f->curves = list;
	c = &list[f->count++];
	*c = (struct curve){ .label = label_of(label, m->word),
			     .swatch = m->swatch, .color = m->color,
			     .count = points };
	c->x = allocate(c->count, sizeof(*c->x));
	c->y = allocate(c->count, sizeof(*c->y));
	if (m->swatch == SVG_BAND)
		c->low = allocate(c->count, sizeof(*c->low));
	return c;
}

/* a curve with a point in the middle of each bin */
static struct curve *add_bins(struct figure *f, const struct time_frame *frame,
			      const char *label, const struct manner *m)
{
	struct curve *c = add_curve(f, frame->bins, label, m);

	for (size_t i = 0; i < c->count; i++) {
		double middle = (double)begin_of(frame, i) / 2 +
				(double)end_of(frame, i) / 2;

		c->x[i] = middle / (double)NS_PER_SECOND;
	}
	return c;
}

/* of several traces, whose lines are in one graph, that trace's own */
static int32_t own_color(int32_t alone, size_t trace, size_t count)
{
	return count == 1 ? alone : color_of((unsigned int)(2 * trace));
}

struct making {
	struct figure *f;
	const struct time_frame *frame;
	const struct traced *t;
	size_t nr, traces;	/* of *t; in all */
	enum traced_source source;
};

/* the place of a curve in its figure: as pointers do not stay */
static size_t add(struct making *m, const struct manner *manner)
{
	add_bins(m->f, m->frame, m->t->label, manner);
	return m->f->count - 1;
}

static void sum_bin(const struct making *m, size_t bin, struct rate_sum *b)
{
	if (rates_sum(&m->t->rates[m->source], begin_of(m->frame, bin),
		      end_of(m->frame, bin), b))
		msg_die("out of memory");
}

/* --- rates ---------------------------------------------------------------- */

static bool has_class(const struct making *m, enum rate_class class)
{
	const struct rates *r = &m->t->rates[m->source];

	for (unsigned int i = 0; i < r->count; i++)
		if (r->bins[i].count[class])
			return true;
	return false;
}

/* Reads and writes are shown also when there are none, as 0.  What moves no
 * data has no throughput: a discarded disk would flatten all else. */
static void add_rates(struct making *m, size_t first[RATE_CLASSES])
{
	unsigned int nr = (unsigned int)(2 * m->nr);
	const struct manner manners[RATE_CLASSES] = {
		[RATE_READ] = { "Reads", SVG_LINE, color_of(nr) },
		[RATE_WRITE] = { "Writes", SVG_LINE, color_of(nr + 1) },
		[RATE_OTHER] = { "Others", SVG_LINE, COLOR_OTHERS },
	};

	bool others = m->f->kind == GRAPH_IOPS && has_class(m, RATE_OTHER);

	for (int c = 0; c < RATE_CLASSES; c++) {
		first[c] = SIZE_MAX;
		if (c != RATE_OTHER || others)
			first[c] = add(m, &manners[c]);
	}
}

static void make_rates(struct making *m)
{
	bool bytes = m->f->kind == GRAPH_TPUT;
	size_t curves[RATE_CLASSES];

	if (m->source == TRACED_SOURCES)
		return;
	add_rates(m, curves);
	for (size_t i = 0; i < m->frame->bins; i++) {
		double seconds = seconds_of(m->frame, m->t, i);
		struct rate_sum b;

		sum_bin(m, i, &b);
		for (int c = 0; c < RATE_CLASSES; c++) {
			uint64_t n = bytes ? b.bytes[c] : b.count[c];

			if (curves[c] != SIZE_MAX)
				m->f->curves[curves[c]].y[i] =
					(double)n / seconds;
		}
		rate_sum_free(&b);
	}
}

/* --- latency -------------------------------------------------------------- */

static void make_latency(struct making *m)
{
	const struct manner percentile = {
		"p99", SVG_DASHES, own_color(COLOR_PERCENTILE, m->nr, m->traces)
	};
	const struct manner mean = {
		"mean", SVG_LINE, own_color(COLOR_MEAN, m->nr, m->traces)
	};
	size_t high, middle;

	if (m->source >= TRACED_DEPTHS)
		return;
	middle = add(m, &mean);
	high = add(m, &percentile);
	for (size_t i = 0; i < m->frame->bins; i++) {
		const struct histogram *h;
		struct rate_sum b;
		uint64_t rank;

		sum_bin(m, i, &b);
		h = &b.spans;
		rank = histogram_rank(h->count, PERCENTILE);
		m->f->curves[middle].y[i] = h->count ?
			wide_double(h->sum) / (double)h->count : NAN;
		m->f->curves[high].y[i] = h->count ?
			(double)histogram_kth(h, rank) : NAN;
		rate_sum_free(&b);
	}
}

/* --- depth ---------------------------------------------------------------- */

static void make_depth(struct making *m)
{
	int32_t color = own_color(COLOR_DEPTH, m->nr, m->traces);
	const struct manner range = { "range", SVG_BAND, color };
	const struct manner mean = { "mean", SVG_LINE, color };
	size_t band, middle;

	if (m->source >= TRACED_DEPTHS)
		return;
	middle = add(m, &mean);
	band = add(m, &range);
	for (size_t i = 0; i < m->frame->bins; i++) {
		struct depth_bin b;

		depth_bins_sum(&m->t->depth[m->source], begin_of(m->frame, i),
			       end_of(m->frame, i), &b);
		m->f->curves[middle].y[i] = b.length ?
			wide_double(b.integral) / (double)b.length : 0;
		m->f->curves[band].y[i] = b.most;
		m->f->curves[band].low[i] = b.least;
	}
}

/* --- CPUs ----------------------------------------------------------------- */

static size_t count_within(const struct making *m, const struct cpu_points *p)
{
	double from = (double)m->frame->from / (double)NS_PER_SECOND;
	double to = (double)m->frame->to / (double)NS_PER_SECOND;
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		n += p->x[i] >= from && p->x[i] <= to;
	return n;
}

static void add_points(struct making *m, const struct cpu_points *p,
		       const struct manner *manner)
{
	double from = (double)m->frame->from / (double)NS_PER_SECOND;
	double to = (double)m->frame->to / (double)NS_PER_SECOND;
	size_t n = count_within(m, p), at = 0;
	struct curve *c;

	if (!n)
		return;
	c = add_curve(m->f, n, m->t->label, manner);
	for (size_t i = 0; i < p->count; i++) {
		if (p->x[i] < from || p->x[i] > to)
			continue;
		c->x[at] = p->x[i];
		c->y[at++] = p->y[i];
	}
}

static void make_cpus(struct making *m)
{
	int kind = (int)m->f->kind - GRAPH_CPU_IO;
	int32_t color = own_color(COLOR_READS, m->nr, m->traces);
	const struct manner mean = { "avg", SVG_LINE, color };
	const struct manner high = {
		"high", SVG_CROSS, own_color(COLOR_WRITES, m->nr, m->traces)
	};

	add_points(m, &m->t->cpus.mean[kind], &mean);
	add_points(m, &m->t->cpus.high[kind], &high);
}

/* --- logs of fio ---------------------------------------------------------- */

static size_t bins_with(const struct time_frame *frame, const struct rates *r,
			enum rate_class class, struct curve *c)
{
	size_t n = 0;

	for (size_t i = 0; i < frame->bins; i++) {
		struct rate_sum b;
		uint64_t begin = begin_of(frame, i), end = end_of(frame, i);

		if (rates_sum(r, begin, end, &b))
			msg_die("out of memory");
		if (b.count[class] && c) {
			c->x[n] = ((double)begin / 2 + (double)end / 2) /
				  (double)NS_PER_SECOND;
			c->y[n] = (double)b.bytes[class] /
				  (double)b.count[class];
		}
		n += b.count[class] != 0;
		rate_sum_free(&b);
	}
	return n;
}

/* Means of what the log has; a direction is only named if there are both. */
static void make_log(struct figure *f, const struct time_frame *frame,
		     const struct fio_log *l, size_t nr)
{
	static const char *const words[] = { "Reads", "Writes" };
	size_t points[] = { bins_with(frame, &l->rates, RATE_READ, NULL),
			    bins_with(frame, &l->rates, RATE_WRITE, NULL) };

	for (unsigned int c = RATE_READ; c <= RATE_WRITE; c++) {
		const struct manner m = {
			points[!c] ? words[c] : "", SVG_LINE,
			color_of((unsigned int)(2 * nr) + c)
		};

		if (points[c])
			bins_with(frame, &l->rates, (enum rate_class)c,
				  add_curve(f, points[c], l->label, &m));
	}
}

/* --- a figure ------------------------------------------------------------- */

static void (*const makers[GRAPHS])(struct making *m) = {
	[GRAPH_TPUT] = make_rates,
	[GRAPH_CPU_IO] = make_cpus,
	[GRAPH_CPU_SYS] = make_cpus,
	[GRAPH_CPU_IRQ] = make_cpus,
	[GRAPH_CPU_SOFT] = make_cpus,
	[GRAPH_CPU_USER] = make_cpus,
	[GRAPH_LATENCY] = make_latency,
	[GRAPH_DEPTH] = make_depth,
	[GRAPH_IOPS] = make_rates,
};

static void smooth_figure(struct figure *f, uint64_t rolling)
{
	double seconds = (double)rolling / (double)NS_PER_SECOND;

	for (size_t i = 0; rolling && i < f->count; i++) {
		struct curve *c = &f->curves[i];

		smooth(c->x, c->y, c->count, seconds);
		if (c->low)
			smooth(c->x, c->low, c->count, seconds);
	}
}

void figure_make(struct figure *f, enum graph_kind kind,
		 const struct watch_options *o, const struct time_frame *frame,
		 const struct sources *s)
{
	*f = (struct figure){ .kind = kind };
	for (size_t i = 0; i < s->trace_count; i++) {
		struct making m = { .f = f, .frame = frame,
				    .t = &s->traces[i], .nr = i,
				    .traces = s->trace_count,
				    .source = traced_source(&s->traces[i]) };

		if (makers[kind])
			makers[kind](&m);
	}
	for (size_t i = 0; kind == GRAPH_FIO && i < s->log_count; i++)
		make_log(f, frame, &s->logs[i], i);
	smooth_figure(f, o->rolling);
}

double figure_most(const struct figure *f)
{
	double most = 0;

	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; k < f->curves[i].count; k++)
			if (f->curves[i].y[k] > most)
				most = f->curves[i].y[k];
	return most;
}

void figure_free(struct figure *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->curves[i].label);
		free(f->curves[i].x);
		free(f->curves[i].y);
		free(f->curves[i].low);
	}
	free(f->curves);
	*f = (struct figure){ .count = 0 };
}
