/* SPDX-License-Identifier: GPL-2.0-only */
/* Caches on a page; see cache_panel.h. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "base/unit.h"
#include "cache/caches.h"
#include "cache/points.h"
#include "report/cache_panel.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/report.h"
#include "run/device.h"

#define MILLION 1e6

/* the picture, in its own px */
enum {
	LEFT = 44,
	TOP = 8,
	WIDTH = 600,
	HEIGHT = 160,
	AROUND_X = LEFT + WIDTH + 40,
	AROUND_Y = TOP + HEIGHT + 24,
	TICKS = 4
};

/* a cache and how the page calls it */
struct panel {
	const struct report_page *page;
	const struct cache *cache;
	uint32_t device;	/* its place in the tree; ALL */
	struct points points;
	int policies;
};

#define ALL UINT32_MAX

static const char *const names[CACHE_CURVES] = {
	[CACHE_READS] = "Reads", [CACHE_WRITES] = "Writes",
	[CACHE_SAVED] = "Writes saved",
};

static const char *const colours[CACHE_CURVES] = {
	[CACHE_READS] = "read", [CACHE_WRITES] = "write",
	[CACHE_SAVED] = "flush",
};

/* --- which ---------------------------------------------------------------- */

static const struct cache *cache_of(const struct report_page *p, uint32_t i)
{
	const struct report_disks *d = &p->r->disks;
	uint32_t id;

	if (i == ALL)
		return p->caches->all;
	id = d->list[d->order[i]].device->id;
	return d->list[d->order[i]].others || id >= p->caches->count ? NULL :
	       p->caches->list[id];
}

/* false: there is none */
static bool find_panel(struct panel *a, const struct report_page *p, uint32_t i)
{
	*a = (struct panel){
		.page = p, .cache = cache_of(p, i), .device = i,
		.policies = p->caches->fifo ? CACHE_POLICIES : CACHE_LRU + 1,
	};
	if (a->cache)
		points_find(&a->points, a->cache);
	return a->cache;
}

static bool is_known(const struct panel *a, const struct cache_point *at,
		     int policy, int curve)
{
	return at->known[policy] && a->points.accesses[curve];
}

/* --- texts ---------------------------------------------------------------- */

/* "71.0% ± 1.2%" */
static void put_share(struct buf *b, struct curve_point p)
{
	char text[UNIT_MAX];

	unit_share_exact(text, p.served, 1000000, 1);
	markup(b, "%s", text);
	if (!p.error)
		return;
	unit_share_exact(text, p.error, 1000000, 1);
	markup(b, THIN "\u00b1" THIN "%s", text);
}

static void put_size(struct buf *b, uint64_t bytes)
{
	char text[FIGURE_TEXT_MAX];

	markup_text(b, figure_text(text, figure_size((double)bytes)));
}

static void put_answer(const struct panel *a, struct buf *b)
{
	const struct points *p = &a->points;

	if (!points_serve_reads(p)) {
		markup(b, p->accesses[CACHE_READS] ?
		       "No cache would serve a read: none is of what was read"
		       " or written before." : "Nothing is read.");
		return;
	}
	markup(b, "A cache of ");
	put_size(b, p->list[p->half].bytes);
	markup(b, " would serve ");
	put_share(b, p->list[p->half].at[CACHE_LRU][CACHE_READS]);
	markup(b, " of reads");
	if (p->most > p->half) {
		markup(b, ", ");
		put_size(b, p->list[p->most].bytes);
		markup(b, " ");
		put_share(b, p->list[p->most].at[CACHE_LRU][CACHE_READS]);
	}
	markup(b, ".");
}

static void put_facts(const struct panel *a, struct buf *b)
{
	const struct cache_facts *f = &a->points.facts;

	markup(b, f->share > 1 ? "About " : "");
	put_size(b, f->touched);
	markup(b, " touched: ");
	put_size(b, f->read);
	markup(b, " read, ");
	put_size(b, f->written);
	markup(b, " written. LRU, blocks of ");
	put_size(b, 1ull << cache_block_bits(a->cache));
	if (f->share > 1)
		markup(b, ", one of %llu followed",
		       (unsigned long long)f->share);
	markup(b, ".");
}

/* --- the picture ---------------------------------------------------------- */

/* the share at its top, ppm */
static double top_of(const struct panel *a)
{
	static const double tops[] = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.5 };
	double most = 0;

	for (unsigned int i = 0; i < a->points.count; i++)
		for (int k = 0; k < CACHE_CURVES; k++) {
			const struct curve_point *p =
				&a->points.list[i].at[CACHE_LRU][k];

			if (p->served + p->error > most)
				most = p->served + p->error;
		}
	for (unsigned int i = 0; i < sizeof(tops) / sizeof(*tops); i++)
		if (most <= tops[i] * MILLION)
			return tops[i] * MILLION;
	return MILLION;
}

static double x_of(const struct panel *a, unsigned int i)
{
	unsigned int steps = a->points.count > 1 ? a->points.count - 1 : 1;

	return LEFT + (double)WIDTH * i / steps;
}

static double y_of(double ppm, double top)
{
	double share = ppm < 0 ? 0 : ppm > top ? 1 : ppm / top;

	return TOP + HEIGHT * (1 - share);
}

static void put_axes(const struct panel *a, double top, struct buf *b)
{
	char text[FIGURE_TEXT_MAX];

	for (int i = 0; i <= TICKS; i++) {
		double y = TOP + (double)HEIGHT * (TICKS - i) / TICKS;

		figure_text(text, figure_share(top * i / TICKS, MILLION));
		markup(b, "<path d=\"M%d %.1fh%d\"/><text x=\"%d\" y=\"%.1f\""
		       " text-anchor=\"end\">%s</text>", LEFT, y, WIDTH,
		       LEFT - 6, y + 4, text);
	}
	/* names of all would not fit */
	for (unsigned int i = 0; i < a->points.count; i += 2) {
		figure_text(text, figure_size(
				(double)a->points.list[i].bytes));
		markup(b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">"
		       "%s</text>", x_of(a, i), TOP + HEIGHT + 18, text);
	}
	markup(b, "\n");
}

/* the part of the picture that the error leaves open */
static void put_band(const struct panel *a, int curve, double top,
		     struct buf *b)
{
	const struct cache_point *list = a->points.list;

	markup(b, "<polygon style=\"fill:var(--%s)\" points=\"",
	       colours[curve]);
	for (unsigned int i = 0; i < a->points.count; i++) {
		struct curve_point p = list[i].at[CACHE_LRU][curve];

		markup(b, "%.1f,%.1f ", x_of(a, i),
		       y_of((double)p.served + p.error, top));
	}
	for (unsigned int i = a->points.count; i--;) {
		struct curve_point p = list[i].at[CACHE_LRU][curve];

		markup(b, "%.1f,%.1f ", x_of(a, i),
		       y_of((double)p.served - p.error, top));
	}
	markup(b, "\"/>\n");
}

static void put_line(const struct panel *a, int policy, int curve, double top,
		     struct buf *b)
{
	markup(b, "<polyline%s style=\"stroke:var(--%s)\" points=\"",
	       policy ? " stroke-dasharray=\"5 3\"" : "", colours[curve]);
	for (unsigned int i = 0; i < a->points.count; i++) {
		const struct cache_point *at = &a->points.list[i];

		if (is_known(a, at, policy, curve))
			markup(b, "%.1f,%.1f ", x_of(a, i),
			       y_of(at->at[policy][curve].served, top));
	}
	markup(b, "\"/>\n");
}

static void put_picture(const struct panel *a, struct buf *b)
{
	double top = top_of(a);

	markup(b, "<svg class=\"curve\" role=\"img\" aria-label=\"Share served"
	       " by the cache's size\" viewBox=\"0 0 %d %d\">\n", AROUND_X,
	       AROUND_Y);
	put_axes(a, top, b);
	for (int k = 0; k < CACHE_CURVES; k++)
		if (a->points.accesses[k] && a->points.facts.share > 1)
			put_band(a, k, top, b);
	for (int policy = 0; policy < a->policies; policy++)
		for (int k = 0; k < CACHE_CURVES; k++)
			if (a->points.accesses[k])
				put_line(a, policy, k, top, b);
	markup(b, "</svg>\n");
}

static void put_legend(const struct panel *a, struct buf *b)
{
	markup(b, "<p class=\"legend\">");
	for (int k = 0; k < CACHE_CURVES; k++)
		if (a->points.accesses[k])
			markup(b, "<span class=\"item\"><i class=\"line\""
			       " style=\"--of:var(--%s)\"></i>%s</span>",
			       colours[k], names[k]);
	if (a->policies > 1)
		markup(b, "<span class=\"item\">dashed: S3-FIFO</span>");
	markup(b, "</p>\n");
}

/* --- the table ------------------------------------------------------------ */

static void put_headings(const struct panel *a, struct buf *b)
{
	markup(b, "<thead><tr><th scope=\"col\">Size</th>");
	for (int policy = 0; policy < a->policies; policy++)
		for (int k = 0; k < CACHE_CURVES; k++)
			markup(b, "<th scope=\"col\" class=\"num\">%s%s</th>",
			       names[k], policy ? ", S3-FIFO" : "");
	markup(b, "</tr></thead>\n<tbody>\n");
}

static void put_row(const struct panel *a, const struct cache_point *at,
		    struct buf *b)
{
	markup(b, "<tr><th scope=\"row\">");
	put_size(b, at->bytes);
	markup(b, "</th>");
	for (int policy = 0; policy < a->policies; policy++)
		for (int k = 0; k < CACHE_CURVES; k++) {
			markup(b, "<td class=\"num\">");
			if (is_known(a, at, policy, k))
				put_share(b, at->at[policy][k]);
			else
				markup(b, DASH);
			markup(b, "</td>");
		}
	markup(b, "</tr>\n");
}

static void put_panel(const struct panel *a, struct buf *b)
{
	char name[PAGE_NAME_MAX] = "all disks";

	if (a->device != ALL)
		page_device(a->page, a->device, name);
	markup(b, "<section class=\"cache\"><h2>A cache in front of ");
	markup_text(b, name);
	markup(b, "</h2>\n<p class=\"sentence\">");
	put_answer(a, b);
	markup(b, "</p>\n<p>");
	put_facts(a, b);
	markup(b, "</p>\n");
	put_legend(a, b);
	put_picture(a, b);
	markup(b, "<div class=\"wide\"><table>");
	put_headings(a, b);
	for (unsigned int i = 0; i < a->points.count; i++)
		put_row(a, &a->points.list[i], b);
	markup(b, "</tbody></table></div></section>\n");
}

/* --- all of them ---------------------------------------------------------- */

void cache_panel_write(const struct report_page *p, struct buf *b)
{
	struct panel a;

	if (!p->caches)
		return;
	for (uint32_t i = 0; i < p->r->disks.there; i++)
		if (find_panel(&a, p, i))
			put_panel(&a, b);
	if (find_panel(&a, p, ALL))
		put_panel(&a, b);
}

/* [bytes, reads, their error, writes, ...], in ppm */
static void put_point(const struct panel *a, const struct cache_point *at,
		      struct json *j)
{
	json_put_array(j, NULL);
	json_put_number(j, NULL, at->bytes);
	for (int policy = 0; policy < a->policies; policy++)
		for (int k = 0; k < CACHE_CURVES; k++) {
			if (!is_known(a, at, policy, k)) {
				json_put_null(j, NULL);
				json_put_null(j, NULL);
				continue;
			}
			json_put_number(j, NULL, at->at[policy][k].served);
			json_put_number(j, NULL, at->at[policy][k].error);
		}
	json_put_array_end(j);
}

static void put_meta(const struct panel *a, struct json *j)
{
	const struct cache_facts *f = &a->points.facts;

	json_put_object(j, NULL);
	if (a->device == ALL)
		json_put_null(j, "device");
	else
		json_put_number(j, "device", a->device);
	json_put_number(j, "block", 1ull << cache_block_bits(a->cache));
	json_put_number(j, "share", f->share);
	json_put_number(j, "touched", f->touched);
	json_put_number(j, "read", f->read);
	json_put_number(j, "written", f->written);
	json_put_array(j, "sizes");
	for (unsigned int i = 0; i < a->points.count; i++)
		put_point(a, &a->points.list[i], j);
	json_put_array_end(j);
	json_put_object_end(j);
}

void cache_panel_meta(const struct report_page *p, struct json *j)
{
	struct panel a;

	if (!p->caches)
		return;
	json_put_array(j, "caches");
	for (uint32_t i = 0; i < p->r->disks.there; i++)
		if (find_panel(&a, p, i))
			put_meta(&a, j);
	if (find_panel(&a, p, ALL))
		put_meta(&a, j);
	json_put_array_end(j);
}
