/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program's command line: a table with a row for each option, and --help's
 * other texts; for cli/options.
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* what completes an argument or an operand */
enum cli_kind {
	CLI_NOTHING,
	CLI_FILE,
	CLI_DIRECTORY,
	CLI_DEVICE,		/* block devices below /dev */
	CLI_TRACE,		/* NAME of NAME.blktrace.CPU; also files */
	CLI_REPLAY,		/* NAME of NAME.replay.CPU; also files */
};

/* what of the argument's name the program makes; its sandbox allows that */
enum cli_writes {
	CLI_WRITES_NOTHING,
	CLI_WRITES_FILE,
	CLI_WRITES_FOLDER,	/* and all in it */
	CLI_WRITES_EITHER,	/* a folder, if it is one or ends in / */
};

struct cli_option {
	const char *letters;	/* each is this option's; or NULL */
	const char *name;	/* the long name, or NULL */
	/* "WORD", "[WORD]" if optional, or NULL; of "A|B|C" and "[A|B|C]", only
	 * one of these words is accepted */
	const char *argument;
	const char *help;
	const char *group;	/* the heading above it; NULL: the last one */
	/* 1.3.0: has this option, so prefixes that were unique among 1.3.0's
	 * names stay unique */
	bool classic;
	enum cli_kind completes;
	enum cli_writes writes;
	const char *(*word)(unsigned int nr);	/* completes, too; up to NULL */
	/* if max is not 0, the argument must be a number from min to max */
	uint64_t min, max;
	/* called with the place, at bytes into the program's options */
	void (*set)(void *place, const char *argument);
	size_t at;
};

/* a word in place of the first operand */
struct cli_command {
	const char *name, *operands, *help;
};

struct cli_program {
	const char *name;
	const char *usage;	/* what follows the name; a line a form */
	const char *purpose;	/* a sentence, or more lines */
	const struct cli_option *options;
	size_t option_count;
	const struct cli_command *commands;	/* or NULL */
	size_t command_count;
	enum cli_kind operands;	/* what completes them */
	void (*operand)(void *options, const char *word);	/* or NULL */
	/* called last with the words after "--", terminated by NULL; NULL: they
	 * are operands */
	void (*rest)(void *options, char **words, int count);
	const char *examples;	/* two or three lines of the shell */
	const char *status;	/* what the exit status means */
	int section;		/* of the manual */

	/* 1.3.0: the version that --version and these letters print; NULL: it
	 * has no such option */
	const char *release;
	const char *version_letters;
	/* 1.3.0: prints it as "NAME -- version RELEASE", on standard error */
	bool dashed;
	/* 1.3.0: -h prints the help on standard error; else NULL */
	const char *help_letter;
	/* 1.3.0: has --help without a letter, so --h may be unclear */
	bool help_classic;
	/* options end at the first operand: the rest is another program's
	 * command line */
	bool ordered;
};

#endif
