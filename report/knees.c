/* SPDX-License-Identifier: GPL-2.0-only */
/* What devices can do, on a page; see knees.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/time.h"
#include "capacity/capacity.h"
#include "capacity/depths.h"
#include "report/knees.h"
#include "report/markup.h"
#include "report/page.h"
#include "run/device.h"

enum {
	P50 = 50 * HISTOGRAM_PERCENT, P99 = 99 * HISTOGRAM_PERCENT,
	/* a picture, in its own units */
	WIDTH = 460, HEIGHT = 190, LEFT = 62, TOP = 12, RIGHT = 12, BOTTOM = 34,
	POINTS = 40,		/* rows of depths; there are two for each of 14
				 * powers of two */
	CAME = 20,		/* fewer I/Os are no point, */
	UNSURE = 10		/* nor a rate that may be this percentage off */
};

/* a row of depths */
struct point {
	uint32_t low, high;
	double mean, time;
	double rate, p50, p99;	/* NAN: too few I/Os */
};

struct knee_card {
	const struct report_page *p;
	uint32_t disk;		/* report_disks' number */
	const struct levels *levels;
	struct capacity_facts f;
	struct point points[POINTS];
	unsigned int count;
};

/* --- numbers -------------------------------------------------------------- */

/* A depth that only passes has few I/Os, or of which none completes there. */
static void take(struct knee_card *k, const struct depths *d)
{
	struct knee_range rate = depths_rate(d);
	bool enough = d->latency.count >= CAME;

	if (k->count == POINTS)
		return;
	k->points[k->count++] = (struct point){
		.low = d->low, .high = d->high, .mean = d->mean,
		.time = d->all_time,
		.rate = 100 * rate.high <= (100 + UNSURE) * rate.is ?
			rate.is : NAN,
		.p50 = enough ? (double)depths_percentile(d, P50) : NAN,
		.p99 = enough ? (double)depths_percentile(d, P99) : NAN,
	};
}

/* false: it has no capacity, or there is no memory, which b stores */
static bool find(struct knee_card *k, const struct report_page *p,
		 uint32_t index, struct buf *b)
{
	uint32_t disk = p->r->disks.order[index];
	uint32_t id = p->r->disks.list[disk].device->id;
	const struct capacity_device *d = p->capacity ?
		capacity_of(p->capacity, id) : NULL;
	struct depths row = { .low = 0 };
	int got;

	*k = (struct knee_card){ .p = p, .disk = index };
	if (!d)
		return false;
	k->levels = d->levels;
	k->f = d->facts;
	if (k->f.knee.state == KNEE_NONE || k->f.knee.state == KNEE_DOUBTFUL)
		return false;
	while ((got = depths_next(&row, d->levels)) == 1)
		take(k, &row);
	depths_free(&row);
	if (got)
		b->error = ENOMEM;
	return !got;
}

/* --- pictures ------------------------------------------------------------- */

/* a picture's axes: depth is logarithmic */
struct picture {
	const struct knee_card *k;
	double most;		/* depth */
	double low, high;	/* of the values; low above 0: logarithmic */
	struct buf *b;
};

static double across(const struct picture *g, double depth)
{
	double share = log2(fmax(depth, 1)) / fmax(log2(g->most), 1);

	return LEFT + fmin(share, 1) * (WIDTH - LEFT - RIGHT);
}

static double up(const struct picture *g, double value)
{
	double share = g->low > 0 ? log(value / g->low) / log(g->high / g->low) :
				    value / g->high;

	return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
}

/* the range of the knee, behind all */
static void put_band(const struct picture *g)
{
	const struct knee *k = &g->k->f.knee;
	double from = across(g, k->level.low), to = across(g, k->level.high);

	if (k->state != KNEE_FOUND)
		return;
	markup(g->b, "<rect class=\"band\" x=\"%.1f\" y=\"%d\" width=\"%.1f\""
	       " height=\"%d\"/>", from, TOP, fmax(to - from, 1),
	       HEIGHT - BOTTOM - TOP);
	markup(g->b, "<line class=\"knee\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\""
	       " y2=\"%d\"/>", across(g, k->level.is), across(g, k->level.is),
	       TOP, HEIGHT - BOTTOM);
}

static void put_depths(const struct picture *g)
{
	for (uint32_t depth = 1; depth <= g->most; depth *= 2)
		markup(g->b, "<text x=\"%.1f\" y=\"%d\">%u</text>",
		       across(g, depth), HEIGHT - BOTTOM + 14, depth);
	markup(g->b, "<text x=\"%d\" y=\"%d\">depth: I/Os at the device</text>",
	       (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4);
}

/* a line across, and its value */
static void put_tick(const struct picture *g, double value, struct figure f)
{
	char text[FIGURE_TEXT_MAX];

	markup(g->b, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\""
	       " y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, up(g, value),
	       up(g, value));
	markup(g->b, "<text class=\"value\" x=\"%d\" y=\"%.1f\">%s</text>",
	       LEFT - 6, up(g, value) + 4, figure_text(text, f));
}

/* a line through a value of each row that has one */
static void put_line(const struct picture *g, const char *class, size_t offset)
{
	char command = 'M';

	markup(g->b, "<path class=\"%s\" d=\"", class);
	for (unsigned int i = 0; i < g->k->count; i++) {
		const struct point *p = &g->k->points[i];
		double value = *(const double *)((const char *)p + offset);

		if (isnan(value))
			continue;
		markup(g->b, "%c%.1f %.1f", command, across(g, p->mean),
		       up(g, value));
		command = 'L';
	}
	markup(g->b, "\"/>");
}

static void begin_picture(const struct picture *g, const char *what)
{
	char name[PAGE_NAME_MAX];

	markup(g->b, "<figure><figcaption>%s</figcaption><svg viewBox=\"0 0 %d"
	       " %d\" role=\"img\" aria-label=\"%s of ", what, WIDTH, HEIGHT,
	       what);
	markup_text(g->b, page_device(g->k->p, g->k->disk, name));
	markup(g->b, "\">");
	put_band(g);
	put_depths(g);
}

static void end_picture(const struct picture *g)
{
	markup(g->b, "</svg></figure>\n");
}

/* the greatest value, and the deepest row that has one */
static void measure(struct picture *g, size_t offset)
{
	for (unsigned int i = 0; i < g->k->count; i++) {
		const struct point *p = &g->k->points[i];
		double value = *(const double *)((const char *)p + offset);

		if (isnan(value))
			continue;
		g->most = fmax(g->most, p->mean);
		g->high = fmax(g->high, value);
		if (g->low > 0)
			g->low = fmin(g->low, value);
	}
}

/* a round number for four ticks or so */
static double step_of(double high)
{
	static const double steps[] = { 1, 2, 2.5, 5, 10 };
	double power = pow(10, floor(log10(high / 4)));
	unsigned int i = 0;

	while (steps[i] * power < high / 5)
		i++;
	return steps[i] * power;
}

static void put_throughput(const struct knee_card *k, struct buf *b)
{
	struct picture g = { .k = k, .most = 2, .b = b };

	measure(&g, offsetof(struct point, rate));
	if (g.high <= 0)
		return;
	begin_picture(&g, "Throughput by depth, I/Os a second");
	for (double v = 0; v <= g.high; v += step_of(g.high))
		put_tick(&g, v, figure_decimal(v));
	put_line(&g, "rate", offsetof(struct point, rate));
	end_picture(&g);
}

static void put_latency(const struct knee_card *k, struct buf *b)
{
	struct picture g = { .k = k, .most = 2, .low = HUGE_VAL, .b = b };

	measure(&g, offsetof(struct point, p50));
	measure(&g, offsetof(struct point, p99));
	if (g.high <= 0)
		return;
	g.low = pow(10, floor(log10(fmax(g.low, 1))));
	g.high = pow(10, ceil(log10(fmax(g.high, g.low * 1.01))));
	begin_picture(&g, "Latency Q2C by depth, p50 and p99 (dashed)");
	for (double v = g.low; v <= g.high * 1.01; v *= 10)
		put_tick(&g, v, figure_time(v));
	put_line(&g, "p50", offsetof(struct point, p50));
	put_line(&g, "p99", offsetof(struct point, p99));
	end_picture(&g);
}

/* --- sentences ------------------------------------------------------------ */

static const char *number(char text[FIGURE_TEXT_MAX], double v)
{
	return figure_text(text, figure_decimal(v));
}

static void put_range(struct buf *b, const struct knee_range *r)
{
	char is[FIGURE_TEXT_MAX], low[FIGURE_TEXT_MAX], high[FIGURE_TEXT_MAX];

	markup(b, "%s (%s to %s)", number(is, r->is), number(low, r->low),
	       number(high, r->high));
}

static void put_found(const struct knee_card *k, struct buf *b)
{
	const struct capacity_facts *f = &k->f;
	char least[FIGURE_TEXT_MAX];

	if (f->knee.state == KNEE_FOUND) {
		markup(b, "Depth above ");
		put_range(b, &f->knee.level);
		markup(b, " only adds waiting");
	} else {
		markup(b, "Throughput is the same from depth %s, the least"
		       " seen, on: more only adds waiting",
		       number(least, f->knee.least));
	}
	markup(b, ". Capacity with these I/Os: ");
	put_range(b, &f->knee.rate);
	markup(b, " a second, of which %.0f%% are left on average (\xc2\xb1"
	       "%.0f).", 100 * f->headroom.left.is,
	       50 * (f->headroom.left.high - f->headroom.left.low));
}

static void put_sentence(const struct knee_card *k, struct buf *b)
{
	const struct knee *knee = &k->f.knee;
	char depth[FIGURE_TEXT_MAX], rate[FIGURE_TEXT_MAX];

	markup(b, "<p>");
	if (knee->state == KNEE_FOUND || knee->state == KNEE_BELOW)
		put_found(k, b);
	else
		markup(b, "Not enough range in this trace: %s %s. Capacity is at"
		       " least %s I/Os a second.", knee->state == KNEE_ABOVE ?
		       "throughput still rises at the highest depth," :
		       "depth is always about", number(depth, knee->most),
		       number(rate, knee->rate.is));
	markup(b, "</p>\n");
}

void knees_write(const struct report_page *p, struct buf *b)
{
	char name[PAGE_NAME_MAX];
	struct knee_card k;
	bool any = false;

	for (uint32_t i = 0; i < p->r->disks.there; i++) {
		if (!find(&k, p, i, b))
			continue;
		if (!any)
			markup(b, "<section id=\"t-capacity\"><h2>Capacity"
			       "</h2>\n");
		any = true;
		markup(b, "<div class=\"capacity\"><h3>");
		markup_text(b, page_device(p, i, name));
		markup(b, "</h3>");
		put_sentence(&k, b);
		put_throughput(&k, b);
		put_latency(&k, b);
		markup(b, "</div>\n");
	}
	if (any)
		markup(b, "</section>\n");
}

/* --- JSON ----------------------------------------------------------------- */

static void put_real(struct json *j, const char *name, double value)
{
	if (isfinite(value))
		json_put_real(j, name, value);
	else
		json_put_null(j, name);
}

/* [is, low, high] */
static void put_range_data(struct json *j, const char *name,
			   const struct knee_range *r)
{
	json_put_array(j, name);
	put_real(j, NULL, r->is);
	put_real(j, NULL, r->low);
	put_real(j, NULL, r->high);
	json_put_array_end(j);
}

static void put_point(struct json *j, const struct point *p)
{
	json_put_array(j, NULL);
	json_put_number(j, NULL, p->low);
	json_put_number(j, NULL, p->high);
	put_real(j, NULL, p->time);
	put_real(j, NULL, p->rate);
	put_real(j, NULL, p->p50);
	put_real(j, NULL, p->p99);
	json_put_array_end(j);
}

static void put_card(struct json *j, const struct knee_card *k)
{
	const struct capacity_facts *f = &k->f;

	json_put_object(j, NULL);
	json_put_number(j, "device", k->disk);
	json_put_string(j, "state", knee_state_name(f->knee.state));
	put_range_data(j, "knee", &f->knee.level);
	put_range_data(j, "perSecond", &f->knee.rate);
	json_put_real(j, "used", f->headroom.now);
	json_put_array(j, "depths");
	for (unsigned int i = 0; i < k->count; i++)
		put_point(j, &k->points[i]);
	json_put_array_end(j);
	json_put_object_end(j);
}

void knees_put(const struct report_page *p, struct json *j)
{
	struct knee_card k;

	if (!p->capacity)
		return;
	json_put_array(j, "capacity");
	for (uint32_t i = 0; i < p->r->disks.there; i++)
		if (find(&k, p, i, j->b))
			put_card(j, &k);
	json_put_array_end(j);
}
