/* SPDX-License-Identifier: GPL-2.0-only */
/* One export; see run.h. */
#include <errno.h>
#include <stdint.h>

#include "base/hint.h"
#include "base/msg.h"
#include "base/time.h"
#include "base/unit.h"
#include "cli/traces.h"
#include "emit/lost.h"
#include "emit/row.h"
#include "file/location.h"
#include "request/ios.h"
#include "stat/facts.h"
#include "tools/btexport/feed.h"
#include "tools/btexport/meta.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/operands.h"
#include "tools/btexport/options.h"
#include "tools/btexport/outputs.h"
#include "tools/btexport/run.h"
#include "tools/btexport/wall.h"

/* how soon a pipe is silent: rows are to be there within a second */
enum { QUIET_MS = 100 };

/* how long a pipe may take to end by itself, when a signal ends the reading */
#define LAST_WORDS NS_PER_SECOND

struct run {
	const struct export_options *o;
	struct operands operands;
	const volatile sig_atomic_t *stop;
	struct traces in;
	struct feed feed;
	struct outputs outputs;
	struct run_result result;
	uint64_t events;	/* read as such */
	char lost[LOST_MAX];
	uint64_t begun;		/* by our clock */
	uint64_t stopped;	/* when a signal was seen, or 0 */
	bool live;		/* an input is a pipe */
	bool failed;
	bool ended;		/* all of the pass has been read */
};

/* --- outputs -------------------------------------------------------------- */

static bool open_folder(struct run *r)
{
	struct partition p = {
		.opener = &r->o->out.opener,
		.directory = r->o->output, .reader = r->in.reader,
		.host = naming_host(r->feed.naming, 0)->text,
		.ending = r->o->out.format->endings[0],
	};
	struct wall wall = { .known = false };

	p.has_start = wall_at(&wall, r->in.reader, 0, &p.start);
	if (!p.has_start)
		msg_warn("%s: the trace does not say when it was: its files are"
			 " below date=unknown", r->operands.names[0]);
	return outputs_begin(&r->outputs, r->o, &p);
}

/* In a directory names depend on the trace, so that some of it must have been
 * read. */
static bool open_outputs(struct run *r)
{
	if (r->outputs.open || r->failed)
		return !r->failed;
	r->failed = r->o->folder ? !open_folder(r) :
				   !outputs_begin(&r->outputs, r->o, NULL);
	return !r->failed;
}

static void flush_outputs(struct run *r)
{
	if (r->outputs.open && !outputs_quiet(&r->outputs))
		r->failed = true;
}

static void on_idle(void *run)
{
	flush_outputs(run);
}

/* all was read, and all went well so far */
static bool is_whole(const struct run *r)
{
	return r->ended && !r->failed;
}

/* --- reading -------------------------------------------------------------- */

/* A terminal's signal goes to the pipe's writer, too, which still has to tell
 * how it ended. */
static COLD bool is_over(struct run *r)
{
	if (!r->live || *r->stop & RUN_STOP_NOW)
		return true;
	if (!r->stopped)
		r->stopped = time_now();
	return time_now() - r->stopped > LAST_WORDS;
}

static inline bool goes_on(struct run *r)
{
	return !r->failed && (LIKELY(!*r->stop) || !is_over(r));
}

/* what next_io or next_event returned, if it was none */
static COLD void take_none(struct run *r, int got)
{
	if (!got)
		r->ended = true;
	else if (got == -EAGAIN)
		flush_outputs(r);
	else if (got != -EINTR)
		r->failed = true;
}

static void read_ios(struct run *r)
{
	const struct io *io;

	while (!r->ended && goes_on(r)) {
		int got = traces_next_io(&r->in, &io);

		if (UNLIKELY(got != 1))
			take_none(r, got);
		else if (LIKELY(r->outputs.open) || open_outputs(r))
			r->failed |= !feed_io(&r->feed, &r->outputs, io,
					      ios_time(r->in.ios));
	}
}

static void read_events(struct run *r)
{
	const struct event *ev;

	while (!r->ended && goes_on(r)) {
		int got = traces_next_event(&r->in, &ev);

		if (UNLIKELY(got != 1)) {
			take_none(r, got);
			continue;
		}
		r->events++;
		if (LIKELY(r->outputs.open) || open_outputs(r))
			r->failed |= !feed_event(&r->feed, &r->outputs, ev);
	}
}

/* --- passes --------------------------------------------------------------- */

/* false: there is nothing to read, and close_pass() is not to be called */
static bool open_pass(struct run *r, bool events)
{
	const struct traces_options reading = {
		.directory = r->o->directory,
		.names = r->operands.names,
		.count = r->operands.count,
		/* what is before its start is read, and not shown */
		.window = { 0, r->o->window.end },
		.quiet_ms = QUIET_MS,
		.progress = !r->o->no_progress,
		.events = events,
		.seeks = !events,
		.idle = on_idle,
		.ctx = r,
		.hosts = &r->o->hosts,
	};

	r->ended = false;
	r->failed = !traces_open(&r->in, &reading);
	if (r->failed)
		return false;
	outputs_from(&r->outputs, r->in.ios);
	if (feed_init(&r->feed, r->o, r->in.reader, &r->operands,
		      events)) {
		msg_warn("out of memory");
		r->failed = true;
	}
	if (!r->o->folder)
		open_outputs(r);
	return true;
}

static void close_pass(struct run *r)
{
	r->result.damaged |= r->in.damaged;
	feed_free(&r->feed);
	outputs_from(&r->outputs, NULL);
	traces_close(&r->in);
}

static bool is_lossy(const struct facts *f)
{
	return !reader_whole(f->reader, READER_ALL) || f->loss.damages ||
	       (f->ios && facts_missing(f));
}

/* what is said in the end, while it is known */
static void note_loss(struct run *r, const struct facts *f)
{
	lost_text(r->lost, f);
	r->result.lossy = is_lossy(f);
}

static void end_ios(struct run *r)
{
	struct facts f;

	/* which may be a trace without an io */
	if (!r->ended || !open_outputs(r))
		return;
	facts_find(&f, r->in.ios, meta_coverages(r->feed.meta), &r->o->window);
	note_loss(r, &f);
	r->failed = !feed_end(&r->feed, &r->outputs, &f);
	flush_outputs(r);
}

static void pass_ios(struct run *r)
{
	if (!open_pass(r, false))
		return;
	read_ios(r);
	reading_end(&r->in.reading);
	end_ios(r);
	close_pass(r);
}

/* alone: ios have not been read before */
static void pass_events(struct run *r, bool alone)
{
	static const struct coverages no_ios;
	struct facts f = { .coverages = &no_ios };

	if (!open_pass(r, true))
		return;
	read_events(r);
	reading_end(&r->in.reading);
	f.reader = r->in.reader;
	f.records = r->events;
	reader_loss(f.reader, READER_ALL, &f.loss);
	if (r->ended && open_outputs(r) && alone)
		note_loss(r, &f);
	close_pass(r);
}

/* --- the end -------------------------------------------------------------- */

static void print_end(const struct run *r)
{
	uint64_t ms = (time_now() - r->begun) / NS_PER_MS;
	char size[UNIT_MAX];

	unit_size(size, r->outputs.bytes);
	msg_warn("%llu row%s, %s bytes in %llu.%02u s; lost: %s",
		 (unsigned long long)r->outputs.rows,
		 r->outputs.rows == 1 ? "" : "s", size,
		 (unsigned long long)(ms / 1000),
		 (unsigned int)(ms % 1000 / 10), r->lost);
}

/* A file is not there then; of standard output what came is whole rows. */
static void give_up(struct run *r)
{
	if (!r->o->output)
		flush_outputs(r);
	outputs_discard(&r->outputs);
}

struct run_result run_export(const struct export_options *o,
			     const char *const *names, size_t count,
			     const volatile sig_atomic_t *stop)
{
	struct run r = { .o = o, .stop = stop, .begun = time_now() };
	bool ios = o->tables != TABLE_BIT(TABLE_EVENTS);

	if (operands_init(&r.operands, o->directory, names, count))
		msg_die("out of memory");
	for (size_t i = 0; i < count; i++)
		r.live |= location_is_pipe(names[i]);
	if (ios)
		pass_ios(&r);
	if (export_wants(o, TABLE_EVENTS) && (!ios || is_whole(&r)))
		pass_events(&r, !ios);
	r.result.stopped = !r.failed && !r.ended;
	if (!is_whole(&r))
		give_up(&r);
	else if (outputs_finish(&r.outputs))
		print_end(&r);
	else
		r.failed = true;
	operands_free(&r.operands);
	r.result.failed = r.failed;
	return r.result;
}
