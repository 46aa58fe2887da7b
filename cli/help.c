/* SPDX-License-Identifier: GPL-2.0-only */
/* --help; see help.h. */
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/table.h"
#include "cli/version.h"

enum { INDENT = 31, WIDTH = 79 };

void cli_help_usage(const struct cli_program *p, FILE *to)
{
	const char *line = p->usage, *front = "Usage:";

	while (*line) {
		int len = (int)strcspn(line, "\n");

		fprintf(to, "%-6s %s%s%.*s\n", front, p->name, len ? " " : "",
			len, line);
		line += len + (line[len] == '\n');
		front = "   or:";
	}
}

/* Words of text in lines, from column at on, each line indented. */
static void print_wrapped(FILE *to, const char *text, int at, int indent)
{
	bool first = true;

	while (*text) {
		int len = (int)strcspn(text, " ");

		if (!first && at + 1 + len > WIDTH) {
			fprintf(to, "\n%*s", indent, "");
			at = indent;
			first = true;
		}
		fprintf(to, "%s%.*s", first ? "" : " ", len, text);
		at += len + !first;
		first = false;
		text += len + (text[len] == ' ');
	}
	fputc('\n', to);
}

/* A head, and what is to be known of it behind or, if it is long, below. */
static void print_entry(FILE *to, const char *head, const char *text)
{
	int len = (int)strlen(head);

	if (len + 2 > INDENT)
		fprintf(to, "%s\n%*s", head, INDENT, "");
	else
		fprintf(to, "%-*s", INDENT, head);
	print_wrapped(to, text, INDENT, INDENT);
}

/* "=WORD", "[=WORD]" for one that may be left out, or " WORD" for a letter. */
static void add_argument(char *head, size_t size, const struct cli_option *o)
{
	size_t len = strlen(head);

	if (!o->argument)
		return;
	if (cli_option_may(o))
		snprintf(head + len, size - len, "[=%s", o->argument + 1);
	else
		snprintf(head + len, size - len, "%c%s", o->name ? '=' : ' ',
			 o->argument);
}

static void print_option(FILE *to, const struct cli_option *o)
{
	const char *letters = o->letters ? o->letters : "";
	char head[128];
	size_t len = (size_t)snprintf(head, sizeof(head), "%s",
				      *letters ? "  " : "      ");

	for (const char *l = letters; *l; l++)
		len += (size_t)snprintf(head + len, sizeof(head) - len,
					"-%c%s", *l,
					l[1] || o->name ? ", " : "");
	if (o->name)
		snprintf(head + len, sizeof(head) - len, "--%s", o->name);
	add_argument(head, sizeof(head), o);
	print_entry(to, head, o->help);
}

static void print_commands(FILE *to, const struct cli_program *p)
{
	char head[128];

	if (p->command_count)
		fputs("\nCommands:\n", to);
	for (size_t i = 0; i < p->command_count; i++) {
		const struct cli_command *c = &p->commands[i];

		snprintf(head, sizeof(head), "  %s%s%s", c->name,
			 *c->operands ? " " : "", c->operands);
		print_entry(to, head, c->help);
	}
}

static void print_options(FILE *to, const struct cli_table *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct cli_option *o = cli_table_row(t, i);

		if (o->group)
			fprintf(to, "\n%s:\n", o->group);
		print_option(to, o);
	}
}

static void print_examples(FILE *to, const char *line)
{
	fputs("\nExamples:\n", to);
	while (*line) {
		int len = (int)strcspn(line, "\n");

		fprintf(to, "  %.*s\n", len, line);
		line += len + (line[len] == '\n');
	}
}

void cli_help(const struct cli_table *t, FILE *to)
{
	const struct cli_program *p = t->program;

	cli_help_usage(p, to);
	fputc('\n', to);
	print_wrapped(to, p->purpose, 0, 0);
	print_commands(to, p);
	print_options(to, t);
	print_examples(to, p->examples);
	fputs("\nExit status: ", to);
	print_wrapped(to, p->status, 13, 13);
	fprintf(to, "Manual: man %d %s\n"
		"Version: blktrace suite %s, compatible with release %s\n",
		p->section, p->name, SUITE_VERSION, FAITHFUL_TO);
}
