/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btreplay: sends I/Os to block devices as they were recorded.
 *
 * Takes the command line apart, looks at what there is to do (job), and does
 * it (replay), or only shows it (plan).  Manual: doc/btreplay.8.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/msg.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/plan.h"
#include "tools/btreplay/replay.h"
#include "tools/btreplay/supervise.h"

enum { EXIT_SYSTEM = 2 };	/* 1.3.0: as there */

/* threads look at it, so that it is more than a signal's flag */
static atomic_bool stop;

static void on_signal(int sig)
{
	(void)sig;
	atomic_store(&stop, true);
}

/* All of them are ordinary ends: what was sent is waited for, and reported. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

/* in a process of its own: see supervise.h */
static int work(void *ctx)
{
	struct replay_options *o = ctx;
	struct job l;
	int status;

	catch_signals();
	status = job_open(&l, o);
	if (!status && o->dry_run)
		status = plan_write(&l, o);
	else if (!status)
		status = replay_run(&l, o, &stop);
	job_free(&l);
	replay_options_free(o);
	return status;
}

int main(int argc, char **argv)
{
	struct replay_options o;
	int status;

	msg_guard_fds();
	replay_options_parse(&o, argc, argv);
	status = supervise_run(work, &o, EXIT_SYSTEM);
	replay_options_free(&o);
	return status;
}
