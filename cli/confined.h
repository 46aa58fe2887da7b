/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sandbox of programs that read traces, which may be made to mislead them:
 * before the first byte of input, a program drops its access to all files but
 * those that its operands and options name.  BLKTRACE_NO_SANDBOX=1 in the
 * environment switches that off; so do kernels without Landlock.
 *
 * The program itself may write nowhere.  An opener (base/opener.h), a second
 * process that knows the names, opens the files to write.
 */
#ifndef CLI_CONFINED_H
#define CLI_CONFINED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/opener.h"

struct cli_program;		/* cli/program.h */

/* how names resolve; see file/location.h */
enum readable_meaning {
	READABLE_IN_TURN,	/* a directory also applies to later names */
	READABLE_BELOW,		/* absolute, or in the directory */
	READABLE_ALONE,		/* each name by itself */
};

/* the traces to read; any pointer may be NULL */
struct readable {
	const char *directory;	/* prepended to names */
	const char *const *names;	/* as on the command line */
	size_t count;
	enum readable_meaning meaning;
	bool all;		/* also all devices of the directory */
	bool positions;		/* also read and write file/positions.h */
};

enum writable_kind {
	WRITABLE_FILE,		/* one, also as base/place.h makes it; "-" is
				 * standard output, and none */
	WRITABLE_EXACT,		/* one, whatever its name */
	WRITABLE_PLAIN,		/* one that is no link */
	WRITABLE_BEGIN,		/* those with this prefix, end and has */
	WRITABLE_TREES,		/* directories with this prefix, and all in
				 * them */
	WRITABLE_FOLDER,	/* a directory that exists or not, and all in
				 * it */
};

/* a file or files that the program may create and write */
struct writable {
	enum writable_kind kind;
	const char *name;	/* NULL: none */
	/* of WRITABLE_BEGIN, may be NULL: */
	const char *end;	/* the suffix */
	const char *has;	/* somewhere between */
};

/* all that its operands and options name; any pointer may be NULL */
struct confined {
	struct readable traces;
	const char *const *files;	/* also read */
	size_t file_count;
	const char *others;	/* files and directories also read, separated
				 * by : */
	const char *written;	/* a file that is opened again */
	const char *scratch;	/* a directory for files of libraries */
	/* outputs are what the options name that write; NULL: none do */
	const struct cli_program *program;
	const void *options;	/* the program's, as cli_parse() filled them */
	const struct writable *outputs;	/* others */
	size_t output_count;
};

/*
 * Drops access to everything else, except the system's locales and time zones.
 * Open files stay open.  Ends the program with a message on failure.
 *
 * Returns the opener of the outputs, for the whole run; none if there are no
 * outputs, or no sandbox.  It follows a link in place of a named file wherever
 * it leads; but one in a folder, or one that only matches a pattern, may be
 * somebody else's, and is not followed out of the allowed directories.
 */
struct opener confined_enter(const struct confined *c);

/*
 * Starts an opener that reads these files (each may be NULL) and writes that one
 * (or NULL) for a process that may not, again and again, also after they were
 * replaced, with the rights that we have now.  It ends with us.  Ends the program
 * with a message on failure.
 */
struct opener confined_opener(const char *const *files, size_t count,
			      const char *output);

#endif
