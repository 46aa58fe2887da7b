/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Another program beside ours, started by an argument vector, without a shell.
 */
#ifndef TOOLS_IOWATCHER_PROGRAM_H
#define TOOLS_IOWATCHER_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

/* all-zero: not started */
struct program {
	pid_t pid;		/* 0: not running */
	const char *name;
	int status;		/* as of shells, after its end */
};

/*
 * Starts words[0], searched in PATH, with our standard files and default
 * signals.  0; or -errno after a message.
 */
int program_start(struct program *p, char *const *words);

/* the same with standard input and output, which the caller closes; -1: ours */
int program_start_piped(struct program *p, char *const *words, int input,
			int output);

/* whether it has ended; does not wait */
bool program_ended(struct program *p);

/* waits for its end; its status */
int program_wait(struct program *p);

/* passes on the signal that ended us, unless 0 or SIGINT, which the terminal
 * sent to both */
void program_end(struct program *p, int sig);

#endif
