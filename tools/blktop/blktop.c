/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktop: disk activity by process, interval by interval.
 *
 * The feed returns samples; a batch prints them, play shows them on a screen.
 * Manual: doc/blktop.8.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/limit.h"
#include "base/look.h"
#include "base/msg.h"
#include "cli/confined.h"
#include "cli/outfile.h"
#include "emit/sink.h"
#include "emit/values.h"
#include "request/io.h"
#include "tools/blktop/feed.h"
#include "tools/blktop/options.h"
#include "tools/blktop/play.h"
#include "tools/blktop/sample.h"
#include "tools/blktop/screen.h"
#include "tools/blktop/text.h"
#include "tools/blktop/tracer.h"

/* --- json ----------------------------------------------------------------- */

/* A sample as lines of JSON: one for the interval, one per row of its table. */

static void put_span(struct sink *k, const char *name, uint64_t ns)
{
	sink_maybe(k, name, ns != IO_NONE, ns);
}

static void put_times(struct sink *k, const struct sample_times *t)
{
	sink_number(k, "measured", t->count);
	sink_number(k, "sum_ns", t->sum);
	sink_statistics(k, t->values);
	put_span(k, "p50_ns", t->p50);
	put_span(k, "p99_ns", t->p99);
}

static void begin_line(struct sink *k, const char *row, const struct sample *s)
{
	k->begun = false;
	sink_row(k);
	sink_text(k, "row", row);
	sink_number(k, "time_ns", s->depth.from);
	sink_number(k, "length_ns", s->depth.to - s->depth.from);
}

static void end_line(struct sink *k)
{
	sink_row_end(k);
	buf_append(k->b, "\n", 1);
}

/* late devices, the oldest I/O first */
static void put_late(struct sink *k, const struct sample *s)
{
	for (unsigned int i = 0; i < s->late.count; i++) {
		const struct late_device *d = &s->late.list[i];

		begin_line(k, "late", s);
		sink_text(k, "disk", d->device);
		sink_number(k, "in_flight", d->count);
		sink_number(k, "oldest_ns", d->age);
		sink_text(k, "op", io_op_name(d->op));
		sink_maybe(k, "sector", d->sector != IO_NONE, d->sector);
		if (*d->process)
			sink_text(k, "process", d->process);
		else
			sink_none(k, "process");
		end_line(k);
	}
}

static void put_interval(struct sink *k, const struct sample *s)
{
	begin_line(k, "interval", s);
	sink_number(k, "ios", s->read.ios + s->write.ios + s->rest.ios +
			      s->flush_ios.count);
	sink_number(k, "bytes", s->read.bytes + s->write.bytes +
				s->rest.bytes);
	sink_number(k, "errors", s->errors);
	sink_number(k, "read_ios", s->read.ios);
	sink_number(k, "read_bytes", s->read.bytes);
	sink_number(k, "write_ios", s->write.ios);
	sink_number(k, "write_bytes", s->write.bytes);
	sink_number(k, "flush_ios", s->flush_ios.count);
	sink_number(k, "flush_requests", s->flush_requests.count);
	put_times(k, &s->times);
	sink_wide(k, "depth_ns", s->depth.integral);
	sink_number(k, "depth_most", s->depth.most);
	sink_number(k, "busy_ns", s->depth.busy);
	sink_flag(k, "depth_exact", s->depth.exact);
	sink_number(k, "in_flight", s->late.in_flight);
	sink_number(k, "lost_records", s->lost);
	end_line(k);
}

static void put_row(struct sink *k, const struct sample *s,
		    const struct sample_table *t, const struct sample_row *row)
{
	const char *key = value_column(t->key), *name = sample_name(t, row);

	begin_line(k, key, s);
	if (!t->number)
		sink_text(k, key, name);
	else if (row->other)
		sink_none(k, key);
	else
		sink_number(k, key, t->key == GROUP_PID ?
				    (uint32_t)row->value : row->value);
	sink_flag(k, "other", row->other);
	sink_number(k, "ios", row->ios);
	sink_number(k, "bytes", row->bytes);
	sink_number(k, "errors", row->errors);
	put_times(k, &row->times);
	end_line(k);
}

static void json_late(struct buf *b, const struct sample *s)
{
	struct sink k = { .b = b, .json = true, .one_line = true };

	put_late(&k, s);
}

/* the table may be NULL */
static void json_sample(struct buf *b, const struct sample *s,
			const struct sample_table *table)
{
	struct sink k = { .b = b, .json = true, .one_line = true };

	put_late(&k, s);
	put_interval(&k, s);
	for (unsigned int i = 0; table && i < table->count; i++)
		put_row(&k, s, table, &table->rows[i]);
}

/* --- blktop --------------------------------------------------------------- */

enum { OUT_SIZE = 65536 };

/* between two looks for late devices */
#define LOOK_EVERY (500 * NS_PER_MS)

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

/* Ends the reading, not the program: the rest is shown and the terminal
 * restored. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGHUP, SIGTERM };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

struct batch {
	const struct top_options *o;
	struct feed feed;
	struct look look;
	struct text text;
	struct own own;
	struct outfile out;
	uint64_t shown;		/* samples */
	bool late;		/* the last lines had late devices */
};

static void show(struct batch *b, struct sample *s)
{
	struct sample_table *table = sample_table(s, b->o->by);
	struct buf *out = &b->out.buf;
	int err = 0;

	if (b->o->live)
		b->text.own = own_share(&b->own, &b->feed.tracer);
	if (table)
		sample_sort(table, b->o->sort);
	if (b->o->json) {
		json_sample(out, s, table);
	} else {
		if (b->shown)
			buf_append(out, "\n", 1);
		late_text(&s->late, out, b->look.width);
		text_head(&b->text, out, s, &s->late);
		buf_append(out, "\n", 1);
		err = text_table(&b->text, out, s, table, 0,
				 UINT32_MAX);
	}
	if (err)
		msg_die("out of memory");
	b->shown++;
	b->late = s->late.count;
}

/* A stuck device is reported at once, not when the interval is over. */
static void show_late(struct batch *b)
{
	struct sample s = { .depth.from = ios_time(b->feed.in.ios) };

	if (!b->feed.live || b->late)
		return;
	feed_late(&b->feed, &s.late);
	b->late = s.late.count;
	if (b->o->json)
		json_late(&b->out.buf, &s);
	else
		late_text(&s.late, &b->out.buf, b->look.width);
}

/* whether all was read and written */
static bool show_all(struct batch *b)
{
	struct sample *s;
	int got;

	while ((got = feed_next(&b->feed, &s)) && got != -EIO) {
		if (got == 1) {
			show(b, s);
			sample_free(s);
		} else {
			show_late(b);
		}
		if (!outfile_flush(&b->out, ""))
			return false;
		if (b->o->count && b->shown == b->o->count)
			break;
	}
	return got != -EIO;
}

static int run_batch(const struct top_options *o)
{
	struct batch b = { .o = o };
	bool good;

	outfile_open(&b.out, NULL, OUT_SIZE);
	look_init(&b.look, &o->look, b.out.buf.fd);
	feed_open(&b.feed, o, &o->by, 1, !o->json, &stop);
	b.text = (struct text){ .look = &b.look, .by = o->by, .sort = o->sort,
				.where = o->where_text,
				.interval = o->interval, .own = -1 };
	text_set_title(&b.text, o->inputs, o->input_count,
		       feed_source(&b.feed));
	own_share(&b.own, &b.feed.tracer);
	b.feed.patience = b.feed.live ? LOOK_EVERY : 0;
	good = show_all(&b);
	good &= !b.feed.in.damaged;
	good &= feed_close(&b.feed);
	return outfile_close(&b.out) && good ? 0 : 1;
}

static bool uses_screen(const struct top_options *o)
{
	return !o->batch && !o->json && screen_is_able();
}

/* Live devices are traced by a child, which needs root.  Saved traces are made
 * in the working directory. */
static void confine(struct top_options *o)
{
	const struct writable saved = {
		.name = o->batch ? NULL : PLAY_SAVED, .kind = WRITABLE_TREES,
	};
	char *terminals;

	if (o->live)
		return;
	terminals = screen_places();
	o->opener = confined_enter(&(struct confined){
		.traces = { .directory = o->directory, .names = o->inputs,
			    .count = (size_t)o->input_count },
		.others = terminals, .outputs = &saved, .output_count = 1,
	});
	free(terminals);
}

int main(int argc, char **argv)
{
	struct top_options o;
	int status;

	msg_guard_fds();
	top_options_parse(&o, argc, argv);
	catch_signals();
	limit_open_files();
	confine(&o);
	if (uses_screen(&o))
		status = play(&o, &stop);
	else if (o.hold)
		msg_die("--hold waits for keys: it needs a terminal with a"
			" screen");
	else
		status = run_batch(&o);
	top_options_free(&o);
	return status;
}
