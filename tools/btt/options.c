/* SPDX-License-Identifier: GPL-2.0-only */
/* btt's command line; see options.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/set.h"
#include "cli/threads.h"
#include "tools/btt/devmap.h"
#include "tools/btt/options.h"

static void set_device_names(void *names, const char *path)
{
	struct devmap **map = names;

	devmap_free(*map);
	*map = devmap_read(path);
	if (!*map)
		msg_die("cannot read the device names in %s:", path);
}

/* -P, of which 1.3.0 does not use the argument */
static void set_trees(void *trees, const char *unused)
{
	(void)unused;
	*(bool *)trees = true;
}

static void set_remappers(void *classic, const char *text)
{
	*(bool *)classic = !strcmp(text, "classic");
}

/* 1.3.0: no number leaves the value unchanged */
static void set_pause(void *pause, const char *text)
{
	sscanf(text, "%lf", (double *)pause);
}

/* 1.3.0: no number is 0 */
static void set_period(void *period, const char *text)
{
	*(double *)period = atof(text);
}

static void set_interval(void *interval, const char *text)
{
	if (sscanf(text, "%u", (unsigned int *)interval) != 1)
		msg_die("-S takes whole seconds, not %s", text);
}

/* as sscanf(3) reads it, to the last character; a mistake ends the program */
static double read_seconds(const char *option, const char *text)
{
	double seconds;
	int len = 0;

	if (sscanf(text, "%lf%n", &seconds, &len) != 1 || text[len] ||
	    isnan(seconds))
		msg_die("%s takes seconds, not %s", option, text);
	return seconds;
}

static void set_start(void *options, const char *text)
{
	struct options *o = options;

	o->start = read_seconds("-t", text);
	o->windowed = true;
}

static void set_end(void *options, const char *text)
{
	struct options *o = options;

	o->end = read_seconds("-T", text);
	o->windowed = true;
}

/* --- the table ----------------------------------------------------------- */

#define AT(field) .at = offsetof(struct options, field)

static const struct cli_option rows[] = {
	{ "i", "input-file", "NAME",
	  "dump (blkparse -d), device, directory, or - for what blktrace"
	  " writes now; operands are not looked at then",
	  .group = "What is read", .classic = true, .completes = CLI_TRACE,
	  CLI_TEXT(struct options, input) },

	{ "a", "seek-absolute", NULL,
	  "seeks always from the end of the last request",
	  .group = "What is counted", .classic = true,
	  CLI_FLAG(struct options, absolute_seeks) },
	{ "r", "no-remaps", NULL, "leave remaps out",
	  .classic = true, CLI_FLAG(struct options, no_remaps) },
	{ NULL, "remappers", "auto|classic",
	  "how remappers are known: because they remap in the trace, or by"
	  " their major number",
	  .set = set_remappers, AT(classic_remappers) },
	{ "t", "time-start", "SECONDS", "what happens from then on only",
	  .classic = true, .set = set_start },
	{ "T", "time-end", "SECONDS", "what happens until then only",
	  .classic = true, .set = set_end },
	{ "d", "range-delta", "SECONDS",
	  "a pause of so long parts ranges of activity (0.1)",
	  .classic = true, .set = set_pause, AT(pause) },

	{ "A", "all-data", NULL, "averages of processes and devices, too",
	  .group = "What is shown", .classic = true,
	  CLI_FLAG(struct options, all_data) },
	{ "D", "devices", "MAJOR,MINOR[;...]", "these devices only",
	  .classic = true, CLI_TEXT(struct options, devices) },
	{ "e", "exes", "NAME[,...]", "these processes only",
	  .classic = true, CLI_TEXT(struct options, exes) },
	{ "M", "dev-maps", "FILE", "names of devices: lines like sda 8,0",
	  .classic = true, .completes = CLI_FILE,
	  .set = set_device_names, AT(names_of_devices) },
	{ "v", "verbose", NULL, "report how the reading goes",
	  .classic = true, CLI_FLAG(struct options, verbose) },
	{ READING_OPTION(struct options, no_progress) },
	{ THREADS_OPTION(struct options, threads) },

	{ "o", "output-file", "NAME", "the report goes to NAME.avg",
	  .group = "Where it is written", .classic = true,
	  .completes = CLI_FILE, CLI_TEXT(struct options, output) },
	{ "X", "easy-parse-avgs", NULL,
	  "with -o: the report for programs, in NAME.xvg",
	  .classic = true, CLI_FLAG(struct options, easy_parse) },

	{ "B", "dump-blocknos", "NAME", "blocks accessed, for bno_plot",
	  .group = "Data files", .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, block_numbers) },
	{ "I", "iostat", "FILE", "what iostat would have shown",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, iostat) },
	{ "S", "iostat-interval", "SECONDS", "how often, in whole seconds (1)",
	  .classic = true, .set = set_interval, AT(iostat_interval) },
	{ "l", "d2c-latencies", "NAME", "issue to completion, each",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, d2c) },
	{ "q", "q2c-latencies", "NAME", "queueing to completion, each",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, q2c) },
	{ "z", "q2d-latencies", "NAME", "queueing to issue, each",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, q2d) },
	{ "L", "periodic-latencies", "SECONDS",
	  "means of these three for each period",
	  .classic = true, .set = set_period, AT(latency_period) },
	{ "s", "seeks", "NAME", "distances between requests",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, seeks) },
	{ "m", "seeks-per-second", "NAME",
	  "with -s: how many there are each second",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, seeks_per_second) },
	{ NULL, "issue-seeks-per-second", "NAME",
	  "the same for requests issued",
	  .completes = CLI_FILE,
	  CLI_TEXT(struct options, issue_seeks_per_second) },
	{ "p", "per-io-dump", "FILE", "the life of every request",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, requests) },
	{ "P", "per-io-trees", "NAME",
	  "times of queueing, issue and completion; the name is not used",
	  .classic = true, .set = set_trees, AT(trees) },
	{ "Q", "active-queue-depth", "NAME", "requests that a device has",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, depth) },
	{ "u", "unplug-hist", "NAME", "how many requests unplugs let go",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, unplugs) },
	{ "Z", "do-active", NULL, "when devices were busy",
	  .classic = true, CLI_FLAG(struct options, periods) },
};

static const struct cli_program program = {
	.name = "btt",
	.usage = "[OPTION]... NAME...\n-i NAME [OPTION]...",
	.purpose = "Report how long requests took, and where that time went.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_TRACE,
	.examples =
		"btt sda                         of sda.blktrace.*\n"
		"btt -A -o report sda            all tables, in report.avg\n"
		"btt sda -l d2c -Q depth         latencies and queue depths,"
		" for btt_plot\n",
	.status = "0; 1 if something could not be read or written, or the trace"
		  " is damaged.",
	.section = 1,
	.release = "2.09",	/* 1.3.0: btt's version */
	.version_letters = "V",
	.help_letter = "h",
};

void btt_options_parse(struct options *o, int argc, char **argv)
{
	int first;

	*o = (struct options){
		.end = HUGE_VAL,
		.pause = 0.1,
		.iostat_interval = 1,
	};
	first = cli_parse(&program, o, argc, argv);
	/* 1.3.0: ignores operands beside -i */
	if (!o->input) {
		o->names = argv + first;
		o->name_count = argc - first;
	}
	if (!o->input && !o->name_count)
		cli_usage_error(&program, "no input is named");
	if ((o->seeks_per_second || o->issue_seeks_per_second) && !o->seeks)
		msg_die("seeks per second (-m) are counted with -s only: give"
			" that, too");
}

void btt_options_free(struct options *o)
{
	devmap_free(o->names_of_devices);
}
