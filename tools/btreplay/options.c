/* btreplay's command line; see options.h. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "tools/btreplay/options.h"

/* what release 1.3.0 of blktrace calls this program */
#define SAYS_IT_IS "btreplay -- version 1.0.0\n"

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

enum { OPT_SPIN = 256, OPT_FORCE, OPT_DRY_RUN, OPT_REPORT, OPT_DEPTH };

static const struct option long_options[] = {
	{ "cpus", required_argument, NULL, 'c' },
	{ "input-directory", required_argument, NULL, 'd' },
	{ "find-records", no_argument, NULL, 'F' },
	{ "help", no_argument, NULL, 'h' },
	{ "input-base", required_argument, NULL, 'i' },
	{ "iterations", required_argument, NULL, 'I' },
	{ "map-devs", required_argument, NULL, 'M' },
	{ "no-stalls", no_argument, NULL, 'N' },
	{ "acc-factor", required_argument, NULL, 'x' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "version", no_argument, NULL, 'V' },
	{ "write-enable", no_argument, NULL, 'W' },
	{ "spin", required_argument, NULL, OPT_SPIN },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "report", optional_argument, NULL, OPT_REPORT },
	{ "depth", required_argument, NULL, OPT_DEPTH },
	/* a prefix that 1.3.0 took for --find-records stays that */
	{ "f", no_argument, NULL, 'F' },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"Usage: " SAYS_IT_IS
	"\n"
	"\t[ -c <cpus> : --cpus=<cpus>           ] Default: all online\n"
	"\t[ -d <dir>  : --input-directory=<dir> ] Default: .\n"
	"\t[ -F        : --find-records          ] Default: Off\n"
	"\t[ -h        : --help                  ] Default: Off\n"
	"\t[ -i <base> : --input-base=<base>     ] Default: replay\n"
	"\t[ -I <iters>: --iterations=<iters>    ] Default: 1\n"
	"\t[ -M <file> : --map-devs=<file>       ] Default: None\n"
	"\t[ -N        : --no-stalls             ] Default: Off\n"
	"\t[ -x <fact> : --acc-factor=<fact>     ] Default: 1, 0.5 is half as"
	" fast\n"
	"\t[ -v        : --verbose               ] Default: Off\n"
	"\t[ -V        : --version               ] Default: Off\n"
	"\t[ -W        : --write-enable          ] Default: Off\n"
	"\t[             --force                 ] Default: Off, write to"
	" devices in use\n"
	"\t[             --dry-run               ] Default: Off, tell what"
	" would be done\n"
	"\t[             --spin=<usec>           ] Default: 100, 0 is never\n"
	"\t[             --depth=<ios>           ] Default: 512\n"
	"\t[             --report[=<file>]       ] Default: text only, else"
	" JSON\n"
	"\t<dev...>                                Default: None\n"
	"\n";

/* Both of them on standard error, as they always were. */
__attribute__((noreturn)) static void leave_with(const char *text)
{
	fputs(text, stderr);
	exit(0);
}

__attribute__((noreturn)) static void usage_error(int option)
{
	fputs(help_text, stderr);
	msg_die("Invalid command line argument %c", option);
}

/* --- values -------------------------------------------------------------- */

static int online_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (int)n : 1;
}

static void set_cpus(struct replay_options *o, const char *text)
{
	int cpus = atoi(text), online = online_cpus();

	if (cpus <= 0 || cpus > online)
		msg_die("Invalid number of cpus %d (0<x<%d)", cpus, online);
	o->cpus = (unsigned int)cpus;
}

static void set_directory(struct replay_options *o, const char *path)
{
	if (access(path, R_OK | X_OK))
		msg_die("Invalid input directory specified: %s:", path);
	o->dir = path;
}

static void set_iterations(struct replay_options *o, const char *text)
{
	int n = atoi(text);

	if (n <= 0)
		msg_die("Invalid number of iterations %d", n);
	o->iterations = (unsigned int)n;
}

static void add_map(struct replay_options *o, const char *path)
{
	int err = device_map_read(&o->map, path);

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

static void set_factor(struct replay_options *o, const char *text)
{
	char *end;
	double factor = strtod(text, &end);

	if (end == text || *end || !(factor >= FACTOR_MIN) ||
	    factor > FACTOR_MAX)
		msg_die("Invalid acceleration factor %s: %g to %g", text,
			FACTOR_MIN, FACTOR_MAX);
	o->factor = factor;
}

static unsigned long number(const char *option, const char *text,
			    unsigned long least, unsigned long most)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (end == text || *end || *text == '-' || n < least || n > most)
		msg_die("%s takes a number from %lu to %lu, not %s", option,
			least, most, text);
	return n;
}

static void set_spin(struct replay_options *o, const char *text)
{
	o->spin_max = 1000 * (uint64_t)number("--spin", text, 0, SPIN_US_MAX);
}

static void set_depth(struct replay_options *o, const char *text)
{
	o->depth = (unsigned int)number("--depth", text, 1, DEPTH_MAX);
}

static void set_report(struct replay_options *o, const char *file)
{
	o->json = true;
	o->report_file = file ? file : "-";
}

/* --- the line ------------------------------------------------------------ */

static void set_option(struct replay_options *o, int c, const char *arg)
{
	switch (c) {
	case 'c': set_cpus(o, arg); break;
	case 'd': set_directory(o, arg); break;
	case 'F': o->find = true; break;
	case 'h': leave_with(help_text);
	case 'i': o->base = arg; break;
	case 'I': set_iterations(o, arg); break;
	case 'M': add_map(o, arg); break;
	case 'N': o->no_stalls = true; break;
	case 'x': set_factor(o, arg); break;
	case 'v': o->verbose++; break;
	case 'V': leave_with(SAYS_IT_IS);
	case 'W': o->write = true; break;
	case OPT_SPIN: set_spin(o, arg); break;
	case OPT_FORCE: o->force = true; break;
	case OPT_DRY_RUN: o->dry_run = true; break;
	case OPT_REPORT: set_report(o, arg); break;
	case OPT_DEPTH: set_depth(o, arg); break;
	default: usage_error(c);
	}
}

void replay_options_parse(struct replay_options *o, int argc, char **argv)
{
	int c;

	*o = (struct replay_options){
		.dir = ".",
		.base = "replay",
		.cpus = (unsigned int)online_cpus(),
		.iterations = 1,
		.factor = 1,
		.spin_max = SPIN_US * 1000,
		.depth = DEPTH,
	};
	while ((c = getopt_long(argc, argv, "c:d:Fhi:I:M:Nx:t:vVW",
				long_options, NULL)) != -1)
		set_option(o, c, optarg);
	while (optind < argc)
		if (named_add(&o->names, argv[optind++]))
			msg_die("out of memory");
	if (!o->names.count && !o->find)
		msg_die("Missing required input dev name(s)");
}

void replay_options_free(struct replay_options *o)
{
	device_map_free(&o->map);
	named_free(&o->names);
}
