/* SPDX-License-Identifier: GPL-2.0-only */
/* btrecord's command line; see options.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/msg.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/set.h"
#include "tools/btrecord/options.h"

enum { MAX_TIME = 10000000, MAX_PACKETS = 8 };

static void set_directory(void *field, const char *path, const char *which,
			  int rights)
{
	if (access(path, rights))
		msg_die("Invalid %s directory specified: %s:", which, path);
	*(const char **)field = path;
}

/* A packed file counts as a directory. */
static void set_from(void *from, const char *path)
{
	struct stat st;
	bool is_file = !stat(path, &st) && S_ISREG(st.st_mode);

	set_directory(from, path, "input", is_file ? R_OK : R_OK | X_OK);
}

static void set_to(void *to, const char *path)
{
	set_directory(to, path, "output", R_OK | X_OK);
}

static void set_max_time(void *max, const char *text)
{
	long long ns = atoll(text);

	if (!ns)
		msg_die("Invalid bunch time %lld: it is in ns, 1 or more", ns);
	*(uint64_t *)max = (uint64_t)ns;
}

static void set_max_packets(void *max, const char *text)
{
	long long n = atoll(text);

	if (n < 1 || n > BUNCH_MAX)
		msg_die("Invalid max pkts %lld: 1 to %d", n, BUNCH_MAX);
	*(uint32_t *)max = (uint32_t)n;
}

static void add_name(void *options, const char *name)
{
	struct record_options *o = options;

	if (named_add(&o->names, name))
		msg_die("out of memory");
}

/* --- the table ----------------------------------------------------------- */

#define AT(field) .at = offsetof(struct record_options, field)

static const struct cli_option rows[] = {
	{ "d", "input-directory", "DIR", "directory of the traces (.)",
	  .group = "What is read", .classic = true,
	  .completes = CLI_DIRECTORY, .set = set_from, AT(from) },
	{ "F", "find-traces", NULL, "record all traces in DIR",
	  .classic = true, CLI_FLAG(struct record_options, find) },

	{ "D", "output-directory", "DIR", "directory for the replay files (.)",
	  .group = "What is written", .classic = true,
	  .completes = CLI_DIRECTORY, .set = set_to, AT(to) },
	{ "o", "output-base", "BASE",
	  "the part of their names between device and CPU (replay)",
	  .classic = true, CLI_TEXT(struct record_options, base) },

	{ "m", "max-bunch-time", "NS",
	  "I/Os closer than this may share a bunch (10000000)",
	  .group = "Bunches (I/Os sent at one time)", .classic = true,
	  .set = set_max_time, AT(builder.max_time) },
	{ "M", "max-pkts", "N", "I/Os in a bunch, at most (8)",
	  .classic = true, .set = set_max_packets, AT(builder.max_packets) },
	{ NULL, "exact", NULL, "keep each I/O's own time, in order",
	  CLI_FLAG(struct record_options, builder.exact) },
	{ "v", "verbose", NULL, "more on standard error; twice: even more",
	  .classic = true, CLI_COUNT(struct record_options, verbose) },
	{ READING_OPTION(struct record_options, no_progress) },
};

static const struct cli_program program = {
	.name = "btrecord",
	.usage = "[OPTION]... NAME...\n-F [OPTION]...",
	.purpose = "Make replay files, for btreplay, of what blktrace has"
		   " recorded.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_TRACE,
	.operand = add_name,
	.examples =
		"btrecord sda                    of sda.blktrace.*, to"
		" sda.replay.*\n"
		"btrecord --exact -d traces -D replays -F\n",
	.status = "0; 1 for a mistake, or if a trace is missing or damaged; 2"
		  " if a file could not be written.",
	.section = 8,
	.release = "1.0.0",	/* 1.3.0: calls its btrecord so */
	.version_letters = "V",
	.dashed = true,
	.help_letter = "h",
};

void record_options_parse(struct record_options *o, int argc, char **argv)
{
	*o = (struct record_options){
		.from = ".",
		.to = ".",
		.base = "replay",
		.builder = { .max_time = MAX_TIME, .max_packets = MAX_PACKETS },
	};
	cli_parse(&program, o, argc, argv);
	if (!o->names.count && !o->find)
		cli_usage_error(&program,
				"Missing required input file name(s)");
}

void record_options_free(struct record_options *o)
{
	named_free(&o->names);
}
