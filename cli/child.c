/* SPDX-License-Identifier: GPL-2.0-only */
/* The command to trace; see child.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/msg.h"
#include "cli/child.h"
#include "confine/user.h"

/* exit statuses as in shells */
enum { CANNOT_RUN = 126, NOT_FOUND = 127, BY_SIGNAL = 128 };

static void restore_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM,
				       SIGCHLD, SIGPIPE };
	sigset_t none;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* 0 or -errno.  The command of a setuid tracer runs as the real user. */
static int become(const struct user *u)
{
	if (u)
		return user_become(u);
	if (setresgid(getgid(), getgid(), getgid()) ||
	    setresuid(getuid(), getuid(), getuid()))
		return -errno;
	return 0;
}

__attribute__((noreturn)) static void run(int go, char *const *command,
					  const struct user *u, int out)
{
	char byte;
	int err;

	/* the tracer has exited, or does not start it */
	if (read(go, &byte, 1) != 1)
		_exit(NOT_FOUND);
	restore_signals();
	err = dup2(out, STDOUT_FILENO) < 0 ? -errno : become(u);
	if (!err) {
		execvp(command[0], command);
		err = -errno;
	}
	errno = -err;
	msg_warn("cannot run %s:", command[0]);
	_exit(err == -ENOENT ? NOT_FOUND : CANNOT_RUN);
}

static int fail(struct child *c)
{
	int err = -errno;

	msg_warn("cannot start the command:");
	c->pid = 0;
	return err;
}

int child_new(struct child *c, char *const *command, const struct user *u,
	      int out)
{
	int pipe[2];

	*c = (struct child){ .go = -1 };
	if (pipe2(pipe, O_CLOEXEC))
		return fail(c);
	/* if ignored, waitpid() would not see its end */
	signal(SIGCHLD, SIG_DFL);
	c->pid = fork();
	if (!c->pid) {
		close(pipe[1]);
		run(pipe[0], command, u, out);
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

static bool look_for_end(struct child *c, int flags)
{
	int status;

	if (!c->pid || c->ended || waitpid(c->pid, &status, flags) != c->pid)
		return c->ended;
	c->ended = true;
	c->status = WIFEXITED(status) ? WEXITSTATUS(status) :
		BY_SIGNAL + WTERMSIG(status);
	return true;
}

bool child_ended(struct child *c)
{
	return look_for_end(c, WNOHANG);
}

int child_wait(struct child *c)
{
	while (c->pid && !look_for_end(c, 0) && errno == EINTR)
		;
	return c->status;
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
