/* SPDX-License-Identifier: GPL-2.0-only */
/* The command to trace: started, but held until tracing has started. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct user;			/* confine/user.h */

struct child {
	pid_t pid;		/* 0: none */
	int go;			/* a pipe that starts it; -1: started */
	bool ended;
	int status;		/* exit status, if ended */
};

/*
 * Forks it, to wait for child_start(); 0, or -errno, reported on stderr.  It
 * inherits descriptors without O_CLOEXEC, but no signal handlers, runs as u, or
 * NULL: as our real user, and has out as standard output.
 */
int child_new(struct child *c, char *const *command, const struct user *u,
	      int out);

/* lets it run; exits with 127 if it is not found, or with 126 if it cannot run,
 * reported on stderr */
void child_start(struct child *c);

/* whether it has ended; does not wait */
bool child_ended(struct child *c);

/* waits for its end; returns its status */
int child_wait(struct child *c);

/* passes a signal on, except SIGINT, which the terminal sends to both */
void child_signal(struct child *c, int sig);

/* ends a command that was not started */
void child_free(struct child *c);

#endif
