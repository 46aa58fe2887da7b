/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command that is traced: started, but held until tracing has begun.
 */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct child {
	pid_t pid;		/* 0: none */
	int go;			/* a pipe that starts it; -1: it was started */
	bool ended;
	int status;		/* as an exit status, once it has ended */
};

/* forks it, to wait for child_start(); 0, or -errno, reported on stderr */
int child_new(struct child *c, char *const *command);

/* lets it run; a command that cannot be run ends with 127 */
void child_start(struct child *c);

/* whether it has ended by now; does not wait */
bool child_ended(struct child *c);

/* passes a signal on, unless the terminal has sent it to both of us */
void child_signal(struct child *c, int sig);

/* ends a command that has not been started; others go on */
void child_free(struct child *c);

#endif
