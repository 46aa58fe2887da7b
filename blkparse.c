/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blkparse: shows traces of blktrace; see blkparse(1).  Passes events in time
 * order from run/input to show.
 */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hint.h"
#include "base/limit.h"
#include "base/msg.h"
#include "cli/confined.h"
#include "cli/inputs.h"
#include "cli/reading.h"
#include "cli/threads.h"
#include "file/hooks.h"
#include "file/location.h"
#include "run/input.h"
#include "tools/blkparse/options.h"
#include "tools/blkparse/show.h"

enum { EXIT_PIPE = 255 };	/* 1.3.0: a pipe that cannot be opened */

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

/* Signals end the reading, and the summary follows. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGHUP, SIGTERM };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

/* --- what reading reports ------------------------------------------------ */

struct run {
	struct show *show;
	struct input *in;
	struct reading reading;
	bool damaged;
	bool skipped;		/* to the window, if possible */
	unsigned int wanted;	/* threads; 0: as many as gain */
	bool alone;		/* no threads are started any more */
};

static void on_note(void *ctx, const struct event *note)
{
	show_note(((struct run *)ctx)->show, note);
}

static void on_damage(void *ctx, const struct damage *d)
{
	((struct run *)ctx)->damaged = true;
	inputs_print_damage(d);
}

static void on_added(void *ctx, const char *file)
{
	show_added(((struct run *)ctx)->show, file);
}

static void on_idle(void *ctx)
{
	struct run *run = ctx;

	show_flush(run->show);
	reading_show_input(&run->reading, run->in);
}

/* --- inputs -------------------------------------------------------------- */

/* The first pipe among the inputs, or -1. */
static int find_pipe(const struct options *o)
{
	for (int i = 0; i < o->input_count; i++)
		if (location_is_pipe(o->inputs[i]))
			return i;
	return -1;
}

/* With a pipe, all other names are labels for the devices in it. */
static void add_pipe(struct input *in, const struct options *o, int pipe,
		     bool no_stdin)
{
	int err;

	for (int i = 0; i < o->input_count; i++)
		if (i != pipe && input_add_label(in, o->inputs[i]))
			msg_die("out of memory");
	if (no_stdin && !strcmp(o->inputs[pipe], "-"))
		err = -EBADF;
	else
		err = input_add_pipe(in, o->inputs[pipe]);
	if (err) {
		msg_warn("cannot read %s: %s", o->inputs[pipe], strerror(-err));
		exit(EXIT_PIPE);
	}
}

static void add_inputs(struct input *in, const struct options *o,
		       struct show *show)
{
	int bad, err = input_add(in, o->inputs, o->input_count, &bad);
	char why[INPUTS_WHY];

	if (!err && input_begin(in))
		show_begin_at(show, input_begin(in));
	if (!err && o->dump && input_devices(in)->host_count) {
		msg_warn("-d: a dump cannot keep several hosts apart; dump"
			 " each by itself");
		show_abandon(show);
		exit(1);
	}
	if (!err)
		return;
	if (err == -ENOENT) {
		msg_warn("No input files found for %s", o->inputs[bad]);
		inputs_print_missing(o->directory, o->inputs[bad]);
	} else {
		msg_warn("%s: %s", o->inputs[bad],
			 inputs_why_file(err, o->directory, o->inputs[bad],
					 why));
	}
	show_abandon(show);
	exit(1);
}

/* --- the run ------------------------------------------------------------- */

/* After a first event before the window, skips to the window. */
static void skip_to_window(struct run *run)
{
	uint64_t first, start;

	run->skipped = true;
	if (show_window(run->show, &first, &start) &&
	    input_skip(run->in, first, start))
		msg_die("out of memory");
}

/* Stops after the window's end, but not a pipe, where an earlier event may
 * follow. */
static bool finished(struct run *run, enum show_result r)
{
	if (r == SHOW_BEFORE && !run->skipped)
		skip_to_window(run);
	return r == SHOW_STOP ||
	       (r == SHOW_BEHIND &&
		show_is_behind(run->show, input_watermark(run->in)));
}

/*
 * One more thread writes.  If more are wanted, or writing takes no time, one reads
 * ahead, as wanted: that takes more time of CPUs than it gains.  After it has started
 * nothing is skipped.
 */
static COLD void start_threads(struct run *run)
{
	unsigned int wanted = run->wanted, threads;
	uint64_t done, total;

	run->alone = true;
	input_progress(run->in, &done, &total);
	threads = threads_for(wanted, total > done ? total - done : 0);
	if (threads > 1 && show_write_behind(run->show))
		threads--;
	if (wanted && threads > 1)
		run->skipped |= !input_read_ahead(run->in, NULL);
}

static COLD void pause_showing(struct run *run, enum show_result r)
{
	reading_show_input(&run->reading, run->in);
	if (!run->alone && r == SHOW_ON)
		start_threads(run);
}

/* Not with text on the terminal. */
static bool wants_progress(const struct options *o)
{
	bool on_terminal = isatty(STDOUT_FILENO) && !o->output && !o->no_text;

	return !o->no_progress && !on_terminal;
}

static void run_events(struct run *run)
{
	struct show *show = run->show;
	struct input *in = run->in;
	struct event *ev;

	while (!stop) {
		enum show_result r;
		int got = input_next(in, &ev);

		if (UNLIKELY(got != 1)) {
			if (got == -EAGAIN || got == -EINTR)
				continue;
			if (got == -ENOMEM)
				msg_die("out of memory");
			return;
		}
		r = show_events(show, ev, input_batch(in));
		if (reading_due(&run->reading))
			pause_showing(run, r);
		if (r != SHOW_ON && finished(run, r))
			return;
	}
	input_stop(in);
}

static void report_late(const struct input *in)
{
	unsigned long long late = input_late(in);

	if (late)
		msg_warn("%llu line%s late: shown after one that should have"
			 " followed", late, late == 1 ? "" : "s");
}

/* positions: kept beside the trace's files. */
static struct opener confine(const struct options *o, bool positions)
{
	struct confined c = {
		.traces = {
			.directory = o->directory,
			.names = o->inputs, .count = (size_t)o->input_count,
			.positions = positions,
		},
	};

	return confined_enter(&c);
}

int main(int argc, char **argv)
{
	struct options o;
	struct run run = { .damaged = false };
	const struct hooks hooks = { &run, on_note, on_damage, on_added,
				     on_idle };
	struct input_options io;
	struct opener opener;
	bool no_stdin = msg_guard_fds() & 1u << STDIN_FILENO;
	int pipe;

	blkparse_options_parse(&o, argc, argv);
	setlocale(LC_NUMERIC, "en_US");
	catch_signals();
	limit_open_files();
	pipe = find_pipe(&o);
	/* opens all outputs */
	run.show = show_new(&o, pipe >= 0);
	io = (struct input_options){ .directory = o.directory,
				      .batch = o.batch,
				      .from = o.dump ? 0 : o.window.start };
	opener = confine(&o, io.from != 0);
	io.opener = &opener;
	run.in = input_new(&io, &hooks);
	if (!run.in)
		msg_die("out of memory");
	if (pipe >= 0)
		add_pipe(run.in, &o, pipe, no_stdin);
	else
		add_inputs(run.in, &o, run.show);

	reading_start(&run.reading, wants_progress(&o));
	run.wanted = o.threads;
	run.alone = pipe >= 0;
	if (o.threads)
		reading_hurry(&run.reading);
	run_events(&run);
	reading_end(&run.reading);
	if (input_use_labels(run.in))
		msg_die("out of memory");
	show_end(run.show, input_devices(run.in));
	report_late(run.in);
	input_free(run.in);
	if (!show_free(run.show))
		run.damaged = true;
	blkparse_options_free(&o);
	return run.damaged;
}
