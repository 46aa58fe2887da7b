/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes a command line apart by the program's table.
 *
 * From the rows come what getopt_long(3) wants, --help, and --completion, so
 * that an option stands in one place.  Every program also gets the rows
 * --help, --version and --completion, which end it.
 *
 * Nothing is printed but by these three and for mistakes, each of which ends
 * the program with status 1.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/program.h"

/*
 * Sets what the command line says in *options, the operands last, in their
 * order.  Returns the index of the first operand; they are at the end of argv,
 * unless POSIXLY_CORRECT is set or the program takes a rest: then it
 * is that of the first word after "--".  Does not return from mistakes and from what
 * prints and ends.
 */
int cli_parse(const struct cli_program *p, void *options, int argc,
	      char **argv);

/* a line about what is wrong, how the program is called, and exit(1) */
void cli_usage_error(const struct cli_program *p, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

#endif
