/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btexport: traces as tables for other programs.
 *
 * Passes rows of I/Os from request/ios, or of events from run/reader, to a
 * format.  Manual: doc/btexport.1.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/limit.h"
#include "base/msg.h"
#include "base/tasks.h"
#include "cli/captured.h"
#include "cli/confined.h"
#include "tools/btexport/describe.h"
#include "tools/btexport/follow.h"
#include "tools/btexport/manifest.h"
#include "tools/btexport/operands.h"
#include "tools/btexport/options.h"
#include "tools/btexport/output.h"
#include "tools/btexport/run.h"
#include "tools/btexport/verify.h"

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	stop = stop ? sig | RUN_STOP_NOW : sig;
}

/*
 * Ends reading, and removes unfinished files.  Closed pipes and exceeded limits
 * become write errors, which remove them, too.
 */
static void catch_signals(void)
{
	static const int ends[] = { SIGINT, SIGHUP, SIGTERM };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaction(ends[i], &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

static void add(struct run_result *to, struct run_result one)
{
	to->failed |= one.failed;
	to->damaged |= one.damaged;
	to->lossy |= one.lossy;
	to->stopped |= one.stopped;
}

/* --- a directory: a run for each host ------------------------------------- */

static struct run_result export_hosts(const struct export_options *o)
{
	struct run_result all = { .failed = false };
	const char **names = calloc(o->input_count, sizeof(*names));
	struct operands all_names;

	if (!names || operands_init(&all_names, o->directory, o->inputs,
				    o->input_count))
		msg_die("out of memory");
	for (unsigned int host = 0; host < all_names.host_count; host++) {
		size_t n = 0;

		for (size_t i = 0; i < o->input_count; i++)
			if (all_names.hosts[i] == host)
				names[n++] = o->inputs[i];
		if (n && !all.stopped && !all.failed)
			add(&all, run_export(o, names, n, &stop));
	}
	operands_free(&all_names);
	free(names);
	return all;
}

/* --- SQLite's directory --------------------------------------------------- */

/* where SQLite sorts beyond memory, in the order that it tries */
static const char *sort_folder(void)
{
	const char *folder = getenv("SQLITE_TMPDIR");

	if (!folder)
		folder = getenv("TMPDIR");
	return folder ? folder : "/var/tmp";
}

/* When confined, a library can open only files that exist. */
static bool opens_early(const struct export_options *o)
{
	return o->out.format && o->out.format->able & OUTPUT_FILE && o->output;
}

/*
 * A private directory in which SQLite sorts, to be freed.  NULL: not needed, or
 * cannot be made.
 */
static char *make_scratch(const struct export_options *o)
{
	char *path;

	if (!opens_early(o) && !o->out.query.sql)
		return NULL;
	if (asprintf(&path, "%s/btexport-XXXXXX", sort_folder()) < 0)
		msg_die("out of memory");
	if (mkdtemp(path) && !setenv("SQLITE_TMPDIR", path, 1))
		return path;
	free(path);
	return NULL;
}

static void remove_scratch(const struct export_options *o, char *path)
{
	if (path)
		opener_remove(&o->out.opener, path);
	free(path);
}

/* devices that are named; then the inputs are traces */
static void capture(struct export_options *o)
{
	captured_take(&o->captured, &(struct captured_operands){
		.names = o->inputs, .count = o->input_count,
		.directory = &o->directory, .window = &o->window,
		.progress = !o->no_progress,
	});
}

/* early: the file that is open, or NULL */
static void confine(struct export_options *o, const char *early,
		    const char *scratch)
{
	const struct writable own = { .name = scratch, .kind = WRITABLE_PLAIN };
	char *others = NULL;

	/* what a folder has, and what is still to come in a directory */
	if (o->folder && asprintf(&others, "%s%s%s", o->output,
				  o->follow ? ":" : "",
				  o->follow ? o->follow : "") < 0)
		msg_die("out of memory");
	o->out.opener = confined_enter(&(struct confined){
		.traces = { .directory = o->directory, .names = o->inputs,
			    .count = o->input_count },
		.written = early,
		.scratch = scratch,
		.others = others,
		.program = &export_program, .options = o,
		.outputs = &own, .output_count = 1,
	});
	free(others);
}

/* What is verified may have been made to mislead, too. */
static bool verify_confined(const struct export_options *o)
{
	confined_enter(&(struct confined){ .others = o->verify });
	return verify(o->verify);
}

/* It has to exist before what may be read is settled. */
static void make_folder(const char *path)
{
	if (mkdir(path, 0777) && errno != EEXIST)
		msg_die("cannot make the directory %s:", path);
}

/* --- what is done ---------------------------------------------------------- */

static struct run_result follow_all(struct export_options *o)
{
	struct run_result result = { .failed = false };
	struct follow_shipper shipper = { .pid = 0 };

	make_folder(o->output);
	if (!follow_lock(o, &stop))
		return result;
	if (o->to)
		shipper = follow_ship(o, &stop);
	confine(o, NULL, NULL);
	o->out.rows.tasks = tasks_new();
	result.failed = follow(o, &shipper, &stop);
	return result;
}

static struct run_result export_all(struct export_options *o)
{
	struct run_result result = { .failed = true };
	struct outfile early = { .open = false };
	char *scratch;

	if (opens_early(o)) {
		if (!outfile_open_whole(&early, &o->out.opener, o->output,
					OUTPUT_BUFFER))
			return result;
		o->out.early = &early;
	}
	scratch = make_scratch(o);
	confine(o, early.place.part, scratch);
	o->out.rows.tasks = tasks_new();
	if (o->folder)
		o->known = manifests_load(o->output);
	result = o->folder ? export_hosts(o) :
		run_export(o, o->inputs, o->input_count, &stop);
	if (early.open)
		outfile_discard(&early);
	remove_scratch(o, scratch);
	manifests_free(o->known);
	return result;
}

/* The shell sees which signal ended it. */
static void end_by_signal(void)
{
	int sig = stop & ~RUN_STOP_NOW;

	signal(sig, SIG_DFL);
	raise(sig);
}

int main(int argc, char **argv)
{
	struct run_result result;
	struct export_options o;
	bool good;

	msg_guard_fds();
	export_options_parse(&o, argc, argv);
	if (export_describes(&o)) {
		good = o.verify ? verify_confined(&o) : describe(&o);
		export_options_free(&o);
		return !good;
	}
	o.out.stop = &stop;
	o.out.stop_bits = RUN_STOP_NOW;
	capture(&o);
	catch_signals();
	limit_open_files();
	result = o.follow ? follow_all(&o) : export_all(&o);
	good = !result.failed && !result.damaged &&
	       !(o.strict && result.lossy);
	tasks_free(o.out.rows.tasks);
	export_options_free(&o);
	if (result.stopped)
		end_by_signal();
	return !good;
}
