/* SPDX-License-Identifier: GPL-2.0-only */
/* btimport's command line; see options.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/msg.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/set.h"
#include "import/columns.h"
#include "import/formats.h"
#include "import/printed_format.h"
#include "tools/btimport/options.h"

static void add_name(void *options, const char *name)
{
	struct btimport_options *o = options;
	const char **names = array_resize(o->names, o->count + 1,
					  sizeof(*names));

	if (!names)
		msg_die("out of memory");
	o->names = names;
	names[o->count++] = name;
}

static const char *format_word(unsigned int nr)
{
	const struct import_format *f = import_format_at(nr);

	return f ? f->name : NULL;
}

static void set_from(void *from, const char *name)
{
	const struct import_format *f = import_format_named(name);

	if (!f)
		msg_die("--from: \"%s\" is no format; btimport --help lists"
			" them", name);
	*(const struct import_format **)from = f;
}

static void set_columns(void *columns, const char *words)
{
	struct columns c;
	char why[IMPORT_WHY];

	if (columns_parse(&c, words, why, sizeof(why)))
		msg_die("--columns: %s; as in time:us,op,offset,bytes,"
			"response:us,device", why);
	*(const char **)columns = words;
}

static void set_format(void *format, const char *text)
{
	struct printed_format f;
	char why[IMPORT_WHY];

	if (printed_format_parse(&f, text, why, sizeof(why)))
		msg_die("--format: %s; as in '%%5T.%%t %%p %%a %%d %%S + %%n"
			" [%%C]\\n'", why);
	if (printed_format_lacks(&f, why, sizeof(why)))
		msg_warn("--format carries %s", why);
	*(const char **)format = text;
}

/* --- the table ------------------------------------------------------------ */

#define AT(field) .at = offsetof(struct btimport_options, field)

static const struct cli_option rows[] = {
	{ "o", "output", "NAME",
	  "write NAME.blktrace.*, or of several devices a directory NAME with"
	  " a trace of each; NAME.btz is one packed file; - is standard output",
	  .group = "Output", .completes = CLI_FILE,
	  CLI_TEXT(struct btimport_options, output) },

	{ NULL, "from", "FORMAT", "what the files are (by their content)",
	  .group = "Input", .word = format_word, .set = set_from, AT(from) },
	{ NULL, "columns", "LIST",
	  "what is in the columns of a table, such as"
	  " time:us,op,offset,bytes,response:us; see btimport(1)",
	  .set = set_columns, AT(import.columns) },
	{ NULL, "format", "FORMAT",
	  "what blkparse -f FORMAT printed; without it, its usual lines",
	  .set = set_format, AT(import.format) },
	{ READING_OPTION(struct btimport_options, no_progress),
	  .group = "General" },
};

const struct cli_program btimport_program = {
	.name = "btimport",
	.usage = "[OPTION]... FILE... -o NAME",
	.purpose = "Convert what other programs recorded into a trace that all"
		   " programs read.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_FILE,
	.operand = add_name,
	.examples =
		"btimport web_0.csv.gz -o web_0      one of the MSR Cambridge"
		" traces\n"
		"btimport biosnoop.txt -o - | btstat -i -\n"
		"btimport --columns=time:us,op,offset,bytes,response:us io.csv"
		" -o io\n",
	.status = "0; 1 if something could not be read or written, or lines"
		  " were skipped.",
	.section = 1,
	.version_letters = "V",
};

/* --- combinations of options ---------------------------------------------- */

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len > n && !strcmp(text + len - n, end);
}

static void check_output(struct btimport_options *o)
{
	if (!o->output)
		cli_usage_error(&btimport_program, "no trace is named: use -o,"
				" with - for standard output");
	if (!*o->output)
		msg_die("-o: a trace without a name");
	o->packed = ends_in(o->output, ".btz");
	if (!strcmp(o->output, "-"))
		o->output = NULL;
	if (!o->output && isatty(STDOUT_FILENO))
		msg_die("a trace is binary, not for a terminal: name one with"
			" -o, or redirect standard output");
}

static void check_format(struct btimport_options *o)
{
	const struct import_format *text = import_format_named("blkparse");

	if (!o->import.format)
		return;
	if (o->from && o->from != text)
		msg_die("--format is of --from=%s only", text->name);
	o->from = text;
}

void btimport_options_parse(struct btimport_options *o, int argc, char **argv)
{
	*o = (struct btimport_options){ .count = 0 };
	cli_parse(&btimport_program, o, argc, argv);
	if (!o->count)
		cli_usage_error(&btimport_program, "no input is named");
	if (!o->from && o->import.columns)
		o->from = import_format_named("csv");
	if (o->from == import_format_named("csv") && !o->import.columns)
		msg_die("--from=csv needs --columns=LIST");
	check_format(o);
	check_output(o);
}

void btimport_options_free(struct btimport_options *o)
{
	free(o->names);
}
