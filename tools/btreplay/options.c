/* SPDX-License-Identifier: GPL-2.0-only */
/* btreplay's command line; see options.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "cli/options.h"
#include "cli/set.h"
#include "tools/btreplay/options.h"

enum {
	SPIN_US = 100,
	SPIN_US_MAX = 10000,
	DEPTH = 512,
	DEPTH_MAX = 65536,
	EXIT_SYSTEM = 2,	/* as in 1.3.0 */
};

/* a trace of a day in a second, and a second of it in a day */
#define FACTOR_MIN 1e-5
#define FACTOR_MAX 1e5

static int online_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (int)n : 1;
}

static void set_cpus(void *count, const char *text)
{
	int cpus = atoi(text), online = online_cpus();

	if (cpus <= 0 || cpus > online)
		msg_die("Invalid number of cpus %d (0<x<%d)", cpus, online);
	*(unsigned int *)count = (unsigned int)cpus;
}

static void set_directory(void *dir, const char *path)
{
	if (access(path, R_OK | X_OK))
		msg_die("Invalid input directory specified: %s:", path);
	*(const char **)dir = path;
}

static void set_iterations(void *count, const char *text)
{
	int n = atoi(text);

	if (n <= 0)
		msg_die("Invalid number of iterations %d", n);
	*(unsigned int *)count = (unsigned int)n;
}

static void add_map(void *map, const char *path)
{
	int err = device_map_read(map, path);

	if (!err)
		return;
	if (err == -ENODATA)
		msg_warn("%s: a device without one to replay it on: the map has"
			 " pairs of names", path);
	else
		msg_warn("Could not open map devs file %s: %s", path,
			 strerror(-err));
	exit(EXIT_SYSTEM);
}

static void set_factor(void *factor, const char *text)
{
	char *end;
	double x = strtod(text, &end);

	if (end == text || *end || !(x >= FACTOR_MIN) ||
	    x > FACTOR_MAX)
		msg_die("Invalid acceleration factor %s: %g to %g", text,
			FACTOR_MIN, FACTOR_MAX);
	*(double *)factor = x;
}

/* From microseconds. */
static void set_spin(void *ns, const char *text)
{
	*(uint64_t *)ns = 1000 * strtoull(text, NULL, 10);
}

static void set_report(void *options, const char *file)
{
	struct replay_options *o = options;

	o->json = true;
	o->report_file = file ? file : "-";
}

static void add_name(void *options, const char *name)
{
	struct replay_options *o = options;

	if (named_add(&o->names, name))
		msg_die("out of memory");
}

/* --- the table ----------------------------------------------------------- */

#define AT(field) .at = offsetof(struct replay_options, field)

static const struct cli_option rows[] = {
	{ "d", "input-directory", "DIR", "directory of the replay files (.)",
	  .group = "What is replayed", .classic = true,
	  .completes = CLI_DIRECTORY, .set = set_directory, AT(dir) },
	{ "F", "find-records", NULL, "replay all replay files in DIR",
	  .classic = true, CLI_FLAG(struct replay_options, find) },
	{ "i", "input-base", "BASE",
	  "the part of their names between device and CPU (replay)",
	  .classic = true, CLI_TEXT(struct replay_options, base) },
	{ "I", "iterations", "N", "number of replays (1)",
	  .classic = true, .set = set_iterations, AT(iterations) },

	{ "M", "map-devs", "FILE",
	  "pairs of names: the recorded device, the one to replay it on",
	  .group = "Where it is replayed", .classic = true,
	  .completes = CLI_FILE, .set = add_map, AT(map) },
	{ "W", "write-enable", NULL, "send writes; else they become reads",
	  .classic = true, CLI_FLAG(struct replay_options, write) },
	{ NULL, "no-flush", NULL, "with -W, send no flushes and no FUA writes",
	  CLI_FLAG(struct replay_options, no_flush) },
	{ NULL, "no-discard", NULL, "with -W, send no discards",
	  CLI_FLAG(struct replay_options, no_discard) },
	{ NULL, "force", NULL, "write even to devices in use",
	  CLI_FLAG(struct replay_options, force) },
	{ NULL, "dry-run", NULL, "print the plan, and do nothing",
	  CLI_FLAG(struct replay_options, dry_run) },

	{ "x", "acc-factor", "FACTOR", "replay FACTOR times as fast (1)",
	  .group = "When", .classic = true, .set = set_factor, AT(factor) },
	{ "N", "no-stalls", NULL, "replay as fast as the devices allow",
	  .classic = true, CLI_FLAG(struct replay_options, no_stalls) },
	{ "c", "cpus", "N", "CPUs to replay on (all online ones)",
	  .classic = true, .set = set_cpus, AT(cpus) },
	{ NULL, "spin", "USEC", "busy-wait this long before an I/O (100)",
	  .min = 0, .max = SPIN_US_MAX, .set = set_spin, AT(spin_max) },
	{ NULL, "depth", "N", "I/Os of a file in flight, at most (512)",
	  .min = 1, .max = DEPTH_MAX,
	  CLI_UINT(struct replay_options, depth) },

	{ NULL, "report", "[FILE]",
	  "report as JSON, in FILE or on standard output",
	  .group = "What is reported", .completes = CLI_FILE,
	  .set = set_report },
	{ "v", "verbose", NULL, "more on standard error; twice: even more",
	  .classic = true, CLI_COUNT(struct replay_options, verbose) },
};

static const struct cli_program program = {
	.name = "btreplay",
	.usage = "[OPTION]... NAME...\n-F [OPTION]...",
	.purpose = "Send I/Os to block devices as they were recorded.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_REPLAY,
	.operand = add_name,
	.examples =
		"btreplay --dry-run sda          what would be done\n"
		"btreplay sda                    reads only, at their times\n"
		"echo 'sda sdx' > map; btreplay -M map -W sda\n",
	.status = "0; 1 for a mistake, missing or damaged files, or a device in"
		  " use; 2 if a device cannot be opened, the system refuses"
		  " something, or I/Os have failed.",
	.section = 8,
	.release = "1.0.0",	/* 1.3.0: calls its btreplay so */
	.version_letters = "V",
	.dashed = true,
	.help_letter = "h",
};

void replay_options_parse(struct replay_options *o, int argc, char **argv)
{
	*o = (struct replay_options){
		.dir = ".",
		.base = "replay",
		.cpus = (unsigned int)online_cpus(),
		.iterations = 1,
		.factor = 1,
		.spin_max = SPIN_US * 1000,
		.depth = DEPTH,
	};
	cli_parse(&program, o, argc, argv);
	if (!o->names.count && !o->find)
		cli_usage_error(&program, "Missing required input dev name(s)");
}

void replay_options_free(struct replay_options *o)
{
	device_map_free(&o->map);
	named_free(&o->names);
}
