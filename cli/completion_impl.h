/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the writers for the shells share.  Each prints a whole script on
 * standard output.
 */
#ifndef CLI_COMPLETION_IMPL_H
#define CLI_COMPLETION_IMPL_H

#include "cli/program.h"

struct cli_table;

void cli_completion_bash(const struct cli_table *t);
void cli_completion_zsh(const struct cli_table *t);
void cli_completion_fish(const struct cli_table *t);

/* the words that an option's argument can be, a blank between them */
void cli_completion_words(const struct cli_option *row);

/* what stands between a trace's or replay file's name and its CPU, or NULL */
const char *cli_completion_infix(enum cli_kind kind);

#endif
