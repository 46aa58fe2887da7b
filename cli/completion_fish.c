/* SPDX-License-Identifier: GPL-2.0-only */
/* A completion script for fish: a line for each option. */
#include <stdio.h>
#include <string.h>

#include "cli/completion_impl.h"
#include "cli/table.h"

/* in single quotes */
static void print_quoted(const char *text)
{
	putchar('\'');
	for (; *text; text++) {
		if (strchr("'\\", *text))
			putchar('\\');
		putchar(*text);
	}
	putchar('\'');
}

/* what is offered: files or not (-F, -f), and words */
static void print_kind(enum cli_kind kind)
{
	const char *infix = cli_completion_infix(kind);

	fputs(kind == CLI_FILE || infix ? " -F" : " -f", stdout);
	if (kind == CLI_DIRECTORY)
		fputs(" -a '(__fish_complete_directories)'", stdout);
	else if (kind == CLI_DEVICE)
		fputs(" -a '(for d in /dev/*; test -b $d; and echo $d; end)'",
		      stdout);
	else if (infix)
		printf(" -a '(for f in *.%s.*; string replace -r"
		       " \"\\.%s\\.[0-9]+\\$\" \"\" $f; end | sort -u)'", infix,
		       infix);
}

static void print_argument(const struct cli_option *o)
{
	if (!o->argument)
		return;
	fputs(cli_option_may(o) ? "" : " -r", stdout);
	if (o->word || cli_option_choice(o)) {
		fputs(" -f -a '", stdout);
		cli_completion_words(o);
		putchar('\'');
	} else {
		print_kind(o->completes);
	}
}

static void print_option(const struct cli_program *p,
			 const struct cli_option *o)
{
	printf("complete -c %s", p->name);
	for (const char *l = o->letters; l && *l; l++)
		printf(" -s %c", *l);
	if (o->name)
		printf(" -l %s", o->name);
	print_argument(o);
	fputs(" -d ", stdout);
	print_quoted(o->help);
	putchar('\n');
}

void cli_completion_fish(const struct cli_table *t)
{
	const struct cli_program *p = t->program;

	printf("complete -c %s -f\n", p->name);
	for (size_t i = 0; i < p->command_count; i++) {
		printf("complete -c %s -n __fish_use_subcommand -a %s -d ",
		       p->name, p->commands[i].name);
		print_quoted(p->commands[i].help);
		putchar('\n');
	}
	if (p->operands != CLI_NOTHING) {
		printf("complete -c %s", p->name);
		print_kind(p->operands);
		putchar('\n');
	}
	for (size_t i = 0; i < t->count; i++)
		print_option(p, cli_table_row(t, i));
}
