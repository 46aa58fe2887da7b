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

enum { CONFINED_OUTPUTS = 16, CONFINED_FOLDERS = 3 };

/* any pointer may be NULL: there is none */
struct confined {
	const char *directory;	/* put in front of names */
	const char *const *names;	/* of traces, as on the command line */
	size_t count;
	bool keeps;		/* positions are kept beside traces */
	const char *beside;	/* what is added to a name for files that are
				 * written, or what is added begins so */
	const char *beside_in;	/* and what directory is put in front of it */
	const char *others;	/* files and directories that are read, too,
				 * with : between them */
	const char *outputs[CONFINED_OUTPUTS];	/* files to be written, or what
				 * their names begin with; "-": none */
	const char *folders[CONFINED_FOLDERS];	/* directories to be written in,
				 * which may still have to be made */
};

/*
 * From now on only this can be used: what lies where the traces are, and what
 * links of their names lead to; where outputs are, for writing; the system's
 * files of locales and time zones.  What is open stays so.
 *
 * A link that stands where an output is to be leads on; one in a folder, or whose
 * name only begins like that of outputs[], does not: that may be somebody else's.
 */
void confined_enter(const struct confined *c);

#endif
