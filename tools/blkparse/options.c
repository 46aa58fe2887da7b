/* SPDX-License-Identifier: GPL-2.0-only */
/* blkparse's command line; see options.h. */
#include <stdlib.h>
#include <string.h>

#include "act_mask.h"
#include "base/msg.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/set.h"
#include "cli/threads.h"
#include "cli/version.h"
#include "emit/summary.h"
#include "tools/blkparse/options.h"

static void add_input(void *options, const char *name)
{
	struct options *o = options;
	const char **inputs = realloc(o->inputs, (size_t)(o->input_count + 1) *
							 sizeof(*inputs));

	if (!inputs)
		msg_die("out of memory");
	o->inputs = inputs;
	inputs[o->input_count++] = name;
}

static void set_window(void *window, const char *text)
{
	struct window *w = window;
	const char *colon = strchr(text, ':');

	switch (window_parse(w, text)) {
	case WINDOW_OK:
		break;
	case WINDOW_NO_NUMBER:
		msg_die("Invalid stopwatch timer: %s", text);
	case WINDOW_JUNK:
		msg_die("Invalid stopwatch start timer: %s", text);
	case WINDOW_BAD_END:
		msg_die("Invalid stopwatch duration time: %s", colon + 1);
	case WINDOW_EMPTY:
		msg_die("Invalid stopwatch interval: %llu -> %llu",
			(unsigned long long)w->start,
			(unsigned long long)w->end);
	}
}

static void check_format(enum formats_error err, const char *text)
{
	switch (err) {
	case FORMATS_OK:
		break;
	case FORMATS_BAD_LETTER:
		msg_die("Bad format specifier %c", *text ? *text : '-');
	case FORMATS_NO_COMMA:
		msg_die("Bad format specifier - need ',' %s", text);
	case FORMATS_NO_MEMORY:
		msg_die("out of memory");
	}
}

static void set_format(void *formats, const char *text)
{
	check_format(formats_set_all(formats, text), text);
}

static void add_format(void *formats, const char *text)
{
	check_format(formats_set_one(formats, text), text);
}

static void set_sort(void *sort, const char *text)
{
	if (!summary_sort_known(*text))
		msg_die("-S takes N, Q, R, W, C, q, r, w or c, not %s", text);
	*(char *)sort = *text;
}

/* -s, which keeps -S's order */
static void set_sort_by_name(void *sort, const char *none)
{
	(void)none;
	if (!*(char *)sort)
		*(char *)sort = 'N';
}

static const char *sort_letter(unsigned int nr)
{
	static const char *const letters[] = { "N", "Q", "R", "W", "C",
					       "q", "r", "w", "c", NULL };

	return letters[nr];
}

#define AT(field) .at = offsetof(struct options, field)

static const struct cli_option rows[] = {
	{ "i", "input", "NAME",
	  "device (its NAME.blktrace.* files), directory, dump, FIFO, or - for"
	  " standard input; the same as an operand",
	  .group = "What is read", .classic = true, .completes = CLI_TRACE,
	  .set = add_input },
	{ "D", "input-directory", "DIR", "put DIR/ in front of names",
	  .classic = true, .completes = CLI_DIRECTORY,
	  CLI_TEXT(struct options, directory) },
	{ "b", "batch", "N",
	  "events read ahead of each file (512); from a pipe: events held for"
	  " sorting (262144)",
	  .classic = true, CLI_INT(struct options, batch) },

	{ "a", "act-mask", "CATEGORY",
	  "show this category only; add more with more -a",
	  .group = "What is shown", .classic = true, .word = act_mask_name,
	  .set = cli_add_mask, AT(mask) },
	{ "A", "set-mask", "HEX", "the same as a mask in hexadecimal",
	  .classic = true, .set = cli_set_mask, AT(mask) },
	{ "w", "stopwatch", "SPAN",
	  "show this time span only, in seconds: END or START:END",
	  .classic = true, .set = set_window, AT(window) },

	{ "f", "format", "FORMAT", "line format of all actions",
	  .group = "How it is shown", .classic = true,
	  .set = set_format, AT(formats) },
	{ "F", "format-spec", "X,FORMAT", "line format of action X",
	  .classic = true, .set = add_format, AT(formats) },
	{ "t", "track-ios", NULL, "show how long requests waited",
	  .classic = true, CLI_FLAG(struct options, track) },
	{ "o", "output", "FILE", "write the text to FILE",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, output) },
	{ "O", "no-text-output", NULL, "write no text",
	  .classic = true, CLI_FLAG(struct options, no_text) },
	{ "d", "dump-binary", "FILE",
	  "write the events as records, too; - for standard output",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, dump) },
	{ "M", "no-msgs", NULL, "no messages among the records",
	  .classic = true, CLI_FLAG(struct options, no_messages) },
	{ NULL, "record-version", "7|8", "write records of this version",
	  CLI_UINT(struct options, record_version) },

	{ "q", "quiet", NULL, "no summary of devices",
	  .group = "Summaries", .classic = true,
	  CLI_FLAG(struct options, quiet) },
	{ "s", "per-program-stats", NULL, "summary of processes",
	  .classic = true, .set = set_sort_by_name, AT(sort) },
	{ "S", "sort-program-stats", "X",
	  "the same, sorted by N(ame); Q, R, W or C: KiB queued, read, written,"
	  " completed; q, r, w, c: the same in operations",
	  .classic = true, .word = sort_letter, .set = set_sort, AT(sort) },
	{ "h", "hash-by-name", NULL, "put processes of one name together",
	  .classic = true, CLI_FLAG(struct options, by_name) },
	{ "v", "verbose", NULL, "more on standard error",
	  .classic = true, CLI_FLAG(struct options, verbose) },
	{ READING_OPTION(struct options, no_progress) },
	{ THREADS_OPTION(struct options, threads) },
};

static const struct cli_program program = {
	.name = "blkparse",
	.usage = "[OPTION]... NAME...",
	.purpose = "Show what blktrace has recorded.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_TRACE,
	.operand = add_input,
	.examples =
		"blkparse sda                    events and summary of"
		" sda.blktrace.*\n"
		"blktrace -d /dev/sda -o - | blkparse -i -\n"
		"blkparse -a issue -a complete -t -s sda\n",
	.status = "0; 1 if something could not be read or written, or the trace"
		  " is damaged; 255 if a pipe cannot be opened.",
	.section = 1,
	.release = FAITHFUL_TO,
	.version_letters = "V",
};

void blkparse_options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){ .window = WINDOW_ALL };
	cli_parse(&program, o, argc, argv);
	if (!o->input_count)
		cli_usage_error(&program, "no input is named");
	if (!o->mask)
		o->mask = UINT32_MAX;
}

void blkparse_options_free(struct options *o)
{
	formats_free(&o->formats);
	free(o->inputs);
}
