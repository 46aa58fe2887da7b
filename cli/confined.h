/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program that reads traces gives up all other files before it reads the
 * first byte of them: a trace may come from anywhere, and be made to mislead
 * whoever takes it apart.  BLKTRACE_NO_SANDBOX=1 in the environment leaves that
 * out; so do kernels without Landlock.
 */
#ifndef CLI_CONFINED_H
#define CLI_CONFINED_H

#include <stdbool.h>
#include <stddef.h>

struct confined {
	const char *directory;	/* put in front of names; NULL: none */
	const char *const *names;	/* of traces, as on the command line */
	size_t count;
	bool keeps;		/* positions are kept beside traces */
	const char *outputs[4];	/* files to be written; NULL, "-": none */
};

/*
 * From now on only this can be used: what lies where the traces are, and what
 * links of their names lead to; where outputs are, for writing; the system's
 * files of locales and time zones.  What is open stays so.
 */
void confined_enter(const struct confined *c);

#endif
