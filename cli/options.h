/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses a command line by the program's table of options, which is also the
 * source of --help and --completion.
 *
 * Every program also has --help, --version and --completion, which print and
 * exit.  A mistake is reported, and ends the program with status 1.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/program.h"

/*
 * Calls the rows' setters for *options, then operand() in order.  Returns the
 * index of the first operand, which are at the end of argv, unless
 * POSIXLY_CORRECT is set; of a program with a rest, the index of the first word
 * after "--".
 */
int cli_parse(const struct cli_program *p, void *options, int argc,
	      char **argv);

/* prints the message and the usage, then exit(1) */
void cli_usage_error(const struct cli_program *p, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

#endif
