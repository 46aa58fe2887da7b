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

#include "base/opener.h"
#include "cli/writable.h"

/* --- readable ------------------------------------------------------------- */

/*
 * Which files the names of traces stand for: these may be read, and what is in
 * their directories may be listed.
 */

struct places;			/* confine/places.h */

/* what a name means; see file/location.h */
enum readable_meaning {
	READABLE_IN_TURN,	/* a directory sticks to names that follow */
	READABLE_BELOW,		/* absolute, or in the directory */
	READABLE_ALONE,		/* nothing sticks */
};

/* any pointer may be NULL: there is none */
struct readable {
	const char *directory;	/* put in front of names */
	const char *const *names;	/* as on the command line */
	size_t count;
	enum readable_meaning meaning;
	bool all;		/* and all devices of the directory */
	bool positions;		/* what is kept beside files is read, too, and
				 * made */
};

/* paths of positions, an all-zero struct has none */
struct readable_kept {
	char **list;
	size_t count;
};

/* --- confined ------------------------------------------------------------- */

/* all that its operands and options name */
struct confined {
	struct readable traces;
	const char *const *files;	/* that are read, too, as they are */
	size_t file_count;
	const char *others;	/* files and directories that are read, too,
				 * with : between them; NULL: none */
	const char *written;	/* a file that is opened again; NULL */
	const char *scratch;	/* a directory for files of libraries; NULL */
	const struct writable *outputs;
	size_t output_count;
};

/*
 * From now on nothing else can be opened, but the system's files of locales and
 * time zones.  What is open stays so.
 *
 * Outputs are made by what this returns, and are where it may: it is none if
 * there are none, or if nothing is given up.  It is for the whole run.
 */
struct opener confined_enter(const struct confined *c);

#endif
