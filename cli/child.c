/* SPDX-License-Identifier: GPL-2.0-only */
/* The command that is traced; see child.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/msg.h"
#include "cli/child.h"

/* as shells have it */
enum { CANNOT_RUN = 127, BY_SIGNAL = 128 };

/* Our signals and their mask are not the command's. */
static void restore_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD,
				       SIGPIPE };
	sigset_t none;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

__attribute__((noreturn)) static void run(int go, char *const *command)
{
	char byte;

	/* the tracer has died, or given up */
	if (read(go, &byte, 1) != 1)
		_exit(CANNOT_RUN);
	restore_signals();
	execvp(command[0], command);
	msg_warn("cannot run %s:", command[0]);
	_exit(CANNOT_RUN);
}

static int fail(struct child *c)
{
	int err = -errno;

	msg_warn("cannot start the command:");
	c->pid = 0;
	return err;
}

int child_new(struct child *c, char *const *command)
{
	int pipe[2];

	*c = (struct child){ .go = -1 };
	if (pipe2(pipe, O_CLOEXEC))
		return fail(c);
	c->pid = fork();
	if (!c->pid) {
		close(pipe[1]);
		run(pipe[0], command);
	}
	close(pipe[0]);
	if (c->pid < 0) {
		int err = fail(c);

		close(pipe[1]);
		return err;
	}
	c->go = pipe[1];
	return 0;
}

void child_start(struct child *c)
{
	if (write(c->go, "", 1) != 1)
		msg_warn("cannot start the command:");
	close(c->go);
	c->go = -1;
}

bool child_ended(struct child *c)
{
	int status;

	if (!c->pid || c->ended || waitpid(c->pid, &status, WNOHANG) != c->pid)
		return c->ended;
	c->ended = true;
	c->status = WIFEXITED(status) ? WEXITSTATUS(status) :
		BY_SIGNAL + WTERMSIG(status);
	return true;
}

void child_signal(struct child *c, int sig)
{
	if (c->pid && !c->ended && sig != SIGINT)
		kill(c->pid, sig);
}

void child_free(struct child *c)
{
	if (!c->pid || c->go < 0)
		return;
	close(c->go);
	c->go = -1;
	waitpid(c->pid, NULL, 0);
}
