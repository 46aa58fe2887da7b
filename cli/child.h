/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command that is traced: started, but held until tracing has begun.
 */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct user;			/* confine/user.h */

struct child {
	pid_t pid;		/* 0: none */
	int go;			/* a pipe that starts it; -1: it was started */
	bool ended;
	int status;		/* as an exit status, once it has ended */
};

/*
 * Forks it, to wait for child_start(); 0, or -errno, reported on stderr.  It
 * has our descriptors of this moment but those that close when it runs, and the
 * signals of a fresh process.  It runs as u, or if that is NULL as our real
 * user; out becomes its standard output.
 */
int child_new(struct child *c, char *const *command, const struct user *u,
	      int out);

/* lets it run; a command that is not found ends with 127, one that cannot be
 * run with 126, both reported on stderr */
void child_start(struct child *c);

/* whether it has ended by now; does not wait */
bool child_ended(struct child *c);

/* waits until it has ended; its status */
int child_wait(struct child *c);

/* passes a signal on, unless the terminal has sent it to both of us */
void child_signal(struct child *c, int sig);

/* ends a command that has not been started; others go on */
void child_free(struct child *c);

#endif
