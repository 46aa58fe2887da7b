/* SPDX-License-Identifier: GPL-2.0-only */
/* One event's way through blkparse; see show.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/msg.h"
#include "cli/outfile.h"
#include "emit/dump.h"
#include "emit/format.h"
#include "emit/line.h"
#include "emit/summary.h"
#include "file/batch.h"
#include "record/clock.h"
#include "record/record.h"
#include "run/device.h"
#include "run/names.h"
#include "stats.h"
#include "tools/blkparse/follow.h"
#include "tools/blkparse/inflight.h"
#include "tools/blkparse/options.h"
#include "tools/blkparse/show.h"

/* --- outputs -------------------------------------------------------------- */

/* The outputs: the text, the dump, and the lines about added files. */

struct event;			/* record/record.h */
struct options;			/* tools/blkparse/options.h */

struct outputs {
	struct outfile text;
	struct outfile dump;	/* open only with -d, up to its first error */
	unsigned int version;	/* of the dump's records; 0: unchanged */
	bool shared;		/* text and dump both go to stdout */
	bool failed;		/* in a way that the files do not report */
	bool terminal;		/* standard output is one */
	FILE *added;		/* lines about files, for the end */
	char *added_text;
	size_t added_len;
};

enum { TEXT_BUFFER = 262144 };

static const char dump_ends[] = ", the dump ends here";

static void open_dump(struct outputs *out, const struct options *o)
{
	bool to_stdout = !strcmp(o->dump, "-");

	outfile_open(&out->dump, to_stdout ? NULL : o->dump, DUMP_BUFFER);
	out->version = o->record_version;
	out->shared = to_stdout && !o->output;
}

/* Opens the options' files; dies if it cannot. */
static void outputs_open(struct outputs *out, const struct options *o)
{
	*out = (struct outputs){ .failed = false };
	/* no file without text */
	outfile_open(&out->text, o->no_text ? NULL : o->output, TEXT_BUFFER);
	if (o->dump)
		open_dump(out, o);
	out->terminal = isatty(STDOUT_FILENO);
	out->added = open_memstream(&out->added_text, &out->added_len);
	if (!out->added)
		msg_die("out of memory");
}

/* Prints that a file was added: at once on a terminal, else at the end; on
 * standard error if the dump goes to standard output. */
static void outputs_added(struct outputs *out, const char *file)
{
	FILE *to = out->terminal ? stdout : out->added;

	/* 1.3.0 puts the line into the dump */
	if (out->dump.open && outfile_is_stdout(&out->dump)) {
		msg_warn("Input file %s added", file);
		return;
	}
	fprintf(to, "Input file %s added\n", file);
	if (out->terminal)
		fflush(to);
}

/* --- the dump ------------------------------------------------------------ */

static void cannot_express(struct outputs *out, const struct event *ev)
{
	msg_warn("%s: the %s record of CPU %u, number %u, at sector %llu has"
		 " categories that version %u cannot express; the dump ends"
		 " here", out->dump.name, event_is_note(ev) ? "note" : "event",
		 ev->cpu, ev->sequence, (unsigned long long)ev->sector,
		 out->version);
	buf_flush(&out->dump.buf);
	out->dump.open = false;
	out->failed = true;
}

/* Appends an event or note to the dump, which must be open. */
static void outputs_dump(struct outputs *out, const struct event *ev)
{
	struct buf *dump = &out->dump.buf;
	size_t need = BLK_HEADER_MAX + ev->pdu_len;

	/* on one descriptor, text comes before its block */
	if (out->shared && dump->size - dump->len <= need)
		buf_flush(&out->text.buf);
	if (dump_event(dump, ev, out->version))
		cannot_express(out, ev);
	else
		outfile_check(&out->dump, dump_ends);
}

/* --- the text ------------------------------------------------------------ */

/* Whether all text was written so far; reports a failure once. */
static bool outputs_text_fine(struct outputs *out)
{
	return outfile_check(&out->text, "");
}

/* Writes buffers out; false: the text takes no more. */
static bool outputs_flush(struct outputs *out)
{
	buf_flush(&out->text.buf);
	if (out->dump.open)
		outfile_flush(&out->dump, dump_ends);
	return outputs_text_fine(out);
}

/* Not both, which would be two threads. */
static bool outputs_write_behind(struct outputs *out, bool no_text)
{
	const struct outfile *other = out->dump.open ? &out->dump : NULL;

	return no_text ? outfile_write_behind(&out->dump, NULL) :
			 outfile_write_behind(&out->text, other);
}

/* --- the end ------------------------------------------------------------- */

/* Passes the lines about files to stdio, after all else. */
static void outputs_end(struct outputs *out)
{
	if (out->dump.open)
		buf_flush(&out->dump.buf);
	fclose(out->added);
	out->added = NULL;
	fwrite(out->added_text, 1, out->added_len, stdout);
}

/* Closes and frees everything; whether all was written. */
static bool outputs_close(struct outputs *out)
{
	bool fine = !out->failed;

	if (out->added)
		fclose(out->added);
	free(out->added_text);
	fine = outfile_close(&out->text) && fine;
	return outfile_close(&out->dump) && fine;
}

/* --- show ----------------------------------------------------------------- */

enum {
	COMPLAINTS = 10,	/* of one kind on stderr, then only a count */
	ROW_MAX = 512,		/* events before the caller has its turn */
};

struct show {
	const struct options *o;
	bool from_pipe;
	struct outputs out;
	struct names names;
	struct clock clock;
	struct stats stats;
	struct line *line;
	struct format_context format;
	struct follow follow;

	uint64_t start, span;	/* the window, for comparing */
	uint32_t actions, zones;	/* the mask, for comparing */
	bool begun;		/* had the first event */
	bool formats, no_text;	/* by the options */
	bool driver_data;	/* skipped some */
	uint64_t unknown;	/* events of unknown actions */
};

struct show *show_new(const struct options *o, bool from_pipe)
{
	struct show *s = calloc(1, sizeof(*s));

	if (!s)
		msg_die("out of memory");
	s->o = o;
	s->from_pipe = from_pipe;
	s->start = o->window.start;
	s->span = o->window.end - o->window.start;
	s->formats = o->formats.any;
	s->no_text = o->no_text;
	s->actions = o->mask << 16;
	s->zones = o->mask >> 16;
	outputs_open(&s->out, o);
	if (s->out.text.buf.terminal)
		formats_set_terminal(&o->formats);
	s->line = line_new(&s->out.text.buf, &s->names);
	if (!s->line ||
	    follow_init(&s->follow, o, &s->names, s->line, &s->stats))
		msg_die("out of memory");
	s->stats.per_process = o->sort != 0;
	s->stats.by_name = o->by_name;
	s->stats.names = &s->names;
	s->format = (struct format_context){ &s->out.text.buf, &s->names,
					     &s->clock };
	return s;
}

bool show_write_behind(struct show *s)
{
	return outputs_write_behind(&s->out, s->no_text);
}

bool show_flush(struct show *s)
{
	return outputs_flush(&s->out);
}

void show_added(struct show *s, const char *file)
{
	outputs_added(&s->out, file);
}

static COLD enum show_result text_failed(struct show *s)
{
	outputs_text_fine(&s->out);
	return SHOW_STOP;
}

void show_note(struct show *s, const struct event *note)
{
	switch (event_number(note)) {
	case BLK_TN_PROCESS:
		follow_name(&s->follow, note, (const char *)note->payload,
			    note->pdu_len);
		break;
	case BLK_TN_TIMESTAMP:
		clock_note(&s->clock, note);
		break;
	}
	if (s->out.dump.open)
		outputs_dump(&s->out, note);
}

/* --- text ---------------------------------------------------------------- */

static void unknown_action(struct show *s, const struct event *ev)
{
	if (s->unknown++ >= COMPLAINTS)
		return;
	if (event_is_pc(ev))
		msg_warn("Bad pc action %x", event_number(ev));
	else
		msg_warn("Bad fs action %x", ev->action);
}

/* Ends the run, after its text, if a format cannot be filled in. */
__attribute__((noreturn)) static void format_failed(struct show *s,
						    struct format *f,
						    enum format_result why)
{
	buf_flush(&s->out.text.buf);
	show_abandon(s);
	if (why == FORMAT_NO_LATENCY)
		msg_die("Expecting elapsed value: %%u needs -t and an action"
			" that ends a wait");
	msg_die("Invalid escape char in format %c", format_bad_escape(f));
}

static enum show_result render_format(struct show *s, struct format *f,
				      const struct event *ev, uint64_t latency)
{
	enum format_result r = format_event(f, &s->format, ev, latency);

	if (r == FORMAT_NO_ROOM)
		return text_failed(s);
	if (r != FORMAT_SHOWN)
		format_failed(s, f, r);
	return SHOW_ON;
}

/* An event without a line in the default text. */
static COLD enum show_result not_shown(struct show *s, const struct event *ev,
				       enum line_result why)
{
	if (why == LINE_NO_ROOM)
		return text_failed(s);
	if (why == LINE_HIDDEN)
		s->driver_data = true;
	else
		unknown_action(s, ev);
	return SHOW_ON;
}

static inline enum show_result render(struct show *s, struct event *ev,
				      uint64_t latency)
{
	struct format *f = NULL;
	enum line_result r;

	if (UNLIKELY(s->formats) && !event_is_note(ev))
		f = formats_for(&s->o->formats, ev);
	if (f)
		return render_format(s, f, ev, latency);
	r = line_event(s->line, ev, latency);
	return LIKELY(r == LINE_SHOWN) ? SHOW_ON : not_shown(s, ev, r);
}

static inline enum show_result show_text(struct show *s, struct lane_stats *l,
					 struct event *ev)
{
	uint64_t latency = LINE_NO_LATENCY;
	unsigned int due = follow_due(&s->follow, ev);
	enum show_result r;

	if (UNLIKELY(due & FOLLOW_BEFORE_COUNT))
		follow_before_count(&s->follow, ev, due);
	if (!event_is_note(ev) && stats_count(&s->stats, l, ev))
		msg_die("out of memory");
	if (UNLIKELY(due & FOLLOW_AFTER_COUNT))
		latency = follow_after_count(&s->follow, ev, due);
	r = render(s, ev, latency);
	if (UNLIKELY(due & FOLLOW_AFTER_LINE))
		follow_after_line(&s->follow, ev);
	return r;
}

/* --- events -------------------------------------------------------------- */

/*
 * A dump's events start at 0, but its notes have the machine's clock; so the
 * trace started about when the note was made.
 */
static COLD void begin(struct show *s, const struct event *ev)
{
	s->begun = true;
	s->clock.genesis = ev->time;
	if (ev->lane->filtered && !ev->lane->device->host &&
	    s->clock.note_time > ev->time)
		s->clock.note_time = ev->time;
}

void show_begin_at(struct show *s, uint64_t time)
{
	s->begun = true;
	s->clock.genesis = time;
}

bool show_is_behind(const struct show *s, uint64_t time)
{
	return time > s->clock.genesis &&
	       time - s->clock.genesis > s->o->window.end;
}

bool show_window(const struct show *s, uint64_t *first, uint64_t *start)
{
	*first = s->clock.genesis;
	if (s->out.dump.open || s->start > UINT64_MAX - *first)
		return false;
	*start = *first + s->start;
	return true;
}

static inline bool is_inside(const struct show *s, uint64_t time)
{
	return time - s->start <= s->span;
}

/* Outside the window; the summary of files needs the last event's time.  l:
 * NULL for a pipe. */
static COLD enum show_result pass_over(struct show *s, struct lane_stats *l,
				       const struct event *ev)
{
	const struct window *w = &s->o->window;

	if (l && ev->time < w->start)
		l->device->last = ev->time;
	if (ev->time < w->start)
		return SHOW_BEFORE;
	return ev->time > w->end ? SHOW_BEHIND : SHOW_ON;
}

static struct lane_stats *meet_lane(struct show *s, const struct event *ev)
{
	struct lane_stats *l = stats_lane(&s->stats, ev->lane);

	if (UNLIKELY(!l))
		msg_die("out of memory");
	return l;
}

static inline void count_event(struct device_stats *d, const struct event *ev)
{
	if (UNLIKELY(!d->events))
		d->first = ev->time;
	d->events++;
}

static inline enum show_result show_event(struct show *s, struct lane_stats *l,
					  struct event *ev)
{
	enum show_result r = SHOW_ON;
	struct device_stats *d;

	ev->time -= s->clock.genesis;
	if (UNLIKELY(!is_inside(s, ev->time)))
		return pass_over(s, l, ev);
	d = l->device;
	d->last = ev->time;
	device_follow(ev);
	if (!((ev->action & s->actions) | (ev->zone & s->zones)))
		return SHOW_ON;
	count_event(d, ev);
	if (!s->no_text)
		r = show_text(s, l, ev);
	if (s->out.dump.open && !(s->o->no_messages && event_is_note(ev)))
		outputs_dump(&s->out, ev);
	return r;
}

enum show_result show_events(struct show *s, struct event *ev,
			     struct batch *batch)
{
	struct lane_stats *l = NULL;
	enum show_result r;
	int left = ROW_MAX;

	if (UNLIKELY(!s->begun))
		begin(s, ev);
	/* 1.3.0: a pipe's events outside the window add no lane */
	if (!s->from_pipe || is_inside(s, ev->time - s->clock.genesis))
		l = meet_lane(s, ev);
	do
		r = show_event(s, l, ev);
	while (r == SHOW_ON && --left && batch_follow(batch, &ev));
	return r;
}

/* --- the end ------------------------------------------------------------- */

static void report_holes(const struct device *dev, const struct holes *h)
{
	char name[64];

	device_text(dev, name, sizeof(name));
	for (size_t i = 0; i < h->count; i++)
		msg_warn("(%s): skipping %u -> %u", name, h->list[i].first,
			 h->list[i].last);
	if (h->more)
		msg_warn("(%s): and %llu more", name,
			 (unsigned long long)h->more);
}

static void report_skips(const struct devices *devices)
{
	for (uint32_t i = 0; i < devices->count; i++) {
		const struct device *dev = devices->list[i];

		report_holes(dev, &dev->holes);
		for (uint32_t cpu = 0; cpu < dev->cpus; cpu++)
			if (dev->lanes[cpu])
				report_holes(dev, &dev->lanes[cpu]->holes);
	}
}

/* Reports what bounded tables have left out, a line for each. */
static void report_left_out(const struct show *s)
{
	unsigned long long requests = follow_left_out(&s->follow);
	unsigned long long events = s->stats.left_out;
	unsigned long long names = s->names.left_out;

	if (requests)
		msg_warn("%u requests were followed at a time; %llu more were"
			 " not, and have no latency", INFLIGHT_MAX, requests);
	if (events)
		msg_warn("%u processes have a block; %llu events of others are"
			 " in none", PROCESSES_MAX, events);
	if (names)
		msg_warn("%u names of processes are kept; %llu more were not,"
			 " and are shown as (null)", NAMES_MAX, names);
}

static void summary(struct show *s, const struct devices *devices)
{
	struct buf *text = &s->out.text.buf;

	if (s->o->sort)
		summary_processes(text, &s->stats, &s->names, devices,
				  s->o->sort);
	if (!s->o->quiet)
		summary_devices(text, &s->stats, devices);
	summary_start(text, &s->clock);
}

void show_end(struct show *s, const struct devices *devices)
{
	/* without events, the trace started when its note was made */
	if (!s->begun)
		s->clock.genesis = s->clock.note_time;
	if (!s->o->no_text)
		summary(s, devices);
	if (s->o->verbose && !s->o->no_text)
		report_skips(devices);
	if (s->unknown > COMPLAINTS)
		msg_warn("%llu events of unknown actions in all",
			 (unsigned long long)s->unknown);
	report_left_out(s);
	if (!show_flush(s))
		return;
	outputs_end(&s->out);
	if (s->driver_data && !s->o->dump)
		printf("\ndiscarded traces containing low-level device driver"
		       " specific data (only available in binary output)\n");
	if (!outfile_flush_stdio())
		s->out.failed = true;
}

void show_abandon(struct show *s)
{
	outputs_end(&s->out);
	outfile_flush_stdio();
}

bool show_free(struct show *s)
{
	bool fine = outputs_close(&s->out);

	line_free(s->line);
	follow_free(&s->follow);
	stats_free(&s->stats);
	names_free(&s->names);
	free(s);
	return fine;
}
