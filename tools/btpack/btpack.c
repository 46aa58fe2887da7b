/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btpack: packs traces, and restores, lists and tests packed ones.
 *
 * The format is pack/'s.  Manual: doc/btpack.1.
 */
#include <signal.h>
#include <stdbool.h>

#include "base/limit.h"
#include "base/msg.h"
#include "cli/between.h"
#include "cli/confined.h"
#include "cli/outfile.h"
#include "pack/frame.h"
#include "tools/btpack/listing.h"
#include "tools/btpack/options.h"
#include "tools/btpack/packing.h"
#include "tools/btpack/restoring.h"
#include "tools/btpack/testing.h"

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	stop = sig;
}

/* Ends the work, and removes unfinished files.  Closed pipes and exceeded
 * limits become write errors, which remove them, too. */
static void catch_signals(void)
{
	static const int ends[] = { SIGINT, SIGHUP, SIGTERM };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaction(ends[i], &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

static void confine(struct btpack_options *o)
{
	/* without -D, files are restored here */
	o->opener = confined_enter(&(struct confined){
		.traces = { .names = o->names, .count = o->count },
		.program = &btpack_program, .options = o,
	});
}

/* reads the traces once more, before */
static void find_window(struct btpack_options *o)
{
	if (o->job == JOB_PACK && o->between)
		o->selection.window = between_find(&(struct between){
			.text = o->between, .names = o->names,
			.count = o->count, .stop = &stop,
			.progress = !o->no_progress,
		});
}

static bool run(const struct btpack_options *o)
{
	bool good = true;

	if (o->job == JOB_PACK)
		return packing_run(o, &stop);
	for (size_t i = 0; i < o->count && !stop; i++) {
		if (o->job == JOB_RESTORE)
			good &= restoring_run(o, o->names[i], &stop);
		else if (o->job == JOB_LIST)
			good &= listing_run(o, o->names[i]);
		else
			good &= testing_run(o, o->names[i], &stop);
	}
	cli_flush();
	return good;
}

int main(int argc, char **argv)
{
	struct btpack_options o;
	bool good;

	msg_guard_fds();
	btpack_options_parse(&o, argc, argv);
	if (!frame_built())
		msg_die("built without libzstd, which packs traces");
	catch_signals();
	limit_open_files();
	confine(&o);
	find_window(&o);
	good = run(&o);
	btpack_options_free(&o);
	if (stop) {
		/* tells the shell which signal ended it */
		signal(stop, SIG_DFL);
		raise(stop);
	}
	return !good;
}
