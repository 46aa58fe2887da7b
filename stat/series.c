/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows by intervals; see series.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/histogram.h"
#include "base/wide.h"
#include "stat/depth_rows.h"
#include "stat/series.h"

/* counts of a row, except the depth */
struct counts {
	uint64_t ios, bytes, errors;
	struct histogram spans;
};

struct series {
	uint64_t from, interval;
	uint64_t base;		/* number of the first row of depth */
	uint64_t unreached;	/* number of the first row not reached */
	uint32_t idle;		/* empty rows that may still be returned */
	uint64_t left_out;	/* empty rows since the last one returned */
	uint64_t until;		/* no row is over before that */
	struct depth_rows depth;
	struct counts rows[DEPTH_ROWS];	/* by number modulo DEPTH_ROWS */
	struct counts out;	/* of the row returned last */
};

/* which rows are requested */
struct question {
	uint64_t settled, now;
	bool last;		/* all rows */
};

/* number of the oldest row */
static uint64_t first_of(const struct series *s)
{
	return s->base + s->depth.first;
}

/* row of a time that is not before the first */
static uint64_t number_of(const struct series *s, uint64_t time)
{
	return (time - s->from) / s->interval;
}

static struct wide end_of(const struct series *s, uint64_t number)
{
	struct wide end = wide_product(number + 1, s->interval);

	wide_add(&end, s->from);
	return end;
}

/* end of the oldest row, saturated */
static uint64_t end_of_first(const struct series *s)
{
	return wide_clamp(end_of(s, first_of(s)));
}

int series_new(struct series **s, uint64_t from, uint64_t interval,
	       unsigned int wait)
{
	struct series *n = calloc(1, sizeof(*n));

	if (!n)
		return -ENOMEM;
	n->from = from;
	n->interval = interval;
	n->idle = SERIES_IDLE;
	depth_rows_init(&n->depth, from, interval, wait);
	n->until = end_of_first(n);
	*s = n;
	return 0;
}

void series_watch_open(struct series *s, const struct depth_open *open)
{
	s->depth.open = *open;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	for (unsigned int i = 0; i < DEPTH_ROWS; i++)
		histogram_free(&s->rows[i].spans);
	histogram_free(&s->out.spans);
	depth_rows_free(&s->depth);
	free(s);
}

/* start of a row that time has reached */
static uint64_t begin_of(const struct series *s, uint64_t number)
{
	return s->from + number * s->interval;
}

static struct counts *counts_of(struct series *s, uint64_t number)
{
	return &s->rows[number % DEPTH_ROWS];
}

/* --- adding --------------------------------------------------------------- */

static void reach(struct series *s, uint64_t number)
{
	if (s->unreached <= number)
		s->unreached = number + 1;
}

/* The last row that fits, whether or not the caller has taken rows in time. */
static uint64_t last_of(const struct series *s)
{
	return first_of(s) + DEPTH_ROWS - 1;
}

/* late I/Os count in the oldest row */
int series_add(struct series *s, uint64_t end, uint64_t span, uint64_t bytes,
	       bool error)
{
	uint64_t number;
	struct counts *c;

	if (end < s->from)
		return 0;
	number = number_of(s, end);
	if (number < first_of(s))
		number = first_of(s);
	if (number > last_of(s))
		number = last_of(s);
	reach(s, number);
	c = counts_of(s, number);
	c->ios++;
	c->errors += error;
	c->bytes = wide_clamped_sum(c->bytes, bytes);
	return span == UINT64_MAX ? 0 : histogram_add(&c->spans, span);
}

int series_add_request(struct series *s, uint64_t issued, uint64_t served)
{
	struct wide end = end_of(s, last_of(s));

	if (served <= s->from || served <= issued)
		return 0;
	if (!wide_less(wide_of(served), end))
		served = end.low - 1;
	/* still in flight just before its end */
	reach(s, number_of(s, served - 1));
	return depth_rows_add(&s->depth, issued, served);
}

void series_doubt(struct series *s, uint64_t from)
{
	depth_rows_doubt(&s->depth, from);
}

void series_doubt_span(struct series *s, uint64_t from, uint64_t to)
{
	depth_rows_doubt_span(&s->depth, from, to);
}

/* --- rows ----------------------------------------------------------------- */

/* After too many empty rows, and with nothing in those that are kept, continues
 * with the latest rows before now. */
static void jump(struct series *s, uint64_t now)
{
	const struct depth_open open = s->depth.open;
	unsigned int wait = s->depth.wait;
	uint64_t doubt = s->depth.doubt;
	uint64_t first = first_of(s), to;

	if (s->idle || s->unreached > first || now < s->from)
		return;
	to = number_of(s, now);
	if (to < first || to - first < 2 * DEPTH_ROWS)
		return;
	to -= DEPTH_ROWS;
	s->left_out += to - first;
	s->base = to;
	depth_rows_free(&s->depth);
	depth_rows_init(&s->depth, s->from + to * s->interval, s->interval,
			wait);
	s->depth.open = open;
	s->depth.doubt = doubt;
}

/* An I/O that ended exactly at end is in the row that starts there, and a late
 * one may be in a later row: these rows are needed, too. */
static uint64_t end_of_last(const struct series *s, uint64_t end)
{
	uint64_t begin;

	if (s->unreached <= first_of(s))
		return end;
	begin = begin_of(s, s->unreached - 1);
	return end <= begin && begin < UINT64_MAX ? begin + 1 : end;
}

static int next_depth(struct series *s, const struct question *q,
		      struct depth_row *row)
{
	jump(s, q->now);
	if (q->last && begin_of(s, first_of(s)) >= q->now)
		return 0;
	if (q->last)
		return depth_rows_last(&s->depth, q->now, row);
	return depth_rows_next(&s->depth, q->settled, q->now, row);
}

/* moves the counts of the removed row to *row */
static void hand_out(struct series *s, struct series_row *row)
{
	struct counts *c = counts_of(s, first_of(s) - 1);

	histogram_free(&s->out.spans);
	s->out = *c;
	*c = (struct counts){ 0 };
	row->ios = s->out.ios;
	row->bytes = s->out.bytes;
	row->errors = s->out.errors;
	row->spans = &s->out.spans;
}

/* whether a row is one of too many empty ones */
static bool leave_out(struct series *s, const struct series_row *row)
{
	if (row->ios) {
		s->idle += SERIES_IDLE_MORE;
		if (s->idle > SERIES_IDLE)
			s->idle = SERIES_IDLE;
		return false;
	}
	if (s->idle) {
		s->idle--;
		return false;
	}
	s->left_out++;
	return true;
}

static int next_row(struct series *s, const struct question *q,
		    struct series_row *row)
{
	int got;

	do {
		got = next_depth(s, q, &row->depth);
		if (got <= 0) {
			row->left_out = s->left_out;
			return got;
		}
		hand_out(s, row);
		s->until = end_of_first(s);
	} while (leave_out(s, row));
	row->left_out = s->left_out;
	s->left_out = 0;
	return 1;
}

int series_next(struct series *s, uint64_t settled, uint64_t now,
		struct series_row *row)
{
	struct question q = { settled, now, false };

	if (now < s->until)
		return 0;
	return next_row(s, &q, row);
}

int series_last(struct series *s, uint64_t end, struct series_row *row)
{
	struct question q = { end, end_of_last(s, end), true };

	return next_row(s, &q, row);
}
