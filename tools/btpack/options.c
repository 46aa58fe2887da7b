/* SPDX-License-Identifier: GPL-2.0-only */
/* btpack's command line; see options.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act_mask.h"
#include "base/array.h"
#include "base/msg.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/set.h"
#include "tools/btpack/keyed.h"
#include "tools/btpack/options.h"

static void add_name(void *options, const char *name)
{
	struct btpack_options *o = options;
	const char **names = array_resize(o->names, o->count + 1,
					  sizeof(*names));

	if (!names)
		msg_die("out of memory");
	o->names = names;
	names[o->count++] = name;
}

static void set_job(struct btpack_options *o, enum pack_job job)
{
	o->several |= o->job != JOB_PACK && o->job != job;
	o->job = job;
}

static void set_restore(void *options, const char *argument)
{
	(void)argument;
	set_job(options, JOB_RESTORE);
}

static void set_list(void *options, const char *argument)
{
	(void)argument;
	set_job(options, JOB_LIST);
}

static void set_test(void *options, const char *argument)
{
	(void)argument;
	set_job(options, JOB_TEST);
}

static void set_between(void *between, const char *text)
{
	if (!strchr(text, ','))
		msg_die("--between takes two marks, A,B: to the end of the"
			" trace it is A, and from its beginning ,B");
	*(const char **)between = text;
}

static void set_anonymise(void *options, const char *key)
{
	struct btpack_options *o = options;

	if (key && !*key)
		msg_die("--anonymise: an empty key; without =KEY it is"
			" random");
	if (!keyed_built())
		msg_die("--anonymise: built without nettle, which makes the"
			" words");
	o->anonymise = true;
	o->key = key;
}

/* --- the table ------------------------------------------------------------ */

#define AT(field) .at = offsetof(struct btpack_options, field)

static const struct cli_option rows[] = {
	{ "o", "output", "FILE",
	  "write the packed trace to FILE, replaced only when complete; - for"
	  " standard output",
	  .group = "Pack", .completes = CLI_FILE, .writes = CLI_WRITES_FILE,
	  CLI_TEXT(struct btpack_options, output) },
	{ NULL, "gunzip", NULL,
	  "pack what gzip'd files hold, without .gz; this is smaller, but does"
	  " not restore the gzip'd files",
	  CLI_FLAG(struct btpack_options, gunzip) },

	{ "w", "stopwatch", "SPAN",
	  "only events in this span, in seconds: END or START:END",
	  .group = "Pack a part of a trace",
	  .set = cli_set_window, AT(selection.window) },
	{ NULL, "between", "A,B",
	  "only events from mark A to mark B (blktrace --mark)",
	  .set = set_between, AT(between) },
	{ "a", "act-mask", "CATEGORY",
	  "only events of this category: read, write, sync, ...; add more with"
	  " more -a",
	  .word = act_mask_name, .set = cli_add_mask, AT(selection.mask) },
	{ "A", "set-mask", "HEX", "the same as a mask in hexadecimal",
	  .set = cli_set_mask, AT(selection.mask) },

	{ NULL, "anonymise", "[KEY]",
	  "replace names, pids, sectors and dates, so that the trace can be"
	  " given away; the same KEY gives the same names (a random one)",
	  .set = set_anonymise },

	{ "d", "restore", NULL, "restore the files of packed traces",
	  .group = "Packed traces", .set = set_restore },
	{ "D", "directory", "DIR", "-d: where the files are restored (.)",
	  .completes = CLI_DIRECTORY, .writes = CLI_WRITES_FOLDER,
	  CLI_TEXT(struct btpack_options, directory) },
	{ "f", "force", NULL, "-d: replace files that exist",
	  CLI_FLAG(struct btpack_options, force) },
	{ "l", "list", NULL,
	  "list the files in packed traces, without unpacking them",
	  .set = set_list },
	{ "t", "test", NULL, "unpack everything, and report each fault",
	  .set = set_test },
	{ READING_OPTION(struct btpack_options, no_progress),
	  .group = "General" },
};

const struct cli_program btpack_program = {
	.name = "btpack",
	.usage = "[OPTION]... NAME... -o FILE\n-d [OPTION]... FILE...\n"
		 "-l FILE...\n-t FILE...",
	.purpose = "Pack traces into one small file, and restore the same"
		   " files.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_TRACE,
	.operand = add_name,
	.examples =
		"btpack sda -o sda.btz           sda.blktrace.* of this"
		" directory\n"
		"btpack -l sda.btz\n"
		"btpack -d sda.btz -D restored\n",
	.status = "0; 1 if something could not be read or written, or a packed"
		  " trace is damaged.",
	.section = 1,
	.version_letters = "V",
};

bool btpack_selects(const struct btpack_options *o)
{
	return o->between || selection_is_made(&o->selection);
}

/* --- combinations of options ---------------------------------------------- */

static void check_packing(struct btpack_options *o)
{
	if (o->directory || o->force)
		msg_die("-D and -f are for -d, which restores files");
	if (o->gunzip && (btpack_selects(o) || o->anonymise))
		msg_die("--gunzip is for whole files; records are selected and"
			" anonymised from what they hold");
	if (o->between && (o->selection.window.start ||
			   o->selection.window.end != UINT64_MAX))
		msg_die("-w and --between are two spans of time: one is"
			" enough");
	if (!o->output)
		cli_usage_error(&btpack_program, "no packed file is named: use"
				" -o, with - for standard output");
	if (!strcmp(o->output, "-"))
		o->output = NULL;
	else if (!*o->output)
		msg_die("-o: a file without a name");
	if (!o->output && isatty(STDOUT_FILENO))
		msg_die("a packed trace is binary, not for a terminal: name a"
			" file with -o, or redirect standard output");
}

static void check_packed(const struct btpack_options *o)
{
	if (o->several)
		cli_usage_error(&btpack_program,
				"only one of -d, -l and -t is possible");
	if (o->output || o->gunzip || btpack_selects(o) || o->anonymise)
		msg_die("-d, -l and -t take no options of packing");
	if (o->job != JOB_RESTORE && (o->directory || o->force))
		msg_die("-D and -f are for -d, which restores files");
}

void btpack_options_parse(struct btpack_options *o, int argc, char **argv)
{
	*o = (struct btpack_options){
		.job = JOB_PACK,
		.selection = { .window = WINDOW_ALL },
	};
	cli_parse(&btpack_program, o, argc, argv);
	if (!o->selection.mask)
		o->selection.mask = UINT32_MAX;
	if (!o->count)
		cli_usage_error(&btpack_program, "no input is named");
	if (o->job == JOB_PACK)
		check_packing(o);
	else
		check_packed(o);
	if (o->job == JOB_RESTORE && !o->directory)
		o->directory = ".";
}

void btpack_options_free(struct btpack_options *o)
{
	free(o->names);
}
