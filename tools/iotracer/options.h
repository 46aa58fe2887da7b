/* SPDX-License-Identifier: GPL-2.0-only */
/* iotracer's command line. */
#ifndef TOOLS_IOTRACER_OPTIONS_H
#define TOOLS_IOTRACER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/program.h"
#include "tools/iotracer/backend.h"
#include "tools/iotracer/line.h"

struct options;

/* a command, a word in place of files */
struct command {
	struct cli_command help;	/* the word, and --help's text */
	int min, max;		/* arguments; max -1: any number */
	int (*run)(const struct options *o);	/* the exit status */
};

struct options {
	const struct command *command;	/* NULL: trace now */
	char **words;		/* files, or the command's arguments; not owned */
	int count;
	char **child;		/* after --, or NULL */
	uint64_t events;	/* -n; 0: the default */
	uint32_t levels;	/* -l: LEVEL_BIT()s */
	bool levels_given;
	enum backend backend;	/* -p */
	bool lower;		/* -s */
	struct line_style style;	/* -a, -d, -x */
	const char *records;	/* -b, or NULL: lines */
	bool commits;		/* --commits */
	unsigned int linger;	/* -w: seconds after the command */
	uint32_t ring;		/* -r: bytes per CPU; 0: by their number */
	bool verbose;
};

enum { COMMANDS_MAX = 16 };	/* of the words at most */

/* fills *o; does not return after mistakes, --help and -V */
void iotracer_options_parse(struct options *o, int argc, char **argv,
			    const struct command *commands,
			    unsigned int command_count);

#endif
