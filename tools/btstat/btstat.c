/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btstat: I/O latency by phase, device and process.
 *
 * Adds joined I/Os to the tally and prints its tables.  Manual: doc/btstat.1.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hint.h"
#include "base/limit.h"
#include "base/look.h"
#include "base/msg.h"
#include "base/time.h"
#include "capacity/capacity.h"
#include "cli/between.h"
#include "cli/captured.h"
#include "cli/confined.h"
#include "cli/outfile.h"
#include "cli/traces.h"
#include "file/location.h"
#include "request/ios.h"
#include "stat/facts.h"
#include "tools/btstat/cache_table.h"
#include "tools/btstat/capacity_table.h"
#include "tools/btstat/commit_table.h"
#include "tools/btstat/data.h"
#include "tools/btstat/marked.h"
#include "tools/btstat/notable.h"
#include "tools/btstat/options.h"
#include "tools/btstat/saver.h"
#include "tools/btstat/saves.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"
#include "tools/btstat/versus.h"
#include "tools/btstat/waterfall.h"

enum {
	OUT_SIZE = 65536,
	EXIT_SLOWER = 3,	/* --gate */
	EXIT_UNDECIDED = 4,
	QUIET_MS = 100,		/* how often a silent pipe is reported */
};

/* how long a pipe may continue after a signal */
#define END_GRACE NS_PER_SECOND
/* from this age, open I/Os of a pipe are shown */
#define LONG_OPEN NS_PER_SECOND

enum { GO_ON, STOP, STOP_NOW };

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = stop == GO_ON ? STOP : STOP_NOW;
}

/* Ends the reading, not the program: the tables still come. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGHUP, SIGTERM };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

struct run {
	struct stat_options o;
	struct traces in;
	struct tally tally;
	struct facts facts;
	struct intervals intervals;
	uint64_t events;	/* read before a pipe fell silent */
	uint64_t silent_since;	/* when it fell silent, time_now() */
	bool live;		/* an input is a pipe */
	uint64_t stopped;	/* when a signal was seen, or 0 */
	struct outfile out;
	struct look look;
	bool failed;		/* to write a save file */
};

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

/* --- reading -------------------------------------------------------------- */

static void start_intervals(struct run *r)
{
	check(intervals_init(&r->intervals, &r->o, &r->out.buf, &r->look,
			     r->live, &stop));
	tally_set_intervals(&r->tally, &r->intervals);
}

static void start_saver(struct run *r)
{
	struct saver *s;

	check(saver_new(&s, &r->o.opener, r->o.save, r->o.interval));
	tally_set_saver(&r->tally, s);
}

/* A stuck device has no completions: its open I/Os are the only sign of it. */
static void show_open(struct run *r, uint64_t now)
{
	const struct facts facts = { .reader = r->in.reader };
	const struct screen s = {
		.b = &r->out.buf, .look = &r->look, .o = &r->o,
		.facts = &facts, .values = { r->in.reader, NULL, true },
	};
	struct coverages c = { .list = NULL };
	const struct io *io;
	uint32_t at = 0;

	while (ios_open_now(r->in.ios, &at, &io))
		if (filter_passes(&r->tally.filter, io, now))
			check(coverages_open(&c, io, now > io->time ?
						     now - io->time : 0));
	screen_in_flight(&s, &c, LONG_OPEN);
	coverages_free(&c);
}

/* Rows of intervals over at now.  I/Os to be added that are not open start at
 * settled or later. */
static void show_intervals(struct run *r, uint64_t settled, uint64_t now)
{
	/* in files it is soon known whether a C was lost: rows wait */
	uint64_t ended = r->live ? ios_settled(r->in.ios) :
				   ios_oldest(r->in.ios);
	int rows = intervals_show(&r->intervals,
				  ended < settled ? ended : settled, now);

	check(rows < 0);
	if (rows && r->live && r->o.format == STAT_TEXT)
		show_open(r, now);
	if (rows && !outfile_flush(&r->out, ""))
		stop = STOP_NOW;
}

/* No earlier event can follow the last one, so the trace's time advances with
 * the silence. */
static void on_silence(struct run *r)
{
	uint64_t events = ios_events(r->in.ios), now = time_now(), moment;

	if (!r->o.series || !events)
		return;
	if (r->events != events) {
		r->events = events;
		r->silent_since = now - QUIET_MS * NS_PER_MS;
	}
	if (!__builtin_add_overflow(ios_time(r->in.ios), now - r->silent_since,
				    &moment))
		show_intervals(r, moment, moment);
}

static void take_io(struct run *r, const struct io *io)
{
	if (UNLIKELY(r->o.series))
		show_intervals(r, io->time, ios_time(r->in.ios));
	check(tally_add(&r->tally, io));
}

/* A terminal's signal reaches the pipe's writer, too, which still writes its
 * last records. */
static COLD bool is_over(struct run *r)
{
	if (!r->live || stop == STOP_NOW)
		return true;
	if (!r->stopped)
		r->stopped = time_now();
	return time_now() - r->stopped > END_GRACE;
}

static void read_ios(struct run *r)
{
	const struct io *io;

	while (LIKELY(!stop) || !is_over(r) || traces_left(&r->in)) {
		int got = traces_next_io(&r->in, &io);

		if (got == 1)
			take_io(r, io);
		else if (got == -EAGAIN)
			on_silence(r);
		else if (!got)
			return;
		else if (got != -EINTR)
			exit(1);
	}
}

/* --- output --------------------------------------------------------------- */

/* by key by default and with intervals or marks; else most time first */
static enum group_order order_of(const struct run *r)
{
	const struct key_list *by = &r->o.by;

	if (!by->count)
		return GROUP_BY_KEYS;
	for (unsigned int i = 0; i < by->count; i++)
		if (by->keys[i] == GROUP_INTERVAL || by->keys[i] == GROUP_MARK)
			return GROUP_BY_KEYS;
	return GROUP_BY_TIME;
}

static bool shows_phases(const struct stat_options *o)
{
	if (o->marks || o->top || o->histogram >= 0 || o->heatmap >= 0 ||
	    o->cache || o->capacity || o->commits)
		return false;
	return !o->by.count || o->measures;
}

static void show_tables(struct screen *s)
{
	int err = 0;

	if (s->o->marks)
		err = marked_table(s);
	else if (s->o->top)
		err = screen_top(s);
	else if (s->o->by.count)
		err = screen_keys(s);
	else
		err = screen_sums(s);
	if (s->o->under.count)
		err |= screen_under(s);
	if (s->o->histogram >= 0)
		err |= screen_histograms(s);
	if (s->o->heatmap >= 0)
		err |= screen_maps(s);
	if (s->o->cache)
		err |= cache_table(s);
	if (s->o->commits)
		err |= commit_table_text(s);
	if (s->o->capacity)
		err |= capacity_table(s);
	if (shows_phases(s->o))
		err |= screen_phases(s);
	check(err);
}

static void show_headlines(struct screen *s)
{
	if (s->tally->findings && !s->o->explain && !s->o->marks)
		check(notable_headlines(s, s->tally->findings));
}

static void show_findings(struct screen *s)
{
	const struct findings *f = s->tally->findings;

	if (!f || s->o->marks)
		return;
	if (s->o->explain)
		check(notable_all(s, f, s->o->rule));
	else
		check(notable_rest(s, f));
}

static void show_text(struct screen *s)
{
	if (s->o->series)
		buf_append(s->b, "\n", 1);
	show_headlines(s);
	check(screen_head(s));
	if (!s->o->series)
		buf_append(s->b, "\n", 1);
	if (!s->o->series && !s->o->explain)
		show_tables(s);
	show_findings(s);
}

static void show_json(struct screen *s)
{
	struct sink k;

	check(data_json(s, &k));
	if (s->tally->findings)
		check(notable_json(&k, s, s->tally->findings));
	check(cache_table_data(s, &k));
	commit_table_data(s, &k);
	check(capacity_table_data(s, &k));
	data_json_end(&k);
}

static void show(struct run *r)
{
	struct screen s = {
		.b = &r->out.buf, .look = &r->look, .o = &r->o,
		.tally = &r->tally, .facts = &r->facts,
		.values = { r->facts.reader, r->tally.group,
			    r->o.format == STAT_TEXT },
	};

	s.rows = group_rows(r->tally.group, order_of(r), &s.row_count);
	if (!s.rows)
		msg_die("out of memory");
	if (r->o.save && !saves_write(&s))
		r->failed = true;
	if (r->o.series)
		check(intervals_end(&r->intervals,
				    r->facts.from + r->facts.length));
	if (r->o.format == STAT_CSV)
		check(r->o.series ? 0 : data_csv(&s));
	else if (r->o.format == STAT_JSON)
		show_json(&s);
	else
		show_text(&s);
	free(s.rows);
}

static bool all_measured(const struct facts *f)
{
	return !facts_missing(f) && !facts_lossy(f, READER_ALL) &&
	       !f->loss.damages;
}

static void open_input(struct run *r)
{
	const struct traces_options reading = {
		.directory = r->o.directory,
		.names = r->o.inputs,
		.count = (size_t)r->o.input_count,
		.window = r->o.window,
		.quiet_ms = r->o.series ? QUIET_MS : 0,
		.progress = !r->o.no_progress,
		.hosts = &r->o.hosts,
		/* their rows are asked for what is open then */
		.ahead = !r->o.series,
		.threads = r->o.threads,
	};

	if (!traces_open(&r->in, &reading))
		exit(1);
}

/* the window between two marks */
static void find_between(struct run *r)
{
	const struct between b = {
		.text = r->o.between,
		.directory = r->o.directory,
		.names = r->o.inputs,
		.count = (size_t)r->o.input_count,
		.stop = &stop,
		.progress = !r->o.no_progress,
	};

	r->o.window = between_find(&b);
}

/* all inputs as one run; the exit status */
static int run_tables(struct run *r)
{
	bool failed;

	if (r->o.between)
		find_between(r);
	open_input(r);
	for (int i = 0; i < r->o.input_count; i++)
		r->live |= location_is_pipe(r->o.inputs[i]);
	check(tally_init(&r->tally, &r->o, r->in.ios));
	if (r->tally.capacity)
		check(ios_watch_levels(r->in.ios,
				       capacity_watcher(r->tally.capacity)));
	if (r->o.series)
		start_intervals(r);
	if (r->o.save && r->o.intervals)
		start_saver(r);
	read_ios(r);
	reading_end(&r->in.reading);
	check(tally_end(&r->tally));
	facts_find(&r->facts, r->in.ios, &r->tally.coverages, &r->o.window);
	if (r->tally.findings)
		check(notable_end(r->tally.findings, &r->facts));
	show(r);
	failed = r->o.strict && !all_measured(&r->facts);
	saver_free(r->tally.saver);
	tally_free(&r->tally);
	intervals_free(&r->intervals);
	traces_close(&r->in);
	return failed || r->failed || r->in.damaged;
}

/* one I/O only; the exit status */
static int run_why(struct run *r)
{
	int err;

	open_input(r);
	err = waterfall_show(&r->in, &r->o, &r->look, &r->out.buf, &stop);
	reading_end(&r->in.reading);
	if (err)
		msg_warn("--why: no I/O %llu here; btstat --top=20 has the"
			 " slowest with their numbers",
			 (unsigned long long)r->o.why);
	traces_close(&r->in);
	return err || r->in.damaged;
}

static int run_comparison(struct run *r)
{
	struct versus_result result = versus_run(&r->o, &r->look,
						 &r->out.buf, &stop);

	if (result.damaged)
		return 1;
	if (!r->o.gate)
		return 0;
	return result.gate == COMPARISON_SLOWER ? EXIT_SLOWER :
	       result.gate == COMPARISON_UNDECIDED ? EXIT_UNDECIDED : 0;
}

/* devices that are named */
static void capture(struct stat_options *o)
{
	captured_take(&o->captured, &(struct captured_operands){
		.names = o->inputs, .count = (size_t)o->input_count,
		.directory = &o->directory, .window = &o->window,
		.progress = !o->no_progress,
	});
}

static void confine(struct stat_options *o)
{
	o->opener = confined_enter(&(struct confined){
		.traces = { .directory = o->directory, .names = o->inputs,
			    .count = (size_t)o->input_count },
		.program = &stat_program, .options = o,
	});
}

int main(int argc, char **argv)
{
	struct run r = { .events = 0 };
	int status;

	msg_guard_fds();
	stat_options_parse(&r.o, argc, argv);
	capture(&r.o);
	catch_signals();
	limit_open_files();
	confine(&r.o);
	stat_options_settle(&r.o);
	outfile_open_by(&r.out, &r.o.opener, r.o.output, OUT_SIZE);
	look_init(&r.look, &r.o.look, r.out.buf.fd);
	if (r.o.saved && !r.o.compare)
		status = saves_show(&r.o, &r.look, &r.out.buf);
	else
		status = r.o.compare ? run_comparison(&r) :
			 r.o.why ? run_why(&r) : run_tables(&r);
	if (!outfile_flush(&r.out, ""))
		status = 1;
	if (!outfile_close(&r.out))
		status = 1;
	stat_options_free(&r.o);
	return status;
}
