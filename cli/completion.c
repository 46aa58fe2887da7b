/* SPDX-License-Identifier: GPL-2.0-only */
/* --completion; see completion.h. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/completion.h"
#include "cli/completion_impl.h"
#include "cli/table.h"

static void print_word(void *ctx, const char *word, size_t len)
{
	bool *any = ctx;

	printf("%s%.*s", *any ? " " : "", (int)len, word);
	*any = true;
}

void cli_completion_words(const struct cli_option *row)
{
	bool any = false;

	cli_option_words(row, print_word, &any);
}

const char *cli_completion_infix(enum cli_kind kind)
{
	if (kind == CLI_TRACE)
		return "blktrace";
	return kind == CLI_REPLAY ? "replay" : NULL;
}

void cli_completion(const struct cli_table *t, const char *shell)
{
	static const struct {
		const char *shell;
		void (*print)(const struct cli_table *t);
	} shells[] = {
		{ "bash", cli_completion_bash },
		{ "zsh", cli_completion_zsh },
		{ "fish", cli_completion_fish },
	};

	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++)
		if (!strcmp(shell, shells[i].shell))
			shells[i].print(t);
}
