/* SPDX-License-Identifier: GPL-2.0-only */
/* Intervals and histograms as text; see series_text.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/histogram.h"
#include "base/look.h"
#include "base/time.h"
#include "base/unit.h"
#include "emit/series_text.h"
#include "emit/signs.h"
#include "stat/scale.h"
#include "stat/series.h"
#include "stat/statistic.h"

/* --- histogram text ------------------------------------------------------- */

enum {
	ROWS = 16,		/* without a terminal */
	AROUND = 8,		/* lines of a terminal besides rows */
	ROWS_MIN = 3,
	/* columns before the bars */
	LABEL = 7,
	COUNT = 8,
	SHARE = 7,
	UP_TO = 9,
	UP_TO_WIDTH = 60,	/* narrower lines have no cumulative share */
	COUNT_MAX = 99999999,	/* higher counts have three digits */
	SHARE_DECIMALS = 2,
	UP_TO_DECIMALS = 3,	/* one more, to read tails from it */
	EIGHTHS = 8,
	HUE = 37,		/* as the middle shade of a heat map */
};

static const char *const eighths[EIGHTHS] = {
	"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"
};

unsigned int histogram_text_rows(const struct look *l)
{
	if (!l->height)
		return ROWS;
	return l->height < AROUND + ROWS_MIN ? ROWS_MIN : l->height - AROUND;
}

/* count in parts of a bar, which most fills; at least 1 unless it is 0 */
static unsigned int bar_length(uint64_t count, uint64_t most,
			       unsigned int parts)
{
	unsigned int n = (unsigned int)wide_share(count, parts, most);

	return n ? n : count > 0;
}

static void put_bar(struct buf *out, const struct look *l, uint64_t count,
		    uint64_t most, unsigned int room)
{
	unsigned int n;

	if (!l->utf8) {
		signs_repeat(out, "#", bar_length(count, most, room));
		return;
	}
	n = bar_length(count, most, room * EIGHTHS);
	signs_repeat(out, "█", n / EIGHTHS);
	signs_append(out, eighths[n % EIGHTHS], 1);
}

static void count_text(char text[UNIT_MAX], uint64_t count)
{
	if (count > COUNT_MAX)
		unit_decimal(text, count, 1);
	else
		snprintf(text, UNIT_MAX, "%u", (unsigned int)count);
}

static unsigned int put_texts(struct buf *out, const struct look *l,
			      const char *from, const char *to,
			      const char *count, const char *share,
			      const char *up_to)
{
	buf_printf(out, "%*s %*s %*s %*s", LABEL, from, LABEL, to, COUNT, count,
		   SHARE, share);
	if (l->width < UP_TO_WIDTH)
		return 2 * LABEL + COUNT + SHARE + 3;
	buf_printf(out, " %*s", UP_TO, up_to);
	return 2 * LABEL + COUNT + SHARE + UP_TO + 4;
}

static unsigned int put_numbers(struct buf *out, const struct look *l,
				const struct bins *b, const struct bin *row)
{
	char from[UNIT_MAX], to[UNIT_MAX], count[UNIT_MAX];
	char share[UNIT_MAX], up_to[UNIT_MAX];

	unit_step(from, row->from);
	unit_step(to, row->to);
	count_text(count, row->count);
	unit_share_exact(share, row->count, b->total, SHARE_DECIMALS);
	unit_share_exact(up_to, row->up_to, b->total, UP_TO_DECIMALS);
	return put_texts(out, l, from, to, count, share, up_to);
}

static void put_row(struct buf *out, const struct look *l,
		    const struct bins *b, const struct bin *row)
{
	unsigned int at = put_numbers(out, l, b, row) + 2;

	if (row->count) {
		buf_append(out, "  ", 2);
		if (l->color)
			signs_color(out, HUE);
		put_bar(out, l, row->count, b->most, l->width - at);
		if (l->color)
			signs_color(out, 0);
	}
	buf_append(out, "\n", 1);
}

void histogram_text(struct buf *out, const struct look *l,
		    const struct bins *b)
{
	put_texts(out, l, "from", "to", "count", "share", "up to");
	buf_append(out, "\n", 1);
	for (unsigned int i = 0; i < b->count; i++)
		put_row(out, l, b, &b->rows[i]);
}

/* --- series text ---------------------------------------------------------- */

enum {
	TEXT = 24,
	DECIMALS_MIN = 3,
	/* of the time's column, without decimals: 999.s */
	TIME = 5,
	PERCENTILE = 8,		/* as the other columns' width */
};

struct column {
	const char *name;
	unsigned char width;	/* with the blanks before it */
	unsigned char drop;	/* the highest is dropped first; 0 never */
	void (*put)(char text[TEXT], const struct series_row *row);
	enum statistic statistic;	/* if put is NULL */
};

/* above max as three digits and a unit */
static void put_count(char text[TEXT], uint64_t n, uint64_t max)
{
	if (n > max)
		unit_decimal(text, n, 1);
	else
		snprintf(text, TEXT, "%" PRIu64, n);
}

static uint64_t length_of(const struct series_row *row)
{
	return row->depth.to - row->depth.from;
}

static void put_ios(char text[TEXT], const struct series_row *row)
{
	put_count(text, row->ios, 999999);
}

static void put_rate(char text[TEXT], const struct series_row *row)
{
	unit_rate(text, row->ios, length_of(row));
}

static void put_mib(char text[TEXT], const struct series_row *row)
{
	unit_rate_mib(text, row->bytes, length_of(row));
}

static void put_errors(char text[TEXT], const struct series_row *row)
{
	put_count(text, row->errors, 99999);
}

static void put_depth(char text[TEXT], const struct series_row *row)
{
	char number[UNIT_MAX];

	unit_ratio(number, row->depth.integral, length_of(row));
	snprintf(text, TEXT, "%s%s", row->depth.exact ? "" : ">=", number);
}

static void put_most(char text[TEXT], const struct series_row *row)
{
	put_count(text, row->depth.most, 99999);
}

static void put_busy(char text[TEXT], const struct series_row *row)
{
	unit_share(text, row->depth.busy, length_of(row));
}

static const struct column columns[] = {
	{ "I/Os", 7, 0, put_ios, 0 },
	{ "IO/s", 8, 1, put_rate, 0 },
	{ "MiB/s", 8, 4, put_mib, 0 },
	{ "errs", 6, 5, put_errors, 0 },
	{ "depth", 7, 2, put_depth, 0 },
	{ "most", 6, 6, put_most, 0 },
	{ "busy", 6, 3, put_busy, 0 },
#define STATISTIC_COLUMN(name, word, side, value, low, phases, keys, interval, \
			 top) { word, 8, interval, NULL, STATISTIC_##name },
	STATISTIC_ROWS(STATISTIC_COLUMN)
#undef STATISTIC_COLUMN
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static unsigned int time_width(const struct series_text *t)
{
	return TIME + t->decimals;
}

static unsigned int width_of(const struct series_text *t)
{
	unsigned int width = time_width(t) + t->percentile_count * PERCENTILE;

	for (unsigned int i = 0; i < COLUMNS; i++) {
		if (t->columns & 1u << i)
			width += columns[i].width;
	}
	return width;
}

/* drops the least important columns; false: there are none */
static bool drop(struct series_text *t)
{
	unsigned int most = 0;

	for (unsigned int i = 0; i < COLUMNS; i++) {
		if (t->columns & 1u << i && columns[i].drop > most)
			most = columns[i].drop;
	}
	for (unsigned int i = 0; most && i < COLUMNS; i++) {
		if (columns[i].drop == most)
			t->columns &= ~(1u << i);
	}
	return most > 0;
}

void series_text_init(struct series_text *t, const struct look *l,
		      uint64_t interval, const uint32_t *percentiles,
		      unsigned int count)
{
	uint64_t one = NS_PER_MS;

	t->percentiles = percentiles;
	t->percentile_count = count;
	t->columns = (1u << COLUMNS) - 1;
	/* as many as distinguish two rows */
	for (t->decimals = DECIMALS_MIN; interval % one; t->decimals++)
		one /= 10;
	while (width_of(t) > l->width && drop(t))
		;
	while (width_of(t) > l->width && t->percentile_count)
		t->percentile_count--;
}

static void put_cell(struct buf *out, unsigned int width, const char *text)
{
	buf_printf(out, "%*s", (int)width, text);
}

/* "p99.9" */
static void percentile_name(char text[TEXT], uint32_t p)
{
	unsigned int rest = p % HISTOGRAM_PERCENT, digits = 3;

	for (; digits && rest % 10 == 0; digits--)
		rest /= 10;
	if (digits)
		snprintf(text, TEXT, "p%u.%0*u", p / HISTOGRAM_PERCENT,
			 (int)digits, rest);
	else
		snprintf(text, TEXT, "p%u", p / HISTOGRAM_PERCENT);
}

/* in seconds, with as many decimals as fit */
static void put_time(struct buf *out, const struct series_text *t,
		     uint64_t time)
{
	int width = (int)time_width(t), len, point;
	char text[TEXT + UNIT_MAX];

	len = snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64,
		       time / NS_PER_SECOND, time % NS_PER_SECOND);
	point = len - 10;
	if (point >= width) {
		unit_time(text, time);
		buf_printf(out, "%*s", width, text);
		return;
	}
	len -= 9 - (int)t->decimals;
	if (len > width - 1)
		len = width - 1;
	if (len <= point + 1)
		len = point;
	buf_printf(out, "%*.*ss", width - 1, len, text);
}

void series_text_left_out(struct buf *out, uint64_t rows)
{
	if (rows)
		buf_printf(out, "... %" PRIu64 " interval%s without a completion\n",
			   rows, rows == 1 ? "" : "s");
}

/* a cell of a row; NULL: the heading */
static void put_percentile(struct buf *out, const struct series_row *row,
			   uint32_t p)
{
	char text[TEXT] = "-";

	if (!row)
		percentile_name(text, p);
	else if (histogram_above(row->spans->count, p))
		unit_time(text, histogram_kth(row->spans,
				histogram_rank(row->spans->count, p)));
	put_cell(out, PERCENTILE, text);
}

static void put_column(struct buf *out, const struct column *c,
		       const struct series_row *row)
{
	char text[TEXT] = "-";
	uint64_t value;

	if (!row) {
		put_cell(out, c->width, c->name);
		return;
	}
	if (c->put) {
		c->put(text, row);
	} else {
		value = statistic_of(row->spans, c->statistic);
		if (value != STATISTIC_NONE)
			unit_time(text, value);
	}
	put_cell(out, c->width, text);
}

/* whether percentiles are before this column */
static bool is_first_after(unsigned int i)
{
	const struct column *c = &columns[i];

	return !c->put && statistic_row(c->statistic)->side == STATISTIC_AFTER &&
	       (c[-1].put ||
		statistic_row(c[-1].statistic)->side == STATISTIC_BEFORE);
}

static void put_columns(struct buf *out, const struct series_text *t,
			const struct series_row *row)
{
	for (unsigned int i = 0; i < COLUMNS; i++) {
		for (unsigned int k = 0; is_first_after(i) &&
		     k < t->percentile_count; k++)
			put_percentile(out, row, t->percentiles[k]);
		if (t->columns & 1u << i)
			put_column(out, &columns[i], row);
	}
	buf_append(out, "\n", 1);
}

void series_text_heading(struct buf *out, const struct series_text *t)
{
	put_cell(out, time_width(t), "from");
	put_columns(out, t, NULL);
}

void series_text_row(struct buf *out, const struct series_text *t,
		     const struct series_row *row)
{
	series_text_left_out(out, row->left_out);
	put_time(out, t, row->depth.from);
	put_columns(out, t, row);
}
