/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program that reads traces gives up all other files before it reads the
 * first byte of them: a trace may come from anywhere, and be made to mislead
 * whoever takes it apart.  BLKTRACE_NO_SANDBOX=1 in the environment leaves that
 * out; so do kernels without Landlock.
 */
#ifndef CLI_CONFINED_H
#define CLI_CONFINED_H

#include <stddef.h>

#include "base/opener.h"
#include "cli/readable.h"
#include "cli/writable.h"

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
