/* SPDX-License-Identifier: GPL-2.0-only */
/* Intervals as a table; see series_text.h. */
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
#include "stat/series.h"

enum {
	TEXT = 24,
	DECIMALS_MIN = 3,
	/* of the time's column, beside its decimals: 999.s */
	TIME = 5,
	PERCENTILE = 8,		/* as the other columns' width */
};

/* A column writes what it has of a row. */
struct column {
	const char *name;
	unsigned char width;	/* with the blanks before it; not of the time */
	unsigned char drop;	/* the greatest goes first; 0 never */
	void (*put)(char text[TEXT], const struct series_row *row);
};

/* as it is, while it has so many digits; then three digits and a unit */
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

static void put_max(char text[TEXT], const struct series_row *row)
{
	if (row->spans->count)
		unit_time(text, row->spans->max);
	else
		strcpy(text, "-");
}

static const struct column columns[] = {
	{ "ios", 7, 0, put_ios },
	{ "IO/s", 8, 1, put_rate },
	{ "MiB/s", 8, 4, put_mib },
	{ "errs", 6, 5, put_errors },
	{ "depth", 7, 2, put_depth },
	{ "most", 6, 6, put_most },
	{ "busy", 6, 3, put_busy },
	/* percentiles are here */
	{ "max", 8, 3, put_max },
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns), LAST = COLUMNS - 1 };

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

/* without the columns that can be missed first; false: there are none */
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
	/* as many as tell two rows apart */
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

void series_text_heading(struct buf *out, const struct series_text *t)
{
	char name[TEXT];

	put_cell(out, time_width(t), "from");
	for (unsigned int i = 0; i < COLUMNS; i++) {
		for (unsigned int k = 0; i == LAST && k < t->percentile_count;
		     k++) {
			percentile_name(name, t->percentiles[k]);
			put_cell(out, PERCENTILE, name);
		}
		if (t->columns & 1u << i)
			put_cell(out, columns[i].width, columns[i].name);
	}
	buf_append(out, "\n", 1);
}

/* in seconds, with as many decimals as there is room for */
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

static void put_percentile(struct buf *out, const struct histogram *h,
			   uint32_t p)
{
	char text[TEXT] = "-";

	if (histogram_above(h->count, p))
		unit_time(text, histogram_kth(h, histogram_rank(h->count, p)));
	put_cell(out, PERCENTILE, text);
}

void series_text_left_out(struct buf *out, uint64_t rows)
{
	if (rows)
		buf_printf(out, "... %" PRIu64 " interval%s without a completion\n",
			   rows, rows == 1 ? "" : "s");
}

void series_text_row(struct buf *out, const struct series_text *t,
		     const struct series_row *row)
{
	char text[TEXT];

	series_text_left_out(out, row->left_out);
	put_time(out, t, row->depth.from);
	for (unsigned int i = 0; i < COLUMNS; i++) {
		for (unsigned int k = 0; i == LAST && k < t->percentile_count;
		     k++)
			put_percentile(out, row->spans, t->percentiles[k]);
		if (!(t->columns & 1u << i))
			continue;
		columns[i].put(text, row);
		put_cell(out, columns[i].width, text);
	}
	buf_append(out, "\n", 1);
}
