/* SPDX-License-Identifier: GPL-2.0-only */
/* A row per interval; see intervals.h. */
#include <errno.h>

#include "base/buf.h"
#include "base/histogram.h"
#include "emit/cells.h"
#include "request/io.h"
#include "stat/group_op.h"
#include "stat/series.h"
#include "tools/btstat/intervals.h"
#include "tools/btstat/options.h"

/* how many rows one is delayed by; few, where someone may be watching */
enum { WAIT_LIVE = 1, WAIT_FILE = 63 };

static const struct percentile_list usual = { { 50000, 99000 }, 2 };

int intervals_init(struct intervals *i, const struct stat_options *o,
		   struct buf *b, const struct look *look, bool live,
		   const volatile sig_atomic_t *stop)
{
	*i = (struct intervals){
		.percentiles = o->percentiles.count ? o->percentiles : usual,
		.sink = { .b = b },
		.csv = o->format == STAT_CSV,
		.from = o->window.start,
		.stop = stop,
	};
	series_text_init(&i->text, look, o->interval, i->percentiles.list,
			 i->percentiles.count);
	return series_new(&i->series, i->from, o->interval,
			  live ? WAIT_LIVE : WAIT_FILE);
}

void intervals_watch_open(struct intervals *i, const struct depth_open *open)
{
	series_watch_open(i->series, open);
}

void intervals_free(struct intervals *i)
{
	series_free(i->series);
}

/* --- input ---------------------------------------------------------------- */

/* Its time; IO_NONE without a Q, unless the trace has no Q at all. */
static uint64_t span_of(struct intervals *i, const struct io *io)
{
	i->any_q |= io->birth == 'Q';
	if (io->gap || (i->any_q && io->birth != 'Q'))
		return IO_NONE;
	return io->total;
}

/* Shows the rows before end first: a damaged time stamp, or a window, may put
 * end after the last event. */
static int reach(struct intervals *i, uint64_t end)
{
	int rows = end > i->now ? intervals_show(i, i->settled, end) : 0;

	return rows < 0 ? rows : 0;
}

int intervals_add(struct intervals *i, const struct io *io, uint64_t bytes)
{
	int err = reach(i, io->time + io->total);

	if (err)
		return err;
	return series_add(i->series, io->time + io->total, span_of(i, io),
			  group_moves_data(io) ? bytes : 0, io->error);
}

int intervals_under_way(struct intervals *i, uint64_t from, uint64_t to)
{
	int err = reach(i, to);

	return err ? err : series_add_request(i->series, from, to);
}

void intervals_doubt(struct intervals *i, uint64_t from)
{
	series_doubt(i->series, from);
}

/* --- csv ------------------------------------------------------------------ */

static void put_csv(struct intervals *i, const struct series_row *row)
{
	const struct depth_row *d = &row->depth;
	const struct histogram *h = row->spans;
	struct sink *k = &i->sink;
	uint64_t values[STATISTICS];

	statistics_of(h, values);
	sink_row(k);
	sink_number(k, "time_ns", d->from);
	sink_number(k, "length_ns", d->to - d->from);
	sink_number(k, "ios", row->ios);
	sink_number(k, "bytes", row->bytes);
	sink_number(k, "errors", row->errors);
	sink_wide(k, "depth_ns", d->integral);
	sink_number(k, "depth_most", d->most);
	sink_number(k, "busy_ns", d->busy);
	for (unsigned int n = 0; n < i->percentiles.count; n++) {
		uint32_t p = i->percentiles.list[n];
		char name[32];

		sink_maybe(k, cell_percentile_column(p, "_ns", name),
			   histogram_above(h->count, p),
			   histogram_kth(h, histogram_rank(h->count, p)));
	}
	sink_statistics(k, values);
	sink_flag(k, "depth_exact", d->exact);
	sink_row_end(k);
}

/* --- rows ----------------------------------------------------------------- */

static void put_heading(struct intervals *i)
{
	const struct histogram none = { .count = 0 };
	const struct series_row row = { .spans = &none };

	if (i->headed)
		return;
	i->headed = true;
	if (!i->csv) {
		series_text_heading(i->sink.b, &i->text);
		return;
	}
	i->sink.heading = true;
	put_csv(i, &row);
	i->sink.heading = false;
}

static void put_row(struct intervals *i, const struct series_row *row)
{
	put_heading(i);
	if (i->csv)
		put_csv(i, row);
	else
		series_text_row(i->sink.b, &i->text, row);
}

int intervals_show(struct intervals *i, uint64_t settled, uint64_t now)
{
	struct series_row row;
	int rows = 0, got = 0;

	i->settled = settled;
	if (now > i->now)
		i->now = now;
	while (!*i->stop &&
	       (got = series_next(i->series, settled, now, &row)) == 1) {
		put_row(i, &row);
		rows = 1;
	}
	return got < 0 ? got : rows;
}

int intervals_end(struct intervals *i, uint64_t end)
{
	struct series_row row;
	int got;

	put_heading(i);
	while ((got = series_last(i->series, end, &row)) == 1)
		put_row(i, &row);
	if (!i->csv)
		series_text_left_out(i->sink.b, row.left_out);
	return got;
}
