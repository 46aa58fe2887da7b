/* SPDX-License-Identifier: GPL-2.0-only */
/* One export; see run.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/hint.h"
#include "base/msg.h"
#include "base/time.h"
#include "base/unit.h"
#include "capacity/capacity.h"
#include "cli/traces.h"
#include "emit/lost.h"
#include "file/location.h"
#include "record/record.h"
#include "request/ios.h"
#include "stat/facts.h"
#include "tools/btexport/feed.h"
#include "tools/btexport/manifest.h"
#include "tools/btexport/meta.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/operands.h"
#include "tools/btexport/options.h"
#include "tools/btexport/outputs.h"
#include "tools/btexport/run.h"
#include "tools/btexport/tables.h"
#include "tools/btexport/trace_id.h"
#include "tools/btexport/wall.h"

enum { HOST_MAX = 256 };

/* a pipe is silent after this time: rows should appear within a second */
enum { QUIET_MS = 100 };

/* time for a pipe's writer to end after a signal */
#define LAST_WORDS NS_PER_SECOND

struct run {
	const struct export_options *o;
	struct operands operands;
	struct inputs_print inputs;	/* before they are read */
	const volatile sig_atomic_t *stop;
	struct traces in;
	struct feed feed;
	struct outputs outputs;
	struct run_result result;
	uint64_t events;	/* read by pass_events() */
	char lost[LOST_MAX];
	char host[HOST_MAX], trace[TRACE_ID + 1];	/* in a directory */
	uint64_t start;		/* time_now() */
	uint64_t stopped;	/* time_now() of a signal, or 0 */
	bool live;		/* an input is a pipe */
	bool failed;
	bool ended;		/* the pass has read everything */
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

	snprintf(r->host, sizeof(r->host), "%s", p.host);
	snprintf(r->trace, sizeof(r->trace), "%s",
		 naming_trace(r->feed.naming, 0)->text);
	p.has_start = wall_at(&wall, r->in.reader, 0, &p.start);
	if (!p.has_start)
		msg_warn("%s: no time of day in the trace: its files are"
			 " below date=unknown", r->operands.names[0]);
	return outputs_begin(&r->outputs, r->o, &p);
}

/* After the first event or I/O: names in a directory depend on the trace. */
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

static bool is_complete(const struct run *r)
{
	return r->ended && !r->failed;
}

/* --- reading -------------------------------------------------------------- */

/* A terminal's signal also reaches the pipe's writer, whose last records must
 * be read. */
static COLD bool is_over(struct run *r)
{
	if (!r->live || *r->stop & RUN_STOP_NOW)
		return true;
	if (!r->stopped)
		r->stopped = time_now();
	return time_now() - r->stopped > LAST_WORDS;
}

static inline bool may_read(struct run *r)
{
	return !r->failed && (LIKELY(!*r->stop) || !is_over(r));
}

/* got: what traces_next_io() or traces_next_event() returned instead of 1 */
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

	while (!r->ended && may_read(r)) {
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

	while (!r->ended && may_read(r)) {
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

static void watch_levels(struct run *r)
{
	if (!ios_watch_levels(r->in.ios, capacity_watcher(r->feed.capacity)))
		return;
	msg_warn("out of memory");
	r->failed = true;
}

/* false: nothing to read; close_pass() must not be called */
static bool open_pass(struct run *r, bool events)
{
	const struct traces_options reading = {
		.directory = r->o->directory,
		.names = r->operands.names,
		.count = r->operands.count,
		/* events before its start are read, but not shown */
		.window = { 0, r->o->window.end },
		.quiet_ms = QUIET_MS,
		.progress = !r->o->no_progress,
		.events = events,
		.seeks = !events,
		.idle = on_idle,
		.ctx = r,
		.hosts = &r->o->hosts,
		.ahead = !events && !r->o->out.format->open,
		.threads = r->o->threads,
	};

	r->ended = false;
	r->failed = !traces_open(&r->in, &reading);
	if (r->failed)
		return false;
	outputs_from(&r->outputs, r->in.ios);
	if (feed_init(&r->feed, r->o, r->in.reader, &r->operands, events) ||
	    (!events && feed_watch(&r->feed, r->in.ios))) {
		msg_warn("out of memory");
		r->failed = true;
	} else if (r->feed.capacity) {
		watch_levels(r);
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

/* keeps the final message's text while the reader exists */
static void note_loss(struct run *r, const struct facts *f)
{
	lost_text(r->lost, f);
	r->result.lossy = is_lossy(f);
}

static void end_ios(struct run *r)
{
	struct facts f;

	/* a trace without I/Os has not opened them yet */
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

/* alone: without pass_ios() before it */
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

/* --- end of a run --------------------------------------------------------- */

static void print_end(const struct run *r)
{
	uint64_t ms = (time_now() - r->start) / NS_PER_MS;
	char size[UNIT_MAX];

	unit_size(size, r->outputs.bytes);
	msg_warn("%llu row%s, %s bytes in %llu.%02u s; lost: %s",
		 (unsigned long long)r->outputs.rows,
		 r->outputs.rows == 1 ? "" : "s", size,
		 (unsigned long long)(ms / 1000),
		 (unsigned int)(ms % 1000 / 10), r->lost);
}

/* Removes files; standard output keeps the complete rows so far. */
static void discard(struct run *r)
{
	if (!r->o->output)
		flush_outputs(r);
	outputs_discard(&r->outputs);
}

static bool is_packed(const struct export_options *o)
{
	return o->out.format->able & OUTPUT_PACKED && o->out.rows.packed;
}

/* whether options leave rows or columns out, or change them */
static bool is_selected_run(const struct export_options *o)
{
	return o->window.start || o->window.end != UINT64_MAX || o->where ||
	       o->mask != UINT32_MAX || o->field_list || o->hosts.count ||
	       o->hosts.align_start;
}

static bool finish(struct run *r)
{
	const struct export_options *o = r->o;
	struct manifest m = {
		.host = r->host, .trace = r->trace, .format = o->out.format->name,
		.packed = is_packed(o), .selected = is_selected_run(o), .inputs = r->inputs,
	};

	return outputs_finish(&r->outputs, &m, NULL, NULL);
}

/* An export of the same files changes nothing. */
static bool is_there_already(const struct run *r)
{
	const struct export_options *o = r->o;

	if (is_selected_run(o) ||
	    !manifests_have(o->known, &r->inputs, o->tables,
			    o->out.format->name, is_packed(o)))
		return false;
	msg_warn("%s: already in %s", r->operands.names[0], o->output);
	return true;
}

struct run_result run_export(const struct export_options *o,
			     const char *const *names, size_t count,
			     const volatile sig_atomic_t *stop)
{
	struct run r = { .o = o, .stop = stop, .start = time_now() };
	bool ios = o->tables != TABLE_BIT(TABLE_EVENTS);

	if (operands_init(&r.operands, o->directory, names, count))
		msg_die("out of memory");
	if (o->folder)
		inputs_print_find(&r.inputs, o->directory, names, count);
	if (is_there_already(&r)) {
		operands_free(&r.operands);
		return r.result;
	}
	for (size_t i = 0; i < count; i++)
		r.live |= location_is_pipe(names[i]);
	if (ios)
		pass_ios(&r);
	if (export_has(o, TABLE_EVENTS) && (!ios || is_complete(&r)))
		pass_events(&r, !ios);
	r.result.stopped = !r.failed && !r.ended;
	if (!is_complete(&r))
		discard(&r);
	else if (finish(&r))
		print_end(&r);
	else
		r.failed = true;
	operands_free(&r.operands);
	r.result.failed = r.failed;
	return r.result;
}
