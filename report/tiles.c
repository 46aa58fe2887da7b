/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts above the graphs; see tiles.h. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "compare/comparison_text.h"
#include "emit/lost.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/pair.h"
#include "report/tiles.h"
#include "stat/facts.h"

/* --- tiles ---------------------------------------------------------------- */

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

static void set_note(struct tile *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void set_note(struct tile *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(t->note, sizeof(t->note), format, args);
	va_end(args);
}

static void tile_duration(const struct report_page *p, struct tile *t)
{
	char text[FIGURE_TEXT_MAX];
	struct timespec wall;
	struct tm tm;

	t->value = (double)p->r->length;
	t->figure = figure_time(t->value);
	if (page_wall(p, &wall) && gmtime_r(&wall.tv_sec, &tm)) {
		strftime(text, sizeof(text), "from %H:%M:%S UTC", &tm);
		set_note(t, "%s", text);
	}
}

/* ios and bytes of an operation, 0 without any */
static double op_ios(const struct report_page *p, unsigned int op)
{
	const struct report_table_row *row = page_op_row(p, op);

	return row ? (double)row->sums.count : 0;
}

static double op_bytes(const struct report_page *p, unsigned int op)
{
	const struct report_table_row *row = page_op_row(p, op);

	return row ? (double)row->bytes : 0;
}

static void tile_ios(const struct report_page *p, struct tile *t)
{
	char reads[FIGURE_TEXT_MAX], writes[FIGURE_TEXT_MAX];

	t->value = (double)all_of(p)->sums.count;
	t->figure = figure_count(all_of(p)->sums.count);
	figure_text(reads, figure_share(
		op_ios(p, REPORT_READ), t->value));
	figure_text(writes, figure_share(
		op_ios(p, REPORT_WRITE), t->value));
	if (t->value > 0)
		set_note(t, "%s read, %s write", reads, writes);
}

/* Discards move no data: they stand beside it. */
static void tile_data(const struct report_page *p, struct tile *t)
{
	double reads = op_bytes(p, REPORT_READ);
	double discards = op_bytes(p, REPORT_DISCARD);
	char read[FIGURE_TEXT_MAX], discarded[FIGURE_TEXT_MAX];

	t->value = (double)all_of(p)->bytes;
	t->figure = figure_size(t->value);
	figure_text(read, figure_share(reads, t->value));
	if (discards > 0)
		set_note(t, "%s read; %s discarded", read,
			 figure_text(discarded, figure_size(discards)));
	else if (t->value > 0)
		set_note(t, "%s read", read);
	t->has_part = t->value > 0;
	t->part = t->has_part ? 100 * reads / t->value : 0;
}

/* the rate in a tile, of all I/Os over that time */
static void tiles_set_rate(const struct report_page *p, double seconds,
			   struct tile *t)
{
	double each = seconds > 0 ? 1 / seconds : 0;
	char text[FIGURE_TEXT_MAX];

	t->value = (double)all_of(p)->sums.count * each;
	t->figure = figure_decimal(t->value);
	snprintf(t->figure.unit, sizeof(t->figure.unit), "/s");
	set_note(t, "%s/s", figure_text(text, figure_size(
		(double)all_of(p)->bytes * each)));
}

static void tile_rate(const struct report_page *p, struct tile *t)
{
	tiles_set_rate(p, (double)p->r->length / 1e9, t);
}

static void set_time(struct tile *t, bool there, uint64_t ns)
{
	t->figure = there ? figure_time((double)ns) : figure_none();
	t->value = there ? (double)ns : NAN;
}

static void tile_p50(const struct report_page *p, struct tile *t)
{
	enum report_span span = page_span(p);
	const struct histogram *h = &all_of(p)->sums.spans[span];
	char text[FIGURE_TEXT_MAX];

	set_time(t, h->count, all_of(p)->percentiles[span][0]);
	if (h->count)
		set_note(t, "%s; mean %s", span == REPORT_Q2C ? "Q2C" : "D2C",
			 figure_text(text, figure_time(
				wide_double(h->sum) / (double)h->count)));
}

static void tile_p99(const struct report_page *p, struct tile *t)
{
	enum report_span span = page_span(p);
	const struct histogram *h = &all_of(p)->sums.spans[span];
	const uint64_t *at = all_of(p)->percentiles[span];
	char text[FIGURE_TEXT_MAX];

	set_time(t, h->count, at[2]);
	if (h->count)
		set_note(t, "p99.9 %s",
			 figure_text(text, figure_time((double)at[3])));
}

static void tile_slowest(const struct report_page *p, struct tile *t)
{
	enum report_span span = page_span(p);
	const struct histogram *h = &all_of(p)->sums.spans[span];
	uint64_t median = all_of(p)->percentiles[span][0];

	set_time(t, h->count, h->max);
	if (h->count && median)
		set_note(t, "%s" THIN TIMES " the median", figure_decimal(
			(double)h->max / (double)median).value);
}

static void set_depth(const struct report_page *p, struct tile *t,
		      enum report_depth_kind kind)
{
	const struct report_depth *d =
		&p->r->depths.of[kind][REPORT_DEPTH_ALL];
	bool exact = page_depth_exact(p, kind, REPORT_DEPTH_ALL);
	const char *least = exact ? "" : AT_LEAST;
	double less = exact ? 0 : wide_double(d->unsure);
	double length = (double)p->r->length;
	struct figure mean;
	char text[FIGURE_TEXT_MAX];

	t->value = length > 0 ?
		   fmax(wide_double(d->integral) - less, 0) / length :
				0;
	mean = figure_decimal(t->value);
	if (*least)
		t->value = NAN;
	snprintf(t->figure.value, sizeof(t->figure.value), "%s%.32s", least,
		 mean.value);
	snprintf(t->figure.unit, sizeof(t->figure.unit), "mean");
	set_note(t, "max %s%u, busy %s%s", least, d->max, least,
		 figure_text(text, figure_share(
			   fmax((double)d->busy - less, 0), length)));
}

static void tile_depth(const struct report_page *p, struct tile *t)
{
	set_depth(p, t, REPORT_DEPTH_REQUESTS);
}

static void tile_in_flight(const struct report_page *p, struct tile *t)
{
	char text[PAGE_IN_FLIGHT_MAX];

	set_depth(p, t, REPORT_DEPTH_IOS);
	t->bad = page_in_flight(p, text);
	if (t->bad)
		set_note(t, "at the end: %s", text);
}

static void tile_coverage(const struct report_page *p, struct tile *t)
{
	uint64_t lost = p->facts->loss.missing;
	bool cut = !lost && facts_lossy(p->facts, READER_ALL);
	char text[FIGURE_TEXT_MAX], words[LOST_MAX];

	t->value = NAN;
	t->figure = figure_share(page_coverage(p), 1);
	/* only complete traces have 100 */
	if (lost && page_coverage(p) > 0.9994)
		snprintf(t->figure.value, sizeof(t->figure.value), "99.9");
	if (cut)
		snprintf(t->figure.value, sizeof(t->figure.value), "<100");
	t->bad = lost || cut;
	if (cut)
		lost_text(words, p->facts);
	if (cut)
		set_note(t, "%s", words);
	else if (lost)
		set_note(t, "%s lost", figure_text(text, figure_count(lost)));
	else
		set_note(t, "nothing lost");
}

static const struct {
	const char *key, *label;
	void (*fill)(const struct report_page *p, struct tile *t);
} tiles[TILES] = {
	{ "duration", "Duration", tile_duration },
	{ "ios", "I/Os", tile_ios },
	{ "data", "Data", tile_data },
	{ "rate", "I/O rate", tile_rate },
	{ "p50", "Latency p50", tile_p50 },
	{ "p99", "p99", tile_p99 },
	{ "slowest", "Slowest", tile_slowest },
	{ "depth", "Queue depth", tile_depth },
	{ "flight", "I/Os in flight", tile_in_flight },
	{ "coverage", "Coverage", tile_coverage },
};

/* the i-th of TILES */
static void tiles_get(const struct report_page *p, unsigned int i,
		      struct tile *t)
{
	*t = (struct tile){ .key = tiles[i].key, .label = tiles[i].label };
	tiles[i].fill(p, t);
}

/* its number */
static void tiles_write_value(const struct tile *t, struct buf *b)
{
	markup(b, "<div class=\"value\">");
	markup_text(b, t->figure.value);
	if (*t->figure.unit == '%') {
		markup(b, "%%");
	} else if (*t->figure.unit) {
		markup(b, "<small>%s",
		       *t->figure.unit == '/' ? "" : THIN);
		markup_text(b, t->figure.unit);
		markup(b, "</small>");
	}
	markup(b, "</div>");
}

void tiles_write(const struct report_page *p, struct buf *b)
{
	for (unsigned int i = 0; i < TILES; i++) {
		struct tile t;

		tiles_get(p, i, &t);
		markup(b, "<div class=\"tile%s\" data-tile=\"%s\">"
		       "<div class=\"label\">%s</div>", t.bad ? " bad" : "",
		       t.key, t.label);
		tiles_write_value(&t, b);
		markup(b, "<div class=\"note\">");
		markup_text(b, t.note);
		if (t.has_part)
			markup(b, "<i class=\"part\" style=\"--part:%.1f%%\">"
			       "</i>", t.part);
		markup(b, "</div></div>\n");
	}
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

/* --- pair tiles ----------------------------------------------------------- */

_Static_assert((int)PAIR_CHANGE_MAX == (int)COMPARISON_CELL_MAX,
	       "a change is a comparison's cell");

const char *pair_change(char text[PAIR_CHANGE_MAX], double a, double b)
{
	*text = '\0';
	if (a > 0 && !isnan(b))
		comparison_change(true, b / a - 1, text);
	return text;
}

void pair_tiles_write_sub(const struct report_pair *pair, struct buf *b)
{
	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		const char *letter = pair_letter(side);

		markup(b, "<span class=\"one\"><b class=\"side-%c\">%s</b> ",
		       "ab"[side], letter);
		markup_text(b, pair->name[side]);
		markup(b, " \xc2\xb7 ");
		tiles_write_sub(pair->side[side], b);
		markup(b, "</span> ");
	}
}

/* --- tiles ---------------------------------------------------------------- */

/* Percentiles of another latency are no number to compare with. */
static bool is_other_span(const struct report_pair *pair, unsigned int tile)
{
	enum { P50 = 4, SLOWEST = 6 };

	return tile >= P50 && tile <= SLOWEST &&
	       page_span(pair->side[COMPARE_A]) !=
	       page_span(pair->side[COMPARE_B]);
}

/* A comparison's rates are over the time from its first I/O to its last, as
 * those of its tables are. */
static void set_rate(const struct report_pair *pair, unsigned int side,
		     struct tile *t)
{
	const struct compare_result *r = pair->verdicts[0].result;

	if (!strcmp(t->key, "rate") && r->work.seconds[side] > 0)
		tiles_set_rate(pair->side[side], r->work.seconds[side], t);
}

static void put_side(const struct tile *t, unsigned int side, struct buf *b)
{
	markup(b, "<div class=\"line%s\"><b class=\"side-%c\">%s</b>",
	       t->bad ? " bad" : "", "ab"[side], pair_letter(side));
	tiles_write_value(t, b);
	markup(b, "</div><div class=\"note\">");
	markup_text(b, t->note);
	markup(b, "</div>");
}

static void put_tile(const struct report_pair *pair, unsigned int i,
		     struct buf *b)
{
	struct tile t[COMPARE_SIDES];
	char change[PAIR_CHANGE_MAX];

	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		tiles_get(pair->side[side], i, &t[side]);
		set_rate(pair, side, &t[side]);
	}
	pair_change(change, t[COMPARE_A].value, t[COMPARE_B].value);
	markup(b, "<div class=\"tile\" data-tile=\"%s\"><div class=\"label\">"
	       "%s <b class=\"change\">%s</b></div>", t[0].key, t[0].label,
	       is_other_span(pair, i) ? "" : change);
	put_side(&t[COMPARE_A], COMPARE_A, b);
	put_side(&t[COMPARE_B], COMPARE_B, b);
	markup(b, "</div>\n");
}

void pair_tiles_write(const struct report_pair *pair, struct buf *b)
{
	for (unsigned int i = 0; i < TILES; i++)
		put_tile(pair, i, b);
}

/* --- findings ------------------------------------------------------------- */

void pair_tiles_write_findings(const struct report_pair *pair, struct buf *b)
{
	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		const struct report_page *p = pair->side[side];

		if (!p->remarks->count)
			continue;
		markup(b, "<h2><b class=\"side-%c\">%s</b> only</h2>",
		       "ab"[side], pair_letter(side));
		tiles_write_findings(p, b);
	}
}
