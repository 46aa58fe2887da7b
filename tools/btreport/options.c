/* SPDX-License-Identifier: GPL-2.0-only */
/* btreport's command line; see options.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "cli/clocks.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/set.h"
#include "file/location.h"
#include "tools/btreport/options.h"

static const char **add(const char **list, size_t *count, const char *text)
{
	list = array_resize(list, *count + 1, sizeof(*list));
	if (!list)
		msg_die("out of memory");
	list[(*count)++] = text;
	return list;
}

static void add_input(void *options, const char *name)
{
	struct btreport_options *o = options;

	o->inputs = add(o->inputs, &o->input_count, name);
}

/* names of devices, parted by commas; of several -d the last counts */
static void set_devices(void *options, const char *text)
{
	struct btreport_options *o = options;
	char *rest, *name;

	free(o->device_text);
	o->of.device_count = 0;
	o->device_text = strdup(text);
	if (!o->device_text)
		msg_die("out of memory");
	for (name = strtok_r(o->device_text, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest))
		o->devices = add(o->devices, &o->of.device_count, name);
	o->of.devices = o->devices;
	if (!o->of.device_count)
		msg_die("-d: no device is named");
}

#define AT(field) .at = offsetof(struct btreport_options, field)

static const struct cli_option rows[] = {
	{ "w", "stopwatch", "SPAN",
	  "I/Os that complete in this span, in seconds: END or START:END",
	  .group = "What is in the page", .set = cli_set_window, AT(of.window) },
	{ "d", "devices", "DEV[,...]",
	  "these devices only, by name or number (254:0)",
	  .set = set_devices },
	{ CLOCKS_SHIFT(struct btreport_options, hosts) },
	{ CLOCKS_ALIGN(struct btreport_options, hosts) },
	{ "t", "title", "TITLE", "what the page is called",
	  CLI_TEXT(struct btreport_options, title) },
	{ NULL, "compare", NULL,
	  "a page of two traces, A and B, one above the other, and of what is"
	  " different",
	  CLI_FLAG(struct btreport_options, compare) },
	{ NULL, "size", "BYTES",
	  "how large its data may be (4M): more is more detail",
	  .set = cli_set_size, AT(of.size) },

	{ "o", "output", "FILE",
	  "write the page to FILE, - for standard output (the first trace's"
	  " name with .html, of two with -compared.html)",
	  .group = "Where it goes", .completes = CLI_FILE,
	  CLI_TEXT(struct btreport_options, output) },
	{ NULL, "json", "FILE", "write the page's numbers to FILE, too",
	  .completes = CLI_FILE, CLI_TEXT(struct btreport_options, json) },
	{ NULL, "csv", "DIR",
	  "write its tables, and sums by time, as files of CSV in DIR, too",
	  .completes = CLI_DIRECTORY,
	  CLI_TEXT(struct btreport_options, csv) },
	{ NULL, "theme", "light|dark",
	  "colours; a reader's system decides if this is not given",
	  CLI_TEXT(struct btreport_options, theme) },
	{ READING_OPTION(struct btreport_options, no_progress) },
};

static const struct cli_program program = {
	.name = "btreport",
	.usage = "[OPTION]... NAME...\n[OPTION]... --compare A B",
	.purpose = "Make a page of traces that opens in any browser: graphs to"
		   " zoom and select in, tables, what is conspicuous; in one"
		   " file.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_TRACE,
	.operand = add_input,
	.examples =
		"btreport sda                    sda.html of sda.blktrace.*\n"
		"btreport -o slow.html -w 28:31 sda\n"
		"btreport --compare before after -o both.html\n",
	.status = "0; 1 if something could not be read or written, or the trace"
		  " is damaged.",
	.section = 1,
	.version_letters = "V",
};

/* the name without what a trace's files and folders end with */
static size_t stem_of(const char *name)
{
	const char *ending = strstr(name, ".blktrace.");
	size_t len = ending && ending != name ? (size_t)(ending - name) :
						strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	return len;
}

static void set_output(struct btreport_options *o)
{
	const char *name = o->inputs[0];

	if (o->output)
		return;
	if (location_is_pipe(name) && !strcmp(name, "-"))
		msg_die("standard input has no name to make the page's of:"
			" name it with -o");
	if (asprintf(&o->made_output, "%.*s%s.html", (int)stem_of(name), name,
		     o->compare ? "-compared" : "") < 0)
		msg_die("out of memory");
	o->output = o->made_output;
}

static void check_compare(const struct btreport_options *o)
{
	if (o->input_count != 2)
		cli_usage_error(&program, "--compare takes two traces, A"
				" and B");
	if (o->csv)
		msg_die("--csv is of one run; btstat --compare --format=csv"
			" has the rows of two");
	if (!strcmp(o->inputs[0], "-") && !strcmp(o->inputs[1], "-"))
		msg_die("standard input can be read once only");
}

void btreport_options_parse(struct btreport_options *o, int argc, char **argv)
{
	*o = (struct btreport_options){ .of = { .window = WINDOW_ALL, .size = CLI_SIZE_USUAL } };
	o->command = cli_command(argc, argv);
	cli_parse(&program, o, argc, argv);
	if (!o->input_count)
		cli_usage_error(&program, "no input is named");
	if (o->compare)
		check_compare(o);
	set_output(o);
	if (o->json && !strcmp(o->json, o->output))
		msg_die("--json and -o name the same file");
}

void btreport_options_free(struct btreport_options *o)
{
	clocks_free(&o->hosts);
	free(o->inputs);
	free(o->devices);
	free(o->device_text);
	free(o->made_output);
	free(o->command);
}
