/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btt: latencies of requests, by phase.
 *
 * Passes events from run/input to dispatch, and writes the report.  Manual:
 * doc/btt.1.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "base/limit.h"
#include "base/msg.h"
#include "cli/confined.h"
#include "cli/inputs.h"
#include "cli/reading.h"
#include "cli/threads.h"
#include "file/hooks.h"
#include "run/input.h"
#include "tools/btt/dispatch.h"
#include "tools/btt/inputs.h"
#include "tools/btt/options.h"
#include "tools/btt/outputs.h"
#include "tools/btt/report/report.h"
#include "tools/btt/state.h"

/* --- files written -------------------------------------------------------- */

/* Patterns of all files that a run may make, known from its options before the
 * trace is read. */

enum { WRITTEN_MAX = 32 };

struct written {
	struct writable list[WRITTEN_MAX];
	char *owned[WRITTEN_MAX];	/* names to be freed, or NULL */
	size_t count;
};

/* prefix + suffix, or, with end, all names that begin with it and end so */
static void add(struct written *w, const char *prefix, const char *suffix,
		const char *end)
{
	char **name = &w->owned[w->count];

	if (!prefix)
		return;
	if (asprintf(name, "%s%s", prefix, suffix) < 0)
		msg_die("out of memory");
	w->list[w->count++] = (struct writable){
		.kind = end ? WRITABLE_BEGIN : WRITABLE_EXACT,
		.name = *name, .end = end };
}

/* PREFIX_DEVICE... .dat */
static void add_devices(struct written *w, const char *prefix)
{
	add(w, prefix, "_", ".dat");
}

/* DEVICE + end, in the working directory */
static void add_here(struct written *w, bool wanted, const char *end)
{
	add(w, wanted ? "" : NULL, "", end);
}

static void btt_written_init(struct written *w, const struct options *o)
{
	static const char *const suffixes[] = { ".avg", ".dat", ".msg",
						"_qhist.dat", "_dhist.dat" };
	const char *const prefixes[] = {
		o->d2c, o->q2c, o->q2d, o->depth, o->block_numbers, o->seeks,
		o->seeks_per_second, o->issue_seeks_per_second, o->unplugs,
	};

	*w = (struct written){ .count = 0 };
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		add(w, o->output, suffixes[i], NULL);
	add(w, o->easy_parse ? o->output : NULL, ".xvg", NULL);
	add(w, o->iostat, "", NULL);
	add(w, o->requests, "", NULL);
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		add_devices(w, prefixes[i]);
	add_here(w, true, "_iops_fp.dat");
	add_here(w, true, "_mbps_fp.dat");
	add_here(w, o->trees, "_pit.dat");
	add_here(w, o->periods, "_live.dat");
	add_here(w, o->latency_period > 0, "_d2c_plat.dat");
	add_here(w, o->latency_period > 0, "_q2c_plat.dat");
	add_here(w, o->latency_period > 0, "_q2d_plat.dat");
}

static void btt_written_free(struct written *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->owned[i]);
}

/* --- btt ------------------------------------------------------------------ */

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

/* A signal ends the reading of a pipe; the report still follows. */
static void catch_interrupt(void)
{
	struct sigaction sa = { .sa_handler = on_signal };

	sigaction(SIGINT, &sa, NULL);
}

/* --- hooks --------------------------------------------------------------- */

struct run {
	struct options o;
	struct state s;
	struct outputs out;
	struct inputs inputs;
	struct progress progress;	/* with -v */
	struct reading reading;		/* else */
	bool noted;		/* a note was read */
	bool damaged;		/* the input, or it has too many devices */
	bool open;		/* the outputs */
	bool alone;		/* no threads are started any more */
};

static void on_note(void *ctx, const struct event *note)
{
	struct run *run = ctx;

	run->noted = true;
	dispatch_event(&run->s, note);
}

static void on_damage(void *ctx, const struct damage *d)
{
	((struct run *)ctx)->damaged = true;
	inputs_print_damage(d);
}

/* shows messages of a running trace */
static void on_idle(void *ctx)
{
	struct run *run = ctx;

	if (run->open && run->s.messages->len) {
		/* the terminal may be the same */
		reading_erase(&run->reading);
		buf_flush(run->s.messages);
	}
	reading_show_input(&run->reading, run->inputs.in);
}

/* --- the run ------------------------------------------------------------- */

/* after the first event: nothing is written if nothing can be read */
static void open_outputs(struct run *run)
{
	const char *file = run->o.input;

	btt_outputs_open(&run->out, &run->o);
	state_open(&run->s, run->out.messages);
	progress_begin(&run->progress,
		       run->o.verbose ? &run->out.standard.buf : NULL, file);
	run->open = true;
}

/* One counts seeks, one reads ahead. */
static COLD void start_threads(struct run *run)
{
	unsigned int threads;
	uint64_t done, total;

	run->alone = true;
	input_progress(run->inputs.in, &done, &total);
	threads = threads_for(run->o.threads, total > done ? total - done : 0);
	if (threads > 1)
		state_start_thread(&run->s);
	if (threads > 2)
		inputs_read_ahead(&run->inputs);
}

static COLD void pause_taking(struct run *run)
{
	reading_show_input(&run->reading, run->inputs.in);
	if (!run->alone)
		start_threads(run);
}

static void run_events(struct run *run)
{
	struct event *ev;

	while (!stop) {
		int got = inputs_next(&run->inputs, &ev);

		if (UNLIKELY(got != 1) && got == -EINTR)
			continue;
		if (UNLIKELY(!run->open) && (got || run->noted))
			open_outputs(run);
		if (!got || dispatch_event(&run->s, ev) == DISPATCH_STOP)
			return;
		progress_event(&run->progress, ev, run->s.events);
		if (reading_due(&run->reading))
			pause_taking(run);
	}
	input_stop(run->inputs.in);
}

static void warn_late(const struct inputs *inputs)
{
	unsigned long long late = input_late(inputs->in);

	if (late)
		msg_warn("%llu event%s came later than one that should have"
			 " followed", late, late == 1 ? "" : "s");
}

static void warn_crowded(struct run *run)
{
	if (!run->s.disks.crowded)
		return;
	msg_warn("the trace names more than %d devices; those beyond are left"
		 " out", DISKS_MAX);
	run->damaged = true;
}

/* false: a write failed */
static bool finish(struct run *run)
{
	bool fine;

	if (!run->open)
		return true;
	progress_end(&run->progress, run->s.events);
	state_end(&run->s);
	report_write(&run->s, &run->out);
	fine = state_close(&run->s);
	return btt_outputs_close(&run->out) && fine;
}

static void confine(struct options *o)
{
	bool dump = inputs_are_dump(o);
	const char *const *names = o->input ? &o->input :
				   (const char *const *)o->names;
	struct written written;

	btt_written_init(&written, o);
	o->opener = confined_enter(&(struct confined){
		.traces = { .names = names, .count = dump ? 0 : o->input ? 1 :
						     (size_t)o->name_count },
		.files = &o->input, .file_count = dump,
		.outputs = written.list, .output_count = written.count,
	});
	btt_written_free(&written);
}

int main(int argc, char **argv)
{
	struct run run = { .open = false };
	const struct hooks hooks = { &run, on_note, on_damage, hooks_no_added,
				     on_idle };
	bool fine;

	msg_guard_fds();
	btt_options_parse(&run.o, argc, argv);
	limit_open_files();
	confine(&run.o);
	state_init(&run.s, &run.o);
	run.alone = inputs_have_pipe(&run.o);
	if (run.alone)
		catch_interrupt();
	inputs_init(&run.inputs, &hooks);
	run.s.disks.run = run.s.processes.run = input_devices(run.inputs.in);
	inputs_open(&run.inputs, &run.o);

	reading_start(&run.reading, !run.o.verbose && !run.o.no_progress);
	if (run.o.threads)
		reading_hurry(&run.reading);
	run_events(&run);
	reading_end(&run.reading);
	warn_late(&run.inputs);
	warn_crowded(&run);
	inputs_close(&run.inputs);
	fine = finish(&run);
	state_free(&run.s);
	btt_options_free(&run.o);
	return run.damaged || !fine;
}
