/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands above the graphs; see tiles.h. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "analysis/facts.h"
#include "base/buf.h"
#include "emit/report/markup.h"
#include "emit/report/page.h"
#include "emit/report/tiles.h"

#define MIDDLE_DOT " \xc2\xb7 "
#define TIMES "\xc3\x97"

static const struct report_table_row *all_of(const struct report_page *p)
{
	return &p->tables->of[REPORT_ALL].rows[0];
}

/* --- the line below the title --------------------------------------------- */

void tiles_write_sub(const struct report_page *p, struct buf *b)
{
	char text[FIGURE_TEXT_MAX];
	struct timespec wall;
	struct tm tm;

	if (*p->host) {
		markup_text(b, p->host);
		markup(b, MIDDLE_DOT);
	}
	if (page_wall(p, &wall) && gmtime_r(&wall.tv_sec, &tm)) {
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
		markup(b, "%s" MIDDLE_DOT, text);
	}
	markup(b, "%s events",
	       figure_text(text, figure_count(p->facts->records)));
}

/* --- tiles ---------------------------------------------------------------- */

/* up to its note, which the caller writes, and end_tile() behind it */
static void begin_tile(struct buf *b, const char *key, const char *label,
		       struct figure f, bool bad)
{
	markup(b, "<div class=\"tile%s\" data-tile=\"%s\">"
	       "<div class=\"label\">%s</div><div class=\"value\">",
	       bad ? " bad" : "", key, label);
	markup_text(b, f.value);
	if (*f.unit) {
		markup(b, "<small>" THIN);
		markup_text(b, f.unit);
		markup(b, "</small>");
	}
	markup(b, "</div><div class=\"note\">");
}

static void end_tile(struct buf *b)
{
	markup(b, "</div></div>\n");
}

static void tile_duration(const struct report_page *p, struct buf *b)
{
	char text[FIGURE_TEXT_MAX];
	struct timespec wall;
	struct tm tm;

	begin_tile(b, "duration", "Duration",
		   figure_time((double)p->r->length), false);
	if (page_wall(p, &wall) && gmtime_r(&wall.tv_sec, &tm)) {
		strftime(text, sizeof(text), "from %H:%M:%S UTC", &tm);
		markup(b, "%s", text);
	}
	end_tile(b);
}

/* of an operation, 0 if there was none */
static struct report_sums op_sums(const struct report_page *p, unsigned int op)
{
	const struct report_table *t = &p->tables->of[REPORT_BY_OP];

	for (uint32_t i = 0; i < t->count; i++)
		if (t->rows[i].key == op)
			return t->rows[i].sums;
	return (struct report_sums){ .count = 0 };
}

static void tile_ios(const struct report_page *p, struct buf *b)
{
	double all = (double)all_of(p)->sums.count;
	char reads[FIGURE_TEXT_MAX], writes[FIGURE_TEXT_MAX];

	begin_tile(b, "ios", "I/Os", figure_count(all_of(p)->sums.count),
		   false);
	figure_text(reads, figure_share(
		(double)op_sums(p, REPORT_READ).count, all));
	figure_text(writes, figure_share(
		(double)op_sums(p, REPORT_WRITE).count, all));
	markup(b, "%s read, %s write", reads, writes);
	end_tile(b);
}

static void tile_data(const struct report_page *p, struct buf *b)
{
	double all = (double)all_of(p)->sums.blocks;
	double reads = (double)op_sums(p, REPORT_READ).blocks;
	char text[FIGURE_TEXT_MAX];

	begin_tile(b, "data", "Data", figure_size(all * 512), false);
	markup(b, "%s read<i class=\"part\" style=\"--part:%.1f%%\"></i>",
	       figure_text(text, figure_share(reads, all)),
	       all > 0 ? 100 * reads / all : 0);
	end_tile(b);
}

static void tile_rate(const struct report_page *p, struct buf *b)
{
	double seconds = (double)p->r->length / 1e9;
	double each = seconds > 0 ? 1 / seconds : 0;
	char text[FIGURE_TEXT_MAX];
	struct figure rate;

	rate = figure_decimal((double)all_of(p)->sums.count * each);
	snprintf(rate.unit, sizeof(rate.unit), "/s");
	begin_tile(b, "rate", "I/O rate", rate, false);
	markup(b, "%s/s", figure_text(text, figure_size(
		(double)all_of(p)->sums.blocks * 512 * each)));
	end_tile(b);
}

static struct figure time_if(bool there, uint64_t ns)
{
	return there ? figure_time((double)ns) : figure_none();
}

static void tile_percentiles(const struct report_page *p, struct buf *b)
{
	enum report_span span = page_span(p);
	const struct histogram *h = &all_of(p)->sums.spans[span];
	const uint64_t *at = all_of(p)->percentiles[span];
	char text[FIGURE_TEXT_MAX];

	begin_tile(b, "p50", "Latency p50", time_if(h->count, at[0]), false);
	if (h->count)
		markup(b, "%s; mean %s", span == REPORT_Q2C ? "Q2C" : "D2C",
		       figure_text(text, figure_time((double)sum_get(&h->sum) /
						     (double)h->count)));
	end_tile(b);
	begin_tile(b, "p99", "p99", time_if(h->count, at[2]), false);
	if (h->count)
		markup(b, "p99.9 %s",
		       figure_text(text, figure_time((double)at[3])));
	end_tile(b);
	begin_tile(b, "slowest", "Slowest", time_if(h->count, h->max), false);
	if (h->count && at[0])
		markup(b, "%s" THIN TIMES " the median",
		       figure_decimal((double)h->max / (double)at[0]).value);
	end_tile(b);
}

static void tile_depth(const struct report_page *p, struct buf *b)
{
	const struct report_depth *d = &p->r->depths.of[REPORT_DEPTH_ALL];
	double length = (double)p->r->length;
	char text[FIGURE_TEXT_MAX];
	struct figure mean;

	mean = figure_decimal(length > 0 ?
			      (double)sum_get(&d->integral) / length : 0);
	snprintf(mean.unit, sizeof(mean.unit), "mean");
	begin_tile(b, "depth", "Queue depth", mean, false);
	markup(b, "max %u, busy %s", d->max,
	       figure_text(text, figure_share((double)d->busy, length)));
	end_tile(b);
}

static void tile_coverage(const struct report_page *p, struct buf *b)
{
	uint64_t lost = p->facts->loss.missing;
	struct figure f = figure_share(page_coverage(p), 1);
	char text[FIGURE_TEXT_MAX];

	/* 100 is said of what is whole only */
	if (lost && page_coverage(p) > 0.9994)
		snprintf(f.value, sizeof(f.value), "99.9");
	begin_tile(b, "coverage", "Coverage", f, lost);
	if (lost)
		markup(b, "%s lost", figure_text(text, figure_count(lost)));
	else
		markup(b, "nothing lost");
	end_tile(b);
}

void tiles_write(const struct report_page *p, struct buf *b)
{
	tile_duration(p, b);
	tile_ios(p, b);
	tile_data(p, b);
	tile_rate(p, b);
	tile_percentiles(p, b);
	tile_depth(p, b);
	tile_coverage(p, b);
}

/* --- findings ------------------------------------------------------------- */

static void put_remark(struct buf *b, const struct remark *one)
{
	markup(b, "<li class=\"%s\"><span class=\"head\">",
	       remark_level_name(one->level));
	markup_text(b, one->head);
	markup(b, "</span> <span class=\"text\">");
	markup_text(b, one->text);
	markup(b, "</span>");
	if (one->timed)
		markup(b, "<button type=\"button\" data-from=\"%" PRIu64
		       "\" data-to=\"%" PRIu64 "\" hidden>Show</button>",
		       one->from, one->to);
	markup(b, "</li>\n");
}

void tiles_write_findings(const struct report_page *p, struct buf *b)
{
	if (!p->remarks->count)
		return;
	markup(b, "<ol>");
	for (unsigned int i = 0; i < p->remarks->count; i++)
		put_remark(b, &p->remarks->list[i]);
	markup(b, "</ol>");
}
