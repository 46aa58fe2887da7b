/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --help: the same layout for every program.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

struct cli_program;
struct cli_table;

/* how the program is called: a line for each form */
void cli_help_usage(const struct cli_program *p, FILE *to);

/* usage, purpose, options by group, examples, exit status, manual */
void cli_help(const struct cli_table *t, FILE *to);

#endif
