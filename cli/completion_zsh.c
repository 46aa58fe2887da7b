/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A completion script for zsh: the function that compinit looks for in a file
 * _NAME of $fpath; a shell that reads the script itself gets it, too.
 */
#include <stdio.h>
#include <string.h>

#include "cli/completion_impl.h"
#include "cli/table.h"

/* in single quotes, between the brackets of _arguments */
static void print_quoted(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\'", stdout);
		else if (strchr("[]:\\", *text))
			putchar('\\');
		putchar(*text);
	}
}

/* the action for a kind; _NAME_names is one of the script's own functions */
static void print_kind(const struct cli_program *p, enum cli_kind kind)
{
	static const char *const actions[] = {
		[CLI_NOTHING] = " ",
		[CLI_FILE] = "_files",
		[CLI_DIRECTORY] = "_files -/",
		[CLI_DEVICE] = "_files -g \"*(-%b)\"",
	};

	if (cli_completion_infix(kind))
		printf("_%s_names", p->name);
	else
		fputs(actions[kind], stdout);
}

static void print_argument(const struct cli_program *p,
			   const struct cli_option *o)
{
	if (!o->argument)
		return;
	printf(":%s", cli_option_may(o) ? ":" : "");
	print_quoted(o->argument);
	putchar(':');
	if (o->word || cli_option_choice(o)) {
		putchar('(');
		cli_completion_words(o);
		putchar(')');
	} else {
		print_kind(p, o->completes);
	}
}

/* one spelling; "+" and "=" stand where an argument may follow at once */
static void print_spec(const struct cli_program *p, const char *spelling,
		       const char *more, const struct cli_option *o)
{
	printf(" \\\n\t\t'*%s%s[", spelling, o->argument ? more : "");
	print_quoted(o->help);
	putchar(']');
	print_argument(p, o);
	putchar('\'');
}

static void print_option(const struct cli_program *p,
			 const struct cli_option *o)
{
	char name[64];

	for (const char *l = o->letters; l && *l; l++)
		print_spec(p, (char[]){ '-', *l, '\0' }, "+", o);
	if (!o->name)
		return;
	snprintf(name, sizeof(name), "--%s", o->name);
	print_spec(p, name, cli_option_may(o) ? "=-" : "=", o);
}

/* NAMEs of files NAME.INFIX.CPU, beside all other files */
static void print_names(const struct cli_program *p)
{
	const char *infix = cli_completion_infix(p->operands);

	if (!infix)
		return;
	printf("_%s_names()\n{\n"
	       "	local -aU names\n"
	       "	names=( *.%s.<->(N) )\n"
	       "	names=( ${names%%.%s.*} )\n"
	       "	compadd -a names\n"
	       "	_files\n"
	       "}\n\n", p->name, infix, infix);
}

/* Commands are offered where the first operand is, beside what it can be. */
static void print_commands(const struct cli_program *p)
{
	if (!p->command_count)
		return;
	fputs(" \\\n\t\t'1: :_alternative \"commands:command:((", stdout);
	for (size_t i = 0; i < p->command_count; i++)
		printf("%s%s", i ? " " : "", p->commands[i].name);
	fputs("))\" \"files:file:", stdout);
	print_kind(p, p->operands);
	fputs("\"'", stdout);
}

void cli_completion_zsh(const struct cli_table *t)
{
	const struct cli_program *p = t->program;

	printf("#compdef %s\n\n", p->name);
	print_names(p);
	printf("_%s()\n{\n\t_arguments -s -S", p->name);
	for (size_t i = 0; i < t->count; i++)
		print_option(p, cli_table_row(t, i));
	print_commands(p);
	fputs(" \\\n\t\t'*: :", stdout);
	print_kind(p, p->operands);
	printf("'\n}\n\n"
	       "if [[ $funcstack[1] = _%s ]]; then\n\t_%s \"$@\"\nelse\n"
	       "\tcompdef _%s %s\nfi\n", p->name, p->name, p->name, p->name);
}
