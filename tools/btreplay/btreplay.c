/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btreplay: sends I/Os to block devices as recorded; see btreplay(8).  Parses
 * the command line, scans the files (job), and replays them (replay) or shows
 * the plan (plan).
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/time.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/pace.h"
#include "tools/btreplay/plan.h"
#include "tools/btreplay/replay.h"

/* --- supervise ------------------------------------------------------------ */

/*
 * The kernel keeps even a killed process while a device does not answer its
 * I/Os.  So a child does the work, and the parent, without I/O, can always end.
 */

/* ns for the child to end after a signal */
enum { PATIENCE = 800000000 };

struct watch {
	pid_t child;
	int failed;		/* the status if the child fails */
	uint64_t limit;		/* ns, for the child's end; 0: no signal yet */
};

/* --- the child ----------------------------------------------------------- */

static void fill_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGCHLD);
}

/* The child ends with its parent, also if that is killed. */
__attribute__((noreturn)) static void be_child(int (*work)(void *ctx),
					       void *ctx, pid_t parent,
					       const sigset_t *set)
{
	prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL);
	if (getppid() != parent)
		_exit(1);
	sigprocmask(SIG_UNBLOCK, set, NULL);
	exit(work(ctx));
}

/* --- the parent ---------------------------------------------------------- */

/* Whether the child has ended, and its status. */
static bool has_ended(const struct watch *w, int *status)
{
	int raw;

	if (waitpid(w->child, &raw, WNOHANG) != w->child)
		return false;
	if (WIFEXITED(raw)) {
		*status = WEXITSTATUS(raw);
		return true;
	}
	msg_warn("the replay was ended by signal %d (%s)", WTERMSIG(raw),
		 strsignal(WTERMSIG(raw)));
	*status = w->failed;
	return true;
}

static int leave_behind(const struct watch *w)
{
	kill(w->child, SIGKILL);
	msg_warn("the device does not answer: process %d still waits for its"
		 " I/Os, and ends when they return", (int)w->child);
	return w->failed;
}

/* The next signal, or 0 at the limit. */
static int next_signal(const struct watch *w, const sigset_t *set)
{
	struct timespec t;
	uint64_t now = pace_now(), left = 0;
	int sig;

	if (!w->limit)
		return sigwaitinfo(set, NULL);
	if (w->limit > now)
		left = w->limit - now;
	t = time_to_timespec(left);
	sig = sigtimedwait(set, NULL, &t);
	return sig < 0 && errno == EAGAIN ? 0 : sig;
}

static int be_parent(struct watch *w, const sigset_t *set)
{
	int status;

	while (!has_ended(w, &status)) {
		int sig = next_signal(w, set);

		if (!sig)
			return leave_behind(w);
		if (sig < 0 || sig == SIGCHLD)
			continue;
		kill(w->child, sig);
		if (!w->limit)
			w->limit = pace_now() + PATIENCE;
	}
	return status;
}

/*
 * Runs work(ctx) in a child and returns its status.  Passes SIGINT, SIGTERM and
 * SIGHUP on, which stay blocked in the parent.  Kills a child that has not
 * ended 0.8 s after the first of them; then, and after a crash, reports that on
 * stderr and returns failed.
 */
static int supervise_run(int (*work)(void *ctx), void *ctx, int failed)
{
	struct watch w = { .failed = failed };
	pid_t parent = getpid();
	sigset_t set;

	fill_signals(&set);
	/* before the fork, to lose none; never unblocked, as a late one would
	 * change the status */
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* may be inherited as ignored */
	signal(SIGCHLD, SIG_DFL);
	fflush(NULL);
	w.child = fork();
	if (!w.child)
		be_child(work, ctx, parent, &set);
	if (w.child < 0) {
		msg_warn("cannot start a process:");
		return failed;
	}
	return be_parent(&w, &set);
}

/* --- btreplay ------------------------------------------------------------- */

enum { EXIT_SYSTEM = 2 };	/* 1.3.0: as there */

/* atomic, as threads read it */
static atomic_bool stop;

static void on_signal(int sig)
{
	(void)sig;
	atomic_store(&stop, true);
}

/* All of them end a replay normally: it waits for its I/Os and reports. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

/* In the child. */
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
