/* SPDX-License-Identifier: GPL-2.0-only */
/* Another program; see program.h. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/msg.h"
#include "tools/iowatcher/program.h"

extern char **environ;

/* what a shell makes of the end by a signal */
enum { BY_SIGNAL = 128 };

/* Our handlers, and what we ignore, are not the program's. */
static int set_signals(posix_spawnattr_t *attr)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD,
				       SIGPIPE, SIGXFSZ };
	sigset_t usual, none;

	sigemptyset(&usual);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaddset(&usual, signals[i]);
	sigemptyset(&none);
	posix_spawnattr_setsigdefault(attr, &usual);
	posix_spawnattr_setsigmask(attr, &none);
	return posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGDEF |
					POSIX_SPAWN_SETSIGMASK);
}

static int spawn(struct program *p, char *const *words,
		 const posix_spawn_file_actions_t *actions)
{
	posix_spawnattr_t attr;
	int err = posix_spawnattr_init(&attr);

	if (err)
		return err;
	err = set_signals(&attr);
	if (!err)
		err = posix_spawnp(&p->pid, words[0], actions, &attr, words,
				   environ);
	posix_spawnattr_destroy(&attr);
	return err;
}

int program_start_piped(struct program *p, char *const *words, int input,
			int output)
{
	posix_spawn_file_actions_t actions;
	int err = posix_spawn_file_actions_init(&actions);

	*p = (struct program){ .name = words[0] };
	if (!err && input >= 0)
		err = posix_spawn_file_actions_adddup2(&actions, input,
						       STDIN_FILENO);
	if (!err && output >= 0)
		err = posix_spawn_file_actions_adddup2(&actions, output,
						       STDOUT_FILENO);
	if (!err)
		err = spawn(p, words, &actions);
	posix_spawn_file_actions_destroy(&actions);
	if (!err)
		return 0;
	p->pid = 0;
	errno = err;
	msg_warn("cannot run %s:", words[0]);
	return -err;
}

int program_start(struct program *p, char *const *words)
{
	return program_start_piped(p, words, -1, -1);
}

static void set_status(struct program *p, int status)
{
	p->pid = 0;
	p->status = WIFEXITED(status) ? WEXITSTATUS(status) :
					BY_SIGNAL + WTERMSIG(status);
}

bool program_ended(struct program *p)
{
	int status;

	if (p->pid && waitpid(p->pid, &status, WNOHANG) == p->pid)
		set_status(p, status);
	return !p->pid;
}

int program_wait(struct program *p)
{
	int status;

	while (p->pid) {
		pid_t got = waitpid(p->pid, &status, 0);

		if (got == p->pid)
			set_status(p, status);
		else if (errno != EINTR)
			p->pid = 0;
	}
	return p->status;
}

void program_end(struct program *p, int sig)
{
	if (p->pid && sig && sig != SIGINT)
		kill(p->pid, sig);
}
