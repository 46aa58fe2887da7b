/* SPDX-License-Identifier: GPL-2.0-only */
/* blktop's command line; see options.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/look.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/options.h"
#include "cli/set.h"
#include "cli/where.h"
#include "expr/error.h"
#include "expr/expr.h"
#include "tools/blktop/options.h"

enum { COUNT_MAX = 1000000000 };

static void add_input(void *options, const char *name)
{
	struct top_options *o = options;
	const char **inputs = array_resize(o->inputs,
					   (size_t)o->input_count + 1,
					   sizeof(*inputs));

	if (!inputs)
		msg_die("out of memory");
	o->inputs = inputs;
	inputs[o->input_count++] = name;
}

static void set_where(void *options, const char *text)
{
	struct top_options *o = options;
	struct expr_error why;
	char shown[WHERE_MAX];
	int err;

	expr_free(o->where);
	o->where_text = text;
	err = expr_compile(&o->where, text, &why);
	if (err == -ENOMEM)
		msg_die("out of memory");
	if (!err)
		return;
	where_text(shown, "--where", text, why.at, why.phrase);
	msg_die("%s", shown);
}

/* --- words ---------------------------------------------------------------- */

#define FIRST_WORD(name, word, ...) word
#define WORD_TOP(word) "|" word
#define WORD_NO(word)
#define NEXT_WORD(name, word, heading, column, show, top, ...) WORD_##top(word)
#define KEYS GROUP_KEY_ROWS(FIRST_WORD, NEXT_WORD)

#define KEY_TOP(name) GROUP_##name,
#define KEY_NO(name)
#define TOP_KEY(name, word, heading, column, show, top, ...) KEY_##top(name)

const enum group_key top_keys[TOP_KEYS] = {
	GROUP_KEY_ROWS(TOP_KEY, TOP_KEY)
};

/* the index of word in words, which | separates */
static unsigned int place_in(const char *words, const char *word)
{
	size_t len = strlen(word);
	unsigned int nr = 0;

	for (;; nr++) {
		size_t n = strcspn(words, "|");

		if (!words[n] || (n == len && !memcmp(words, word, n)))
			return nr;
		words += n + 1;
	}
}

static void set_by(void *by, const char *word)
{
	*(enum group_key *)by = top_keys[place_in(KEYS, word)];
}

#define ORDERS "time|iops|bytes|p99|errors"

static void set_sort(void *sort, const char *word)
{
	*(enum sample_order *)sort =
		(enum sample_order)place_in(ORDERS, word);
}

static void set_steps(void *all, const char *word)
{
	*(bool *)all = !strcmp(word, "all");
}

static void set_format(void *options, const char *word)
{
	struct top_options *o = options;

	o->json = !strcmp(word, "json");
}

/* --- the table ------------------------------------------------------------ */

#define AT(field) .at = offsetof(struct top_options, field)

static const struct cli_option rows[] = {
	{ "i", "input", "NAME",
	  "device (its NAME.blktrace.* files), directory, dump, FIFO, or - for"
	  " standard input; the same as an operand",
	  .group = "What is read", .completes = CLI_TRACE, .set = add_input },
	{ "D", "input-directory", "DIR", "put DIR/ in front of names",
	  .completes = CLI_DIRECTORY,
	  CLI_TEXT(struct top_options, directory) },

	{ NULL, "steps", "device|all",
	  "of a block device trace issue and completion (device), two records"
	  " a request, or every step",
	  .set = set_steps, AT(all_steps) },

	{ "w", "stopwatch", "SPAN",
	  "I/Os that complete in this span, in seconds: END or START:END",
	  .group = "What is counted", .set = cli_set_window, AT(window) },
	{ NULL, "where", "EXPR",
	  "I/Os of which this is true, such as 'op==read && q2c>5ms'",
	  .set = set_where },

	{ NULL, "by", KEYS, "a row for each of these (process)",
	  .group = "What is shown", .set = set_by, AT(by) },
	{ NULL, "sort", ORDERS, "most of this first (time)",
	  .set = set_sort, AT(sort) },
	{ "d", "interval", "TIME",
	  "length of an interval, such as 0.2 or 50ms (1 second)",
	  .set = decimal_set_time, AT(interval) },
	{ "n", "count", "N", "end after N intervals",
	  .min = 1, .max = COUNT_MAX, CLI_U64(struct top_options, count) },

	{ NULL, "hold", NULL,
	  "show the first interval and wait for keys: . shows the next,"
	  " space continues",
	  .group = "How it is shown", CLI_FLAG(struct top_options, hold) },
	{ "b", "batch", NULL,
	  "no screen, one table below the other; also if the output is no"
	  " terminal, or TERM=dumb",
	  CLI_FLAG(struct top_options, batch) },
	{ NULL, "format", "text|json",
	  "text, or a line of JSON for each interval and row",
	  .set = set_format },
	{ NULL, "width", "N", "columns of a line (the terminal's, or 80)",
	  .min = LOOK_MIN_WIDTH, .max = 1000,
	  CLI_UINT(struct top_options, look.width) },
	{ NULL, "ascii", NULL, "no signs but ASCII",
	  CLI_FLAG(struct top_options, look.ascii) },
	{ NULL, "color", LOOK_COLORS, "whether the screen has colour (auto)",
	  CLI_TEXT(struct top_options, look.color) },
};

static const struct cli_program program = {
	.name = "blktop",
	.usage = "[OPTION]... DEVICE...\n[OPTION]... NAME...",
	.purpose = "Show what disks do, interval by interval, and for which"
		   " process.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_TRACE,
	.operand = add_input,
	.examples =
		"blktop /dev/sda                     what the disk does now\n"
		"ssh db1 blktrace -o - -d /dev/sda | blktop -i -\n"
		"blktop -d 50ms sda                  of sda.blktrace.*\n",

	.status = "0; 1 if something could not be read or written, or the trace"
		  " is damaged.",
	.section = 8,
	.version_letters = "V",
};

static bool is_device(const char *name)
{
	struct stat st;

	return !stat(name, &st) && S_ISBLK(st.st_mode);
}

/* Devices are traced, other inputs read; not both, as there is one clock. */
static void settle_inputs(struct top_options *o)
{
	int devices = 0;

	for (int i = 0; i < o->input_count; i++)
		devices += is_device(o->inputs[i]);
	o->live = devices;
	if (devices && devices < o->input_count)
		msg_die("block devices and recorded traces cannot be shown"
			" together");
	if (o->live && (o->window.start || o->window.end != UINT64_MAX))
		msg_die("-w is for recorded traces");
	if (o->live && o->hold)
		msg_die("--hold is for recorded traces");
	if (o->live && o->directory)
		msg_die("-D is for recorded traces");
	if (!o->live && o->all_steps)
		msg_die("--steps is for block devices; a recorded trace has the"
			" steps that it has");
}

/* rejects options without effect */
static void check_looks(const struct top_options *o)
{
	if (o->json && (o->look.width || o->look.ascii))
		msg_die("--width and --ascii are for --format=text");
	if ((o->batch || o->json) && o->hold)
		msg_die("--hold is for the screen: leave out %s",
			o->json ? "--format=json" : "-b");
	if ((o->batch || o->json) && o->look.color)
		msg_die("--color is for the screen: leave out %s",
			o->json ? "--format=json" : "-b");
}

void top_options_parse(struct top_options *o, int argc, char **argv)
{
	*o = (struct top_options){ .window = WINDOW_ALL,
				   .by = GROUP_PROCESS,
				   .interval = NS_PER_SECOND };
	cli_parse(&program, o, argc, argv);
	if (!o->input_count)
		cli_usage_error(&program, "no input is named");
	settle_inputs(o);
	check_looks(o);
}

void top_options_free(struct top_options *o)
{
	expr_free(o->where);
	free(o->inputs);
}
