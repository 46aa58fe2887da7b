/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A completion script for bash: one function, and complete -F.
 *
 * bash parts words at "=", so that --name=va is "--name", "=" and "va"; where
 * COMP_WORDBREAKS was changed it is one word, which the script parts itself.
 */
#include <stdio.h>

#include "cli/completion_impl.h"
#include "cli/table.h"

static const char beginning[] =
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

/* what the kinds are completed by: commands that print a name in a line */
static const char *const kinds[] = {
	[CLI_FILE] = "compgen -f -- \"$word\"",
	[CLI_DIRECTORY] = "compgen -d -- \"$word\"",
	[CLI_DEVICE] = "for f in \"${word:-/dev/}\"*; do"
		       " [[ -b $f || -d $f ]] && echo \"$f\"; done",
};

/* Names, with what readline does for files: a slash behind directories. */
static void print_kind(enum cli_kind kind, const char *indent)
{
	const char *infix = cli_completion_infix(kind);

	printf("%scompopt -o filenames 2>/dev/null\n"
	       "%smapfile -t COMPREPLY < <(", indent, indent);
	if (infix)	/* not all the files of a trace, but its name */
		printf("compgen -f -- \"$word\" |"
		       " sed 's/\\.%s\\.[0-9]*$//' | sort -u", infix);
	else
		fputs(kinds[kind], stdout);
	puts(")");
}

/* "-x|--name": all spellings of an option that is followed by its argument */
static void print_pattern(const struct cli_option *o)
{
	const char *between = "";

	for (const char *l = o->letters; l && *l; l++) {
		printf("%s-%c", between, *l);
		between = "|";
	}
	if (o->name)
		printf("%s--%s", between, o->name);
}

static void begin_words(void)
{
	fputs("mapfile -t COMPREPLY < <(compgen -W '", stdout);
}

static void end_words(void)
{
	puts("' -- \"$word\")");
}

static void print_argument(const struct cli_option *o)
{
	if (!o->argument || cli_option_may(o))
		return;
	putchar('\t');
	print_pattern(o);
	puts(")");
	if (o->word || cli_option_choice(o)) {
		fputs("\t\t", stdout);
		begin_words();
		cli_completion_words(o);
		end_words();
	} else if (o->completes != CLI_NOTHING) {
		print_kind(o->completes, "\t\t");
	} else {
		puts("\t\treturn ;;");
		return;
	}
	puts("\t\tCOMPREPLY=( \"${COMPREPLY[@]/#/$front}\" )\n\t\treturn ;;");
}

/* Every spelling; a long name that wants an argument ends in "=". */
static void print_options(const struct cli_table *t)
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
			       o->argument && !cli_option_may(o) ? "=" : "");
		between = " ";
	}
}

/* A command is offered where the first operand is, beside what it can be. */
static void print_commands(const struct cli_program *p)
{
	if (!p->command_count)
		return;
	fputs("\t(( COMP_CWORD == 1 )) && COMPREPLY+=( $(compgen -W '", stdout);
	for (size_t i = 0; i < p->command_count; i++)
		printf("%s%s", i ? " " : "", p->commands[i].name);
	puts("' -- \"$word\") )");
}

static void print_operands(const struct cli_program *p)
{
	if (p->operands != CLI_NOTHING)
		print_kind(p->operands, "\t");
	print_commands(p);
}

void cli_completion_bash(const struct cli_table *t)
{
	const char *name = t->program->name;

	printf("_%s()\n%s", name, beginning);
	for (size_t i = 0; i < t->count; i++)
		print_argument(cli_table_row(t, i));
	fputs("\tesac\n\tif [[ $word == -* ]]; then\n\t\t", stdout);
	begin_words();
	print_options(t);
	end_words();
	puts("\t\t[[ ${COMPREPLY[0]} == *= ]] &&"
	     " compopt -o nospace 2>/dev/null\n"
	     "\t\treturn\n\tfi");
	print_operands(t->program);
	printf("}\ncomplete -F _%s %s\n", name, name);
}
