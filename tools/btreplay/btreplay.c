/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btreplay: sends I/Os to block devices as they were recorded.
 *
 * Takes the command line apart, looks at what there is to do (job), and does
 * it (replay), or only shows it (plan).  Manual: doc/btreplay.8.
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
 * A process that can always be ended.
 *
 * While a device does not answer, the kernel keeps a process that has I/Os with
 * it, even if it is killed.  So a child does the work, and the parent, which
 * has no I/O, can always end.
 */

/* ns for the child, once it is to end */
enum { PATIENCE = 800000000 };

struct watch {
	pid_t child;
	int failed;		/* the status for that */
	uint64_t limit;		/* ns, when patience ends; 0: no signal yet */
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

/* Ends with its parent, also if that is killed. */
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

/* The child's status, once it has one. */
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

/* The next signal, or 0 when patience ends. */
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
 * Runs work(ctx) in a child and returns its status.  SIGINT, SIGTERM and
 * SIGHUP are passed on to the child.  If it has not ended 0.8 s after the
 * first of them, it is killed and left to the kernel: then, and if it has
 * crashed, that is reported on stderr and failed is returned.  These signals
 * stay blocked in the parent.
 */
static int supervise_run(int (*work)(void *ctx), void *ctx, int failed)
{
	struct watch w = { .failed = failed };
	pid_t parent = getpid();
	sigset_t set;

	fill_signals(&set);
	/* before the fork, so that none is lost; and never unblocked, so that
	 * a late one does not change the status */
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* it may be ignored, by inheritance */
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

/* in a process of its own */
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
