/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Another program that runs beside ours, started by an argument vector: no
 * shell has a look at it.
 */
#ifndef TOOLS_IOWATCHER_PROGRAM_H
#define TOOLS_IOWATCHER_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

/* an all-zero one was not started */
struct program {
	pid_t pid;		/* 0: it does not run, or no more */
	const char *name;
	int status;		/* as shells have it, once it has ended */
};

/*
 * Starts it, with words[0] looked for in PATH, our standard files, and the
 * signals as they were at our start.  0; or -errno, reported.
 */
int program_start(struct program *p, char *const *words);

/* the same with this as its standard input, which stays the caller's to close;
 * output, -1 or the same for its standard output */
int program_start_piped(struct program *p, char *const *words, int input,
			int output);

/* whether it has ended by now; does not wait */
bool program_ended(struct program *p);

/* waits until it has; its status */
int program_wait(struct program *p);

/* sends a signal that has ended us, unless it is 0 or the terminal's, which
 * it has got itself; what does not end is left alone */
void program_end(struct program *p, int sig);

#endif
