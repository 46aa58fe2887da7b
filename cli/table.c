/* SPDX-License-Identifier: GPL-2.0-only */
/* All rows of a program; see table.h. */
#include <string.h>

#include "cli/table.h"
#include "cli/version.h"

void cli_table_init(struct cli_table *t, const struct cli_program *p)
{
	const struct cli_option standard[] = {
		[CLI_VERSION] = {
			.letters = p->version_letters,
			.name = "version",
			.help = p->release ? "print release " FAITHFUL_TO
				"'s and the suite's version" :
				"print the suite's version",
			.group = "About this program",
			.classic = p->release,
		},
		[CLI_HELP] = {
			.letters = p->help_letter,
			.name = "help",
			.help = "print this text",
			.classic = p->help_letter || p->help_classic,
		},
		[CLI_COMPLETION] = {
			.name = "completion",
			.argument = "bash|zsh|fish",
			.help = "print a completion script for that shell",
		},
	};

	t->program = p;
	memcpy(t->standard, standard, sizeof(standard));
	t->count = p->option_count + CLI_STANDARD_COUNT;
}

const struct cli_option *cli_table_row(const struct cli_table *t, size_t i)
{
	size_t own = t->program->option_count;

	return i < own ? &t->program->options[i] : &t->standard[i - own];
}

enum cli_standard cli_table_standard(const struct cli_table *t,
				     const struct cli_option *row)
{
	for (int i = 0; i < CLI_STANDARD_COUNT; i++)
		if (row == &t->standard[i])
			return (enum cli_standard)i;
	return CLI_STANDARD_COUNT;
}

bool cli_option_optional(const struct cli_option *row)
{
	return row->argument && *row->argument == '[';
}

bool cli_option_choice(const struct cli_option *row)
{
	return row->argument && strchr(row->argument, '|');
}

void cli_option_words(const struct cli_option *row,
		      void (*each)(void *ctx, const char *word, size_t len),
		      void *ctx)
{
	const char *word, *text = row->argument;

	if (cli_option_optional(row))
		text++;
	for (unsigned int i = 0; row->word && (word = row->word(i)); i++)
		each(ctx, word, strlen(word));
	while (cli_option_choice(row) && *text && *text != ']') {
		size_t len = strcspn(text, "|]");

		each(ctx, text, len);
		text += len + (text[len] == '|');
	}
}
