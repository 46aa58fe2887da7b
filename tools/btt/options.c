/* btt's command line; see options.h. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "tools/btt/devmap.h"
#include "tools/btt/options.h"

#define FAITHFUL_TO "2.09"	/* what release 1.3.0 calls its btt */

enum { OPT_REMAPPERS = 256, OPT_ISSUE_SEEKS };

static const struct option long_options[] = {
	{ "seek-absolute", no_argument, NULL, 'a' },
	{ "all-data", no_argument, NULL, 'A' },
	{ "dump-blocknos", required_argument, NULL, 'B' },
	{ "range-delta", required_argument, NULL, 'd' },
	{ "devices", required_argument, NULL, 'D' },
	{ "exes", required_argument, NULL, 'e' },
	{ "help", no_argument, NULL, 'h' },
	{ "input-file", required_argument, NULL, 'i' },
	{ "iostat", required_argument, NULL, 'I' },
	{ "d2c-latencies", required_argument, NULL, 'l' },
	{ "periodic-latencies", required_argument, NULL, 'L' },
	{ "seeks-per-second", required_argument, NULL, 'm' },
	{ "dev-maps", required_argument, NULL, 'M' },
	{ "output-file", required_argument, NULL, 'o' },
	{ "per-io-dump", required_argument, NULL, 'p' },
	{ "per-io-trees", required_argument, NULL, 'P' },
	{ "q2c-latencies", required_argument, NULL, 'q' },
	{ "active-queue-depth", required_argument, NULL, 'Q' },
	{ "no-remaps", no_argument, NULL, 'r' },
	{ "seeks", required_argument, NULL, 's' },
	{ "iostat-interval", required_argument, NULL, 'S' },
	{ "time-start", required_argument, NULL, 't' },
	{ "time-end", required_argument, NULL, 'T' },
	{ "unplug-hist", required_argument, NULL, 'u' },
	{ "version", no_argument, NULL, 'V' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "easy-parse-avgs", no_argument, NULL, 'X' },
	{ "q2d-latencies", required_argument, NULL, 'z' },
	{ "do-active", no_argument, NULL, 'Z' },
	{ "remappers", required_argument, NULL, OPT_REMAPPERS },
	{ "issue-seeks-per-second", required_argument, NULL,
	  OPT_ISSUE_SEEKS },
	/* 1.3.0 took this for --range-delta, so it stays that */
	{ "r", required_argument, NULL, 'd' },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"[ -a               | --seek-absolute ]\n"
	"[ -A               | --all-data ]\n"
	"[ -B <output name> | --dump-blocknos=<output name> ]\n"
	"[ -d <seconds>     | --range-delta=<seconds> ]\n"
	"[ -D <dev;...>     | --devices=<dev;...> ]\n"
	"[ -e <exe,...>     | --exes=<exe,...>  ]\n"
	"[ -h               | --help ]\n"
	"[ -i <input name>  | --input-file=<input name> ]\n"
	"[ -I <output name> | --iostat=<output name> ]\n"
	"[ -l <output name> | --d2c-latencies=<output name> ]\n"
	"[ -L <freq>        | --periodic-latencies=<freq> ]\n"
	"[ -m <output name> | --seeks-per-second=<output name> ]\n"
	"[ -M <dev map>     | --dev-maps=<dev map> ]\n"
	"[ -o <output name> | --output-file=<output name> ]\n"
	"[ -p <output name> | --per-io-dump=<output name> ]\n"
	"[ -P <output name> | --per-io-trees=<output name> ]\n"
	"[ -q <output name> | --q2c-latencies=<output name> ]\n"
	"[ -Q <output name> | --active-queue-depth=<output name> ]\n"
	"[ -r               | --no-remaps ]\n"
	"[ -s <output name> | --seeks=<output name> ]\n"
	"[ -S <interval>    | --iostat-interval=<interval> ]\n"
	"[ -t <sec>         | --time-start=<sec> ]\n"
	"[ -T <sec>         | --time-end=<sec> ]\n"
	"[ -u <output name> | --unplug-hist=<output name> ]\n"
	"[ -V               | --version ]\n"
	"[ -v               | --verbose ]\n"
	"[ -X               | --easy-parse-avgs ]\n"
	"[ -z <output name> | --q2d-latencies=<output name> ]\n"
	"[ -Z               | --do-active ]\n"
	"[                    --remappers=major|auto ]\n"
	"[                    --issue-seeks-per-second=<output name> ]\n"
	"\n"
	"The input is a dump (blkparse -d), a device or directory that blktrace"
	" has\nwritten, or - for what it writes now; without -i the operands"
	" name it.\n\n";

static void print_help(const struct options *o)
{
	fprintf(stderr, "Usage: %s \n%s", o->self, help_text);
}

__attribute__((noreturn)) static void usage_error(const struct options *o)
{
	print_help(o);
	exit(1);
}

static void set_device_names(struct options *o, const char *path)
{
	devmap_free(o->names_of_devices);
	o->names_of_devices = devmap_read(path);
	if (!o->names_of_devices)
		msg_die("cannot read the device names in %s:", path);
}

static void set_remappers(struct options *o, const char *text)
{
	if (strcmp(text, "auto") && strcmp(text, "major"))
		msg_die("--remappers is major or auto, not %s", text);
	o->auto_remappers = !strcmp(text, "auto");
}

static void set_start(struct options *o, const char *text)
{
	sscanf(text, "%lf", &o->start);
	o->windowed = true;
}

static void set_end(struct options *o, const char *text)
{
	if (!o->ended)
		o->end = 0;	/* also for what is no number */
	sscanf(text, "%lf", &o->end);
	o->windowed = o->ended = true;
}

static void set_option(struct options *o, int c, const char *arg)
{
	switch (c) {
	case 'a': o->absolute_seeks = true; break;
	case 'A': o->all_data = true; break;
	case 'B': o->block_numbers = arg; break;
	case 'd': sscanf(arg, "%lf", &o->pause); break;
	case 'D': o->devices = arg; break;
	case 'e': o->exes = arg; break;
	case 'h':
		print_help(o);
		exit(0);
	case 'i': o->input = arg; break;
	case 'I': o->iostat = arg; break;
	case 'l': o->d2c = arg; break;
	case 'L': o->latency_period = atof(arg); break;
	case 'm': o->seeks_per_second = arg; break;
	case 'M': set_device_names(o, arg); break;
	case 'o': o->output = arg; break;
	case 'p': o->requests = arg; break;
	case 'P': o->trees = true; break;
	case 'q': o->q2c = arg; break;
	case 'Q': o->depth = arg; break;
	case 'r': o->no_remaps = true; break;
	case 's': o->seeks = arg; break;
	case 'S': sscanf(arg, "%u", &o->iostat_interval); break;
	case 't': set_start(o, arg); break;
	case 'T': set_end(o, arg); break;
	case 'u': o->unplugs = arg; break;
	case 'V':
		printf("%s version %s\n", o->self, FAITHFUL_TO);
		exit(0);
	case 'v': o->verbose = true; break;
	case 'X': o->easy_parse = true; break;
	case 'z': o->q2d = arg; break;
	case 'Z': o->periods = true; break;
	case OPT_REMAPPERS: set_remappers(o, arg); break;
	case OPT_ISSUE_SEEKS: o->issue_seeks_per_second = arg; break;
	default: usage_error(o);
	}
}

void options_parse(struct options *o, int argc, char **argv)
{
	static const char letters[] =
		"aAB:d:D:e:hi:I:l:L:m:M:o:p:P:q:Q:rs:S:t:T:u:VvXz:Z";
	int c;

	*o = (struct options){
		.self = argv[0],
		.end = HUGE_VAL,
		.pause = 0.1,
		.iostat_interval = 1,
	};
	while ((c = getopt_long(argc, argv, letters, long_options, NULL)) != -1)
		set_option(o, c, optarg);
	/* as in 1.3.0 words mean nothing beside -i */
	if (!o->input) {
		o->names = argv + optind;
		o->name_count = argc - optind;
	}
	if (!o->input && !o->name_count)
		usage_error(o);
	if ((o->seeks_per_second || o->issue_seeks_per_second) && !o->seeks)
		msg_die("seeks per second (-m) are counted with -s only: give"
			" that, too");
}

void options_free(struct options *o)
{
	devmap_free(o->names_of_devices);
}
