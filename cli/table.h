/* SPDX-License-Identifier: GPL-2.0-only */
/* All rows of a program: its own, then the standard ones. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli/program.h"

/* the rows that every program has, in order */
enum cli_standard { CLI_VERSION, CLI_HELP, CLI_COMPLETION, CLI_STANDARD_COUNT };

struct cli_table {
	const struct cli_program *program;
	struct cli_option standard[CLI_STANDARD_COUNT];
	size_t count;		/* of all rows */
};

void cli_table_init(struct cli_table *t, const struct cli_program *p);

/* row i, below t->count */
const struct cli_option *cli_table_row(const struct cli_table *t, size_t i);

/* which standard row it is; CLI_STANDARD_COUNT: the program's own */
enum cli_standard cli_table_standard(const struct cli_table *t,
				     const struct cli_option *row);

/* whether the argument is optional */
bool cli_option_optional(const struct cli_option *row);

/* whether the row lists the possible arguments */
bool cli_option_choice(const struct cli_option *row);

/* Calls each with the argument's known words: those of row->word, and those
 * listed with |. */
void cli_option_words(const struct cli_option *row,
		      void (*each)(void *ctx, const char *word, size_t len),
		      void *ctx);

#endif
