/* btrecord's command line; see options.h. */
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/msg.h"
#include "tools/btrecord/options.h"

/* what release 1.3.0 of blktrace calls this program */
#define SAYS_IT_IS "btrecord -- version 1.0.0\n"

enum { MAX_TIME = 10000000, MAX_PACKETS = 8 };

enum { OPT_EXACT = 256 };

static const struct option long_options[] = {
	{ "input-directory", required_argument, NULL, 'd' },
	{ "output-directory", required_argument, NULL, 'D' },
	{ "find-traces", no_argument, NULL, 'F' },
	{ "help", no_argument, NULL, 'h' },
	{ "max-bunch-time", required_argument, NULL, 'm' },
	{ "max-pkts", required_argument, NULL, 'M' },
	{ "output-base", required_argument, NULL, 'o' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "version", no_argument, NULL, 'V' },
	{ "exact", no_argument, NULL, OPT_EXACT },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"Usage: " SAYS_IT_IS
	"\n"
	"\t[ -d <dir>  : --input-directory=<dir> ] Default: .\n"
	"\t[ -D <dir>  : --output-directory=<dir>] Default: .\n"
	"\t[ -F        : --find-traces           ] Default: Off\n"
	"\t[ -h        : --help                  ] Default: Off\n"
	"\t[ -m <nsec> : --max-bunch-time=<nsec> ] Default: 10 msec\n"
	"\t[ -M <pkts> : --max-pkts=<pkts>       ] Default: 8\n"
	"\t[ -o <base> : --output-base=<base>    ] Default: replay\n"
	"\t[ -v        : --verbose               ] Default: Off\n"
	"\t[ -V        : --version               ] Default: Off\n"
	"\t[             --exact                 ] Default: Off, every I/O its"
	" own time\n"
	"\t<dev>...                                Default: None\n"
	"\n";

/* Both of them on standard error, as they always were. */
__attribute__((noreturn)) static void leave_with(const char *text)
{
	fputs(text, stderr);
	exit(0);
}

__attribute__((noreturn)) static void usage_error(void)
{
	fputs(help_text, stderr);
	msg_die("Invalid command line");
}

static const char *directory(const char *path, const char *which)
{
	if (access(path, R_OK | X_OK))
		msg_die("Invalid %s directory specified: %s:", which, path);
	return path;
}

static void set_max_time(struct record_options *o, const char *text)
{
	long long ns = atoll(text);

	if (!ns)
		msg_die("Invalid bunch time %lld: it is in ns, 1 or more", ns);
	o->builder.max_time = (uint64_t)ns;
}

static void set_max_packets(struct record_options *o, const char *text)
{
	long long n = atoll(text);

	if (n < 1 || n > BUNCH_MAX)
		msg_die("Invalid max pkts %lld: 1 to %d", n, BUNCH_MAX);
	o->builder.max_packets = (uint32_t)n;
}

static void set_option(struct record_options *o, int c, const char *arg)
{
	switch (c) {
	case 'd': o->from = directory(arg, "input"); break;
	case 'D': o->to = directory(arg, "output"); break;
	case 'F': o->find = true; break;
	case 'h': leave_with(help_text);
	case 'm': set_max_time(o, arg); break;
	case 'M': set_max_packets(o, arg); break;
	case 'o': o->base = arg; break;
	case 'v': o->verbose++; break;
	case 'V': leave_with(SAYS_IT_IS);
	case OPT_EXACT: o->builder.exact = true; break;
	default: usage_error();
	}
}

void record_options_parse(struct record_options *o, int argc, char **argv)
{
	int c;

	*o = (struct record_options){
		.from = ".",
		.to = ".",
		.base = "replay",
		.builder = { .max_time = MAX_TIME, .max_packets = MAX_PACKETS },
	};
	while ((c = getopt_long(argc, argv, "d:D:Fhm:M:o:vV", long_options,
				NULL)) != -1)
		set_option(o, c, optarg);
	while (optind < argc)
		if (named_add(&o->names, argv[optind++]))
			msg_die("out of memory");
	if (!o->names.count && !o->find)
		msg_die("Missing required input file name(s)");
}

void record_options_free(struct record_options *o)
{
	named_free(&o->names);
}
