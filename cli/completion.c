/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --completion: shells differ in quoting and in the template around the words.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/completion.h"
#include "cli/program.h"
#include "cli/table.h"

static void print_word(void *ctx, const char *word, size_t len)
{
	bool *any = ctx;

	printf("%s%.*s", *any ? " " : "", (int)len, word);
	*any = true;
}

/* the words that an argument can be, separated by blanks */
static void print_words(const struct cli_option *row)
{
	bool any = false;

	cli_option_words(row, print_word, &any);
}

/* the part between a trace's or replay file's name and its CPU, or NULL */
static const char *infix_of(enum cli_kind kind)
{
	if (kind == CLI_TRACE)
		return "blktrace";
	return kind == CLI_REPLAY ? "replay" : NULL;
}

/* --- bash ----------------------------------------------------------------- */

/*
 * bash splits --name=va into "--name", "=" and "va"; where COMP_WORDBREAKS was
 * changed, the script splits it itself.
 */
static const char bash_beginning[] =
	"{\n"
	"	local IFS=$' \\t\\n' word=${COMP_WORDS[COMP_CWORD]} option=\n"
	"	local front=\n"
	"	(( COMP_CWORD )) && option=${COMP_WORDS[COMP_CWORD-1]}\n"
	"	if [[ $word == = ]]; then\n"
	"		word=\n"
	"	elif [[ $option == = ]] && (( COMP_CWORD > 1 )); then\n"
	"		option=${COMP_WORDS[COMP_CWORD-2]}\n"
	"	elif [[ $word == --*=* ]]; then\n"
	"		option=${word%%=*} front=${word%%=*}= word=${word#*=}\n"
	"	fi\n"
	"	COMPREPLY=()\n"
	"	case $option in\n";

/* commands that print the names, one a line */
static const char *const bash_kinds[] = {
	[CLI_FILE] = "compgen -f -- \"$word\"",
	[CLI_DIRECTORY] = "compgen -d -- \"$word\"",
	[CLI_DEVICE] = "for f in \"${word:-/dev/}\"*; do"
		       " [[ -b $f || -d $f ]] && echo \"$f\"; done",
};

/* Names as files', to which readline appends a slash for directories. */
static void bash_kind(enum cli_kind kind, const char *indent)
{
	const char *infix = infix_of(kind);

	printf("%scompopt -o filenames 2>/dev/null\n"
	       "%smapfile -t COMPREPLY < <(", indent, indent);
	if (infix)	/* the trace's name instead of its files */
		printf("compgen -f -- \"$word\" |"
		       " sed 's/\\.%s\\.[0-9]*$//' | sort -u", infix);
	else
		fputs(bash_kinds[kind], stdout);
	puts(")");
}

/* "-x|--name": all spellings of an option with an argument */
static void bash_pattern(const struct cli_option *o)
{
	const char *between = "";

	for (const char *l = o->letters; l && *l; l++) {
		printf("%s-%c", between, *l);
		between = "|";
	}
	if (o->name)
		printf("%s--%s", between, o->name);
}

static void bash_begin_words(void)
{
	fputs("mapfile -t COMPREPLY < <(compgen -W '", stdout);
}

static void bash_end_words(void)
{
	puts("' -- \"$word\")");
}

static void bash_argument(const struct cli_option *o)
{
	if (!o->argument || cli_option_optional(o))
		return;
	putchar('\t');
	bash_pattern(o);
	puts(")");
	if (o->word || cli_option_choice(o)) {
		fputs("\t\t", stdout);
		bash_begin_words();
		print_words(o);
		bash_end_words();
	} else if (o->completes != CLI_NOTHING) {
		bash_kind(o->completes, "\t\t");
	} else {
		puts("\t\treturn ;;");
		return;
	}
	puts("\t\tCOMPREPLY=( \"${COMPREPLY[@]/#/$front}\" )\n\t\treturn ;;");
}

/* Every spelling; a long name that needs an argument ends in "=". */
static void bash_options(const struct cli_table *t)
{
	const char *between = "";

	for (size_t i = 0; i < t->count; i++) {
		const struct cli_option *o = cli_table_row(t, i);

		for (const char *l = o->letters; l && *l; l++) {
			printf("%s-%c", between, *l);
			between = " ";
		}
		if (o->name)
			printf("%s--%s%s", between, o->name,
			       o->argument && !cli_option_optional(o) ? "=" : "");
		between = " ";
	}
}

/* Commands complete the first operand, too. */
static void bash_commands(const struct cli_program *p)
{
	if (!p->command_count)
		return;
	fputs("\t(( COMP_CWORD == 1 )) && COMPREPLY+=( $(compgen -W '", stdout);
	for (size_t i = 0; i < p->command_count; i++)
		printf("%s%s", i ? " " : "", p->commands[i].name);
	puts("' -- \"$word\") )");
}

static void bash_operands(const struct cli_program *p)
{
	if (p->operands != CLI_NOTHING)
		bash_kind(p->operands, "\t");
	bash_commands(p);
}

static void bash_print(const struct cli_table *t)
{
	const char *name = t->program->name;

	printf("_%s()\n%s", name, bash_beginning);
	for (size_t i = 0; i < t->count; i++)
		bash_argument(cli_table_row(t, i));
	fputs("\tesac\n\tif [[ $word == -* ]]; then\n\t\t", stdout);
	bash_begin_words();
	bash_options(t);
	bash_end_words();
	puts("\t\t[[ ${COMPREPLY[0]} == *= ]] &&"
	     " compopt -o nospace 2>/dev/null\n"
	     "\t\treturn\n\tfi");
	bash_operands(t->program);
	printf("}\ncomplete -F _%s %s\n", name, name);
}

/* --- fish ----------------------------------------------------------------- */

/* in single quotes */
static void fish_quoted(const char *text)
{
	putchar('\'');
	for (; *text; text++) {
		if (strchr("'\\", *text))
			putchar('\\');
		putchar(*text);
	}
	putchar('\'');
}

/* files or none (-F, -f), and words */
static void fish_kind(enum cli_kind kind)
{
	const char *infix = infix_of(kind);

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

static void fish_argument(const struct cli_option *o)
{
	if (!o->argument)
		return;
	fputs(cli_option_optional(o) ? "" : " -r", stdout);
	if (o->word || cli_option_choice(o)) {
		fputs(" -f -a '", stdout);
		print_words(o);
		putchar('\'');
	} else {
		fish_kind(o->completes);
	}
}

static void fish_option(const struct cli_program *p,
			 const struct cli_option *o)
{
	printf("complete -c %s", p->name);
	for (const char *l = o->letters; l && *l; l++)
		printf(" -s %c", *l);
	if (o->name)
		printf(" -l %s", o->name);
	fish_argument(o);
	fputs(" -d ", stdout);
	fish_quoted(o->help);
	putchar('\n');
}

static void fish_print(const struct cli_table *t)
{
	const struct cli_program *p = t->program;

	printf("complete -c %s -f\n", p->name);
	for (size_t i = 0; i < p->command_count; i++) {
		printf("complete -c %s -n __fish_use_subcommand -a %s -d ",
		       p->name, p->commands[i].name);
		fish_quoted(p->commands[i].help);
		putchar('\n');
	}
	if (p->operands != CLI_NOTHING) {
		printf("complete -c %s", p->name);
		fish_kind(p->operands);
		putchar('\n');
	}
	for (size_t i = 0; i < t->count; i++)
		fish_option(p, cli_table_row(t, i));
}

/* --- zsh ------------------------------------------------------------------ */

/* The script is a file _NAME of $fpath, or is sourced. */

/* in single quotes, between the brackets of _arguments */
static void zsh_quoted(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\'", stdout);
		else if (strchr("[]:\\", *text))
			putchar('\\');
		putchar(*text);
	}
}

/* the action for a kind; _NAME_names is a function of the script */
static void zsh_kind(const struct cli_program *p, enum cli_kind kind)
{
	static const char *const actions[] = {
		[CLI_NOTHING] = " ",
		[CLI_FILE] = "_files",
		[CLI_DIRECTORY] = "_files -/",
		[CLI_DEVICE] = "_files -g \"*(-%b)\"",
	};

	if (infix_of(kind))
		printf("_%s_names", p->name);
	else
		fputs(actions[kind], stdout);
}

static void zsh_argument(const struct cli_program *p,
			   const struct cli_option *o)
{
	if (!o->argument)
		return;
	printf(":%s", cli_option_optional(o) ? ":" : "");
	zsh_quoted(o->argument);
	putchar(':');
	if (o->word || cli_option_choice(o)) {
		putchar('(');
		print_words(o);
		putchar(')');
	} else {
		zsh_kind(p, o->completes);
	}
}

/* one spelling; after "+" or "=" an argument may follow directly */
static void print_spec(const struct cli_program *p, const char *spelling,
		       const char *more, const struct cli_option *o)
{
	printf(" \\\n\t\t'*%s%s[", spelling, o->argument ? more : "");
	zsh_quoted(o->help);
	putchar(']');
	zsh_argument(p, o);
	putchar('\'');
}

static void zsh_option(const struct cli_program *p,
			 const struct cli_option *o)
{
	char name[64];

	for (const char *l = o->letters; l && *l; l++)
		print_spec(p, (char[]){ '-', *l, '\0' }, "+", o);
	if (!o->name)
		return;
	snprintf(name, sizeof(name), "--%s", o->name);
	print_spec(p, name, cli_option_optional(o) ? "=-" : "=", o);
}

/* NAMEs of files NAME.INFIX.CPU, and all other files */
static void print_names(const struct cli_program *p)
{
	const char *infix = infix_of(p->operands);

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

/* Commands complete the first operand, too. */
static void zsh_commands(const struct cli_program *p)
{
	if (!p->command_count)
		return;
	fputs(" \\\n\t\t'1: :_alternative \"commands:command:((", stdout);
	for (size_t i = 0; i < p->command_count; i++)
		printf("%s%s", i ? " " : "", p->commands[i].name);
	fputs("))\" \"files:file:", stdout);
	zsh_kind(p, p->operands);
	fputs("\"'", stdout);
}

static void zsh_print(const struct cli_table *t)
{
	const struct cli_program *p = t->program;

	printf("#compdef %s\n\n", p->name);
	print_names(p);
	printf("_%s()\n{\n\t_arguments -s -S", p->name);
	for (size_t i = 0; i < t->count; i++)
		zsh_option(p, cli_table_row(t, i));
	zsh_commands(p);
	fputs(" \\\n\t\t'*: :", stdout);
	zsh_kind(p, p->operands);
	printf("'\n}\n\n"
	       "if [[ $funcstack[1] = _%s ]]; then\n\t_%s \"$@\"\nelse\n"
	       "\tcompdef _%s %s\nfi\n", p->name, p->name, p->name, p->name);
}

/* --- all of them ---------------------------------------------------------- */

void cli_completion(const struct cli_table *t, const char *shell)
{
	static const struct {
		const char *shell;
		void (*print)(const struct cli_table *t);
	} shells[] = {
		{ "bash", bash_print },
		{ "zsh", zsh_print },
		{ "fish", fish_print },
	};

	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++)
		if (!strcmp(shell, shells[i].shell))
			shells[i].print(t);
}
