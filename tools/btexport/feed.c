/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of a run; see feed.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/hint.h"
#include "base/msg.h"
#include "emit/named_io.h"
#include "emit/row.h"
#include "record/record.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/host.h"
#include "stat/facts.h"
#include "tools/btexport/capacity_row.h"
#include "tools/btexport/event_row.h"
#include "tools/btexport/feed.h"
#include "tools/btexport/io_row.h"
#include "tools/btexport/meta.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/operands.h"
#include "tools/btexport/options.h"
#include "tools/btexport/outputs.h"

enum { HOST_MAX = 256 };

static int make_rows(struct feed *f, bool events)
{
	enum table_kind kind = events ? TABLE_EVENTS : TABLE_IOS;
	const struct fields *fields = &f->o->out.fields[kind];

	if (!export_has(f->o, kind) || !f->o->out.format->row)
		return 0;
	if (events)
		return event_row_new(&f->event_row, f->reader, f->naming,
				     fields->numbers, fields->shape.count);
	return io_row_new(&f->io_row, f->reader, f->naming, fields->numbers,
			  fields->shape.count);
}

static int make_caches(struct feed *f)
{
	if (!export_has(f->o, TABLE_CACHE))
		return 0;
	f->caches = malloc(sizeof(*f->caches));
	if (!f->caches)
		return -ENOMEM;
	cache_rows_init(f->caches, f->reader);
	return 0;
}

int feed_init(struct feed *f, const struct export_options *o,
	      const struct reader *r, const struct operands *operands,
	      bool events)
{
	char host[HOST_MAX];
	int err;

	*f = (struct feed){ .o = o, .reader = r, .operands = operands };
	filter_init(&f->filter, o->mask, o->where, r);
	err = host_of_run(host, sizeof(host), o->directory,
			  operands->names[0]);
	if (!err)
		err = naming_new(&f->naming, r, host);
	if (!err)
		err = meta_new(&f->meta);
	if (!err)
		err = make_rows(f, events);
	if (!err && !events && export_has(o, TABLE_CAPACITY))
		err = capacity_new(&f->capacity, &o->window, 0);
	if (!err)
		err = make_caches(f);
	f->has_all = export_has(o, TABLE_COMMITS) || f->capacity;
	f->has_sums = export_has(o, TABLE_SEGMENTS) || f->caches ||
		      export_has(o, TABLE_LATENCY);
	if (err)
		feed_free(f);
	return err;
}

static COLD bool no_memory(void)
{
	msg_warn("out of memory");
	return false;
}

/* the time of day of a time of the run */
static inline bool when(struct feed *f, uint64_t time, int64_t *ns)
{
	return !f->timeless && wall_at(&f->wall, f->reader, time, ns);
}

static bool feed_named(struct feed *f, struct output *out, const struct io *io)
{
	struct named_io named;

	naming_io(f->naming, io, &named);
	named.has_start = when(f, 0, &named.start);
	return output_io(out, &named);
}

/* for an I/O that is not selected */
static inline bool pass_over(struct output *out, const struct io *io)
{
	return !out || output_leave_out(out, io);
}

/* puts the selected columns of a row */
static bool put_picked(struct output *out, enum table_kind kind,
		       const struct cell *all)
{
	const struct fields *fields = &out->o->fields[kind];
	struct cell picked[ROW_COLUMNS];

	for (unsigned int i = 0; i < fields->shape.count; i++)
		picked[i] = all[fields->numbers[i]];
	return output_row(out, kind, picked);
}

/* all: also minutes that are not over */
static bool put_latency(struct feed *f, struct output *out, bool all)
{
	struct cell cells[LATENCY_COLUMNS];

	while (latency_next(&f->latency, f->naming, all, cells))
		if (!put_picked(out, TABLE_LATENCY, cells))
			return false;
	return true;
}

/* out NULL: rows were made before */
static bool feed_latency(struct feed *f, struct output *out,
			 const struct io *io)
{
	int64_t minute = LATENCY_NO_MINUTE, ended;

	if (io->total != IO_NONE &&
	    when(f, io->time + io->total, &ended))
		minute = latency_minute_of(ended);
	if (UNLIKELY(latency_due(&f->latency, minute)) && !out)
		latency_drop(&f->latency, false);
	else if (UNLIKELY(latency_due(&f->latency, minute)) &&
		 !put_latency(f, out, false))
		return false;
	if (latency_add(&f->latency, io,
			naming_class(f->naming, io->origin, io->pid), minute))
		return no_memory();
	return true;
}

int feed_watch(struct feed *f, struct ios *ios)
{
	return export_has(f->o, TABLE_COMMITS) ?
		       commit_rows_init(&f->commits, ios) : 0;
}

static bool put_commits(struct feed *f, struct output *out)
{
	struct cell cells[COMMIT_COLUMNS];
	uint64_t time;

	while (commit_rows_next(&f->commits, f->naming, &f->o->window, cells,
				&time)) {
		int64_t day = 0;
		bool known = when(f, time, &day);

		cells[COMMIT_UNIX] = (struct cell){ .number = day,
						    .null = !known };
		if (!put_picked(out, TABLE_COMMITS, cells))
			return false;
	}
	return true;
}

static bool feed_commits(struct feed *f, struct outputs *s,
			 const struct io *io)
{
	if (commit_rows_add(&f->commits, io))
		return no_memory();
	return !s->of[TABLE_COMMITS] || put_commits(f, s->of[TABLE_COMMITS]);
}

static bool end_commits(struct feed *f, struct output *out)
{
	return commit_rows_end(&f->commits) ? no_memory() :
					      put_commits(f, out);
}

/* to the tables of all I/Os, also those that are not selected */
static COLD bool feed_all(struct feed *f, struct outputs *s,
			  const struct io *io)
{
	if (f->commits.commits && !feed_commits(f, s, io))
		return false;
	return !f->capacity || !capacity_add(f->capacity, io) || no_memory();
}

/* to the tables of sums of selected I/Os */
static COLD bool feed_sums(struct feed *f, struct outputs *s,
			   const struct io *io)
{
	if (s->of[TABLE_SEGMENTS] && covered_add(&f->covered, io))
		return no_memory();
	if (f->caches && cache_rows_add(f->caches, io))
		return no_memory();
	return !s->of[TABLE_LATENCY] ||
	       feed_latency(f, s->of[TABLE_LATENCY], io);
}

bool feed_io(struct feed *f, struct outputs *s, const struct io *io,
	     uint64_t now)
{
	struct output *out = s->of[TABLE_IOS];

	if (UNLIKELY(f->has_all) && !feed_all(f, s, io))
		return false;
	if (!io_in_window(io, &f->o->window))
		return pass_over(out, io);
	if (meta_add(f->meta, io))
		return no_memory();
	if (!filter_passes(&f->filter, io, now))
		return pass_over(out, io);
	if (UNLIKELY(f->has_sums) && !feed_sums(f, s, io))
		return false;
	if (f->io_row)
		return output_row(out, TABLE_IOS, io_row_make(f->io_row, io));
	return !out || feed_named(f, out, io);
}

/* by -w, and by -a and -A as in blkparse */
static bool is_selected(const struct export_options *o, const struct event *ev)
{
	if (ev->time < o->window.start)
		return false;
	return o->mask == UINT32_MAX ||
	       (ev->action & o->mask << 16) | (ev->zone & o->mask >> 16);
}

bool feed_event(struct feed *f, struct outputs *s, const struct event *ev)
{
	if (!is_selected(f->o, ev)) {
		event_row_skip(f->event_row);
		return true;
	}
	return output_row(s->of[TABLE_EVENTS], TABLE_EVENTS,
			  event_row_make(f->event_row, ev));
}

/* --- tables about all I/Os ------------------------------------------------ */

static struct covered_span span_of(struct feed *f, uint64_t from, uint64_t to)
{
	struct covered_span span = { .segment = f->segment };

	span.known = when(f, from, &span.from) && when(f, to, &span.to);
	return span;
}

static bool put_covered(struct feed *f, struct output *out,
			const struct covered_span *span)
{
	struct cell cells[COVERED_COLUMNS];

	for (uint32_t i = 0; covered_row(&f->covered, f->reader, f->naming, i,
					 span, cells); i++)
		if (!put_picked(out, TABLE_SEGMENTS, cells))
			return false;
	return true;
}

/* what is covered, at most the window */
static bool put_all_covered(struct feed *f, struct output *out,
			    const struct facts *facts)
{
	const struct covered_span span =
		span_of(f, facts->from, facts->from + facts->length);

	return put_covered(f, out, &span);
}

static bool put_levels(struct output *out, struct capacity_row *r)
{
	for (unsigned int i = 0; i < LEVELS_ROWS; i++) {
		const struct cell *cells = capacity_row_make(r, i);

		if (cells && !put_picked(out, TABLE_CAPACITY, cells))
			return false;
	}
	return true;
}

static bool put_capacity(struct feed *f, struct output *out,
			 const struct facts *facts)
{
	struct capacity_row r;

	if (capacity_end(f->capacity, facts->from + facts->length))
		return no_memory();
	for (uint32_t i = 0; i < capacity_count(f->capacity); i++)
		if (capacity_row_begin(&r, f->capacity, f->reader, f->naming,
				       i) && !put_levels(out, &r))
			return false;
	return true;
}

static bool put_caches(struct feed *f, struct output *out)
{
	struct cell cells[CACHE_ROW_COLUMNS];

	if (cache_rows_end(f->caches))
		return no_memory();
	while (cache_rows_next(f->caches, f->naming, cells))
		if (!put_picked(out, TABLE_CACHE, cells))
			return false;
	return true;
}

static bool put_meta(struct feed *f, struct output *out,
		     const struct facts *facts)
{
	if (meta_end(f->meta, facts, f->naming, f->operands))
		return no_memory();
	for (unsigned int i = 0; i < meta_count(f->meta); i++)
		if (!put_picked(out, TABLE_META, meta_row(f->meta, i)))
			return false;
	return true;
}

bool feed_end(struct feed *f, struct outputs *s, const struct facts *facts)
{
	if (s->of[TABLE_LATENCY] && !put_latency(f, s->of[TABLE_LATENCY], true))
		return false;
	if (s->of[TABLE_COMMITS] && !end_commits(f, s->of[TABLE_COMMITS]))
		return false;
	if (s->of[TABLE_SEGMENTS] &&
	    !put_all_covered(f, s->of[TABLE_SEGMENTS], facts))
		return false;
	if (s->of[TABLE_CAPACITY] &&
	    !put_capacity(f, s->of[TABLE_CAPACITY], facts))
		return false;
	if (f->caches && !put_caches(f, s->of[TABLE_CACHE]))
		return false;
	return !s->of[TABLE_META] || put_meta(f, s->of[TABLE_META], facts);
}

void feed_free(struct feed *f)
{
	latency_free(&f->latency);
	covered_free(&f->covered);
	commit_rows_free(&f->commits);
	capacity_free(f->capacity);
	if (f->caches)
		cache_rows_free(f->caches);
	free(f->caches);
	io_row_free(f->io_row);
	event_row_free(f->event_row);
	meta_free(f->meta);
	naming_free(f->naming);
	*f = (struct feed){ .o = NULL };
}

/* --- segments ------------------------------------------------------------- */

void feed_set_start(struct feed *f, bool known, int64_t start)
{
	f->timeless = !known;
	f->wall = (struct wall){ known, start };
	if (f->io_row)
		io_row_set_start(f->io_row, known, start);
}

bool feed_start(struct feed *f, int64_t *start)
{
	return when(f, 0, start);
}

void feed_segment(struct feed *f, int32_t segment)
{
	f->segment = f->latency.segment = segment;
	if (f->io_row)
		io_row_segment(f->io_row, segment);
}

static bool add_open(struct feed *f, const struct ios *ios, uint64_t now)
{
	const struct io *io;
	uint32_t at = 0;

	while (ios_open_now(ios, &at, &io))
		if (covered_add_open(&f->covered, io,
				     now > io->time ? now - io->time : 0))
			return no_memory();
	return true;
}

/* whether there is a minute that is over; without a time of day there are none,
 * and no reason to wait */
static bool is_over(struct feed *f, uint64_t time)
{
	int64_t now, minute;

	return when(f, time, &now) ? latency_over(&f->latency, now) :
				     latency_oldest(&f->latency, &minute);
}

/* At a time of the run: the rows of minutes that are over; out NULL: they were made
 * before. */
static bool end_minutes(struct feed *f, struct output *out, uint64_t time)
{
	while (is_over(f, time)) {
		bool both = !f->latency.minutes[0].count;

		if (!out)
			latency_drop(&f->latency, both);
		else if (!put_latency(f, out, both))
			return false;
	}
	return true;
}

bool feed_segment_end(struct feed *f, struct outputs *s, const struct ios *ios,
		      const struct feed_span *span)
{
	struct covered_span covered = span_of(f, span->from, span->to);
	struct output *latency = s->of[TABLE_LATENCY];

	if (latency && !(span->last ? put_latency(f, latency, true) :
				      end_minutes(f, latency, span->to)))
		return false;
	if (!s->of[TABLE_SEGMENTS])
		return true;
	if (!add_open(f, ios, span->to) ||
	    !put_covered(f, s->of[TABLE_SEGMENTS], &covered))
		return false;
	return !covered_next(&f->covered, f->reader) || no_memory();
}

bool feed_again(struct feed *f, const struct io *io)
{
	return !export_has(f->o, TABLE_LATENCY) || feed_latency(f, NULL, io);
}

void feed_again_end(struct feed *f, uint64_t to)
{
	end_minutes(f, NULL, to);
}

bool feed_oldest(struct feed *f, uint64_t *time)
{
	int64_t minute, start;

	if (!latency_oldest(&f->latency, &minute) ||
	    minute == LATENCY_NO_MINUTE || !when(f, 0, &start))
		return false;
	*time = minute > start ? (uint64_t)(minute - start) : 0;
	return true;
}
