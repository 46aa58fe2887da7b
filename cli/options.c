/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses a command line; see options.h. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "cli/completion.h"
#include "cli/options.h"
#include "cli/outfile.h"
#include "cli/set.h"
#include "cli/table.h"
#include "cli/version.h"

/* --- --help --------------------------------------------------------------- */

enum { INDENT = 31, WIDTH = 79 };

static void cli_help_usage(const struct cli_program *p, FILE *to)
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

/* Wraps text from column at on, with the next lines indented. */
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

/* A head, and its text beside or, if the head is long, below it. */
static void print_entry(FILE *to, const char *head, const char *text)
{
	int len = (int)strlen(head);

	if (len + 2 > INDENT)
		fprintf(to, "%s\n%*s", head, INDENT, "");
	else
		fprintf(to, "%-*s", INDENT, head);
	print_wrapped(to, text, INDENT, INDENT);
}

/* "=WORD", "[=WORD]" if optional, or " WORD" after a letter. */
static void add_argument(char *head, size_t size, const struct cli_option *o)
{
	size_t len = strlen(head);

	if (!o->argument)
		return;
	if (cli_option_optional(o))
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

static void cli_help(const struct cli_table *t, FILE *to)
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

/* --- tables for getopt_long() --------------------------------------------- */

/* what it returns for an operand, if the letters start with '-', and for the
 * long name of row 0 */
enum { OPERAND = 1, LONG = 256 };

struct parser {
	struct cli_table table;
	struct option *longs;	/* names, and prefixes as names */
	size_t long_count;
	char *letters;
	char **operands;	/* of a program that has a rest */
	int operand_count;
};

void cli_usage_error(const struct cli_program *p, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	msg_warn("%s", text);
	cli_help_usage(p, stderr);
	fprintf(stderr, "Try '%s --help'.\n", p->name);
	exit(1);
}

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (!p)
		msg_die("out of memory");
	return p;
}

static int argument_of(const struct cli_option *row)
{
	if (!row->argument)
		return no_argument;
	return cli_option_optional(row) ? optional_argument : required_argument;
}

static void add_long(struct parser *g, size_t i, const char *name)
{
	g->longs[g->long_count++] = (struct option){
		.name = name,
		.has_arg = argument_of(cli_table_row(&g->table, i)),
		.val = LONG + (int)i,
	};
}

/* the rows whose names start with a prefix */
struct rivals {
	unsigned int classic, ours;
	bool whole;		/* the prefix is a name itself */
};

static struct rivals rivals_of(const struct cli_table *t, const char *name,
			       size_t len)
{
	struct rivals r = { .whole = false };

	for (size_t i = 0; i < t->count; i++) {
		const struct cli_option *row = cli_table_row(t, i);

		if (!row->name || strncmp(row->name, name, len))
			continue;
		r.whole = r.whole || !row->name[len];
		if (row->classic)
			r.classic++;
		else
			r.ours++;
	}
	return r;
}

/* 1.3.0: accepts these prefixes, which are ambiguous now, so they become names
 * themselves. */
static void add_prefixes(struct parser *g, size_t i, const char *name)
{
	for (size_t len = 1; name[len]; len++) {
		struct rivals r = rivals_of(&g->table, name, len);
		char *prefix;

		if (r.whole || r.classic != 1 || !r.ours)
			continue;
		prefix = strndup(name, len);
		if (!prefix)
			msg_die("out of memory");
		add_long(g, i, prefix);
	}
}

/* the most names of a row: itself and its prefixes */
static size_t name_length(const struct cli_option *row)
{
	return row->name ? strlen(row->name) : 0;
}

static void add_longs(struct parser *g)
{
	size_t most = 1;

	for (size_t i = 0; i < g->table.count; i++)
		most += name_length(cli_table_row(&g->table, i));
	g->longs = allocate(most, sizeof(*g->longs));
	for (size_t i = 0; i < g->table.count; i++) {
		const struct cli_option *row = cli_table_row(&g->table, i);

		if (!row->name)
			continue;
		add_long(g, i, row->name);
		if (row->classic)
			add_prefixes(g, i, row->name);
	}
}

static void add_letters(struct parser *g)
{
	static const char *const colons[] = {
		[no_argument] = "",
		[required_argument] = ":",
		[optional_argument] = "::",
	};
	char *p = g->letters = allocate(1 + 3 * UINT8_MAX, 1);

	/* '-': operands come in order, and the rest was after "--" */
	if (g->table.program->ordered || g->table.program->rest)
		*p++ = g->table.program->rest ? '-' : '+';
	for (size_t i = 0; i < g->table.count; i++) {
		const struct cli_option *row = cli_table_row(&g->table, i);
		const char *letter = row->letters ? row->letters : "";

		for (; *letter; letter++)
			p += sprintf(p, "%c%s", *letter,
				     colons[argument_of(row)]);
	}
}

static void parser_init(struct parser *g, const struct cli_program *p,
			int argc)
{
	*g = (struct parser){ .long_count = 0 };
	cli_table_init(&g->table, p);
	add_longs(g);
	add_letters(g);
	g->operands = allocate((size_t)argc + 1, sizeof(*g->operands));
}

/* Names are the rows', prefixes are ours. */
static void parser_free(struct parser *g)
{
	for (size_t i = 0; i < g->long_count; i++) {
		const struct option *o = &g->longs[i];
		size_t row = (size_t)(o->val - LONG);

		if (o->name != cli_table_row(&g->table, row)->name)
			free((void *)o->name);
	}
	free(g->longs);
	free(g->letters);
	free(g->operands);
}

/* --- one option ---------------------------------------------------------- */

/* The row of getopt_long()'s c; NULL: a mistake that it has reported. */
static const struct cli_option *row_of(const struct parser *g, int c)
{
	if (c >= LONG)
		return cli_table_row(&g->table, (size_t)(c - LONG));
	for (size_t i = 0; i < g->table.count; i++) {
		const struct cli_option *row = cli_table_row(&g->table, i);

		if (row->letters && strchr(row->letters, c))
			return row;
	}
	return NULL;
}

/* "-x" or "--name" */
static void spell(const struct cli_option *row, char *text, size_t size)
{
	if (row->letters)
		snprintf(text, size, "-%c", *row->letters);
	else
		snprintf(text, size, "--%s", row->name);
}

static void check_number(const struct cli_option *row, const char *text)
{
	char spelt[64];
	uint64_t n;

	if (cli_number(text, row->min, row->max, &n))
		return;
	spell(row, spelt, sizeof(spelt));
	msg_die("%s takes a number from %llu to %llu, not %s", spelt,
		(unsigned long long)row->min, (unsigned long long)row->max,
		text);
}

struct choice {
	const char *text;	/* the argument */
	bool found;
	char list[128];		/* "a, b or c" so far */
	size_t left;		/* words to come */
};

static void count_word(void *ctx, const char *word, size_t len)
{
	(void)word;
	(void)len;
	((struct choice *)ctx)->left++;
}

static void compare_word(void *ctx, const char *word, size_t len)
{
	struct choice *c = ctx;
	size_t at = strlen(c->list);
	const char *between = !at ? "" : c->left > 1 ? ", " : " or ";

	if (strlen(c->text) == len && !memcmp(c->text, word, len))
		c->found = true;
	snprintf(c->list + at, sizeof(c->list) - at, "%s%.*s", between,
		 (int)len, word);
	c->left--;
}

static void check_choice(const struct cli_option *row, const char *text)
{
	struct choice c = { .text = text };
	char spelt[64];

	cli_option_words(row, count_word, &c);
	cli_option_words(row, compare_word, &c);
	if (c.found)
		return;
	spell(row, spelt, sizeof(spelt));
	msg_die("%s is %s, not %s", spelt, c.list, text);
}

static void set_option(const struct cli_option *row, void *options,
		       const char *argument)
{
	if (argument && row->max)
		check_number(row, argument);
	if (argument && cli_option_choice(row))
		check_choice(row, argument);
	row->set((char *)options + row->at, argument);
}

/*
 * 1.3.0: its line comes first and alone on its stream, as scripts read it; the
 * suite's version follows on standard error.
 */
static void print_version(const struct cli_program *p, const char *self)
{
	if (!p->release) {
		printf("%s %s\n", p->name, SUITE_VERSION);
		return;
	}
	if (p->dashed)
		fprintf(stderr, "%s -- version %s\n", p->name, p->release);
	else
		printf("%s version %s\n", self, p->release);
	cli_flush();
	fprintf(stderr, "blktrace suite %s, compatible with release %s\n",
		SUITE_VERSION, FAITHFUL_TO);
}

/* Prints and ends.  1.3.0: -h is on standard error. */
__attribute__((noreturn)) static void show(const struct parser *g,
					   enum cli_standard what, int c,
					   const char *self)
{
	if (what == CLI_VERSION) {
		print_version(g->table.program, self);
	} else if (what == CLI_HELP) {
		cli_help(&g->table, c < LONG ? stderr : stdout);
	} else {
		check_choice(&g->table.standard[what], optarg);
		cli_completion(&g->table, optarg);
	}
	cli_leave();
}

int cli_parse(const struct cli_program *p, void *options, int argc, char **argv)
{
	struct parser g;
	int c;

	parser_init(&g, p, argc);
	while ((c = getopt_long(argc, argv, g.letters, g.longs, NULL)) != -1) {
		const struct cli_option *row = row_of(&g, c);
		enum cli_standard what;

		if (c == OPERAND) {
			g.operands[g.operand_count++] = optarg;
			continue;
		}
		if (!row) {
			fprintf(stderr, "Try '%s --help'.\n", p->name);
			exit(1);
		}
		what = cli_table_standard(&g.table, row);
		if (what != CLI_STANDARD_COUNT)
			show(&g, what, c, argv[0]);
		set_option(row, options, optarg);
	}
	for (int i = 0; i < g.operand_count; i++)
		p->operand(options, g.operands[i]);
	parser_free(&g);
	if (p->rest)
		p->rest(options, argv + optind, argc - optind);
	for (int i = optind; !p->rest && p->operand && i < argc; i++)
		p->operand(options, argv[i]);
	return optind;
}
