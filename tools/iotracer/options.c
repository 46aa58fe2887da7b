/* iotracer's command line; see options.h. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "tools/iotracer/options.h"

#define OUR_VERSION "1.0.0"

enum {
	OPT_HELP = 256,
	EVENTS_MAX = 1 << 24,	/* 1.3 GiB of the kernel's memory */
	LINGER_MAX = 86400,
	RING_MIN = 64,		/* KiB */
	RING_MAX = 1 << 20,
};

static const struct option long_options[] = {
	{ "events", required_argument, NULL, 'n' },
	{ "levels", required_argument, NULL, 'l' },
	{ "probe", required_argument, NULL, 'p' },
	{ "lower", no_argument, NULL, 's' },
	{ "whole-disk", no_argument, NULL, 'a' },
	{ "extended", no_argument, NULL, 'x' },
	{ "blktrace", required_argument, NULL, 'b' },
	{ "wait", required_argument, NULL, 'w' },
	{ "ring", required_argument, NULL, 'r' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"Tell every read and write of files, at the VFS and at the block"
	" layer.\n"
	"\n"
	"  iotracer [OPTION]... FILE... [-- COMMAND [ARGUMENT]...]\n"
	"                           trace while COMMAND runs, or until Ctrl-C\n"
	"  iotracer add FILE [N]    watch FILE, keep its last N lines (10)\n"
	"  iotracer remove FILE     watch it no more\n"
	"  iotracer list            what is watched\n"
	"  iotracer status FILE     logging, T0, room, lines held\n"
	"  iotracer log FILE        the lines held\n"
	"  iotracer stop FILE       pause its log\n"
	"  iotracer start FILE      go on\n"
	"  iotracer reset FILE      empty its log\n"
	"  iotracer timereset FILE  empty its log, T0 is now\n"
	"  iotracer stat [LOG|FILE] profile of a log\n"
	"  iotracer extents FILE... where files lie: byte, sector, bytes\n"
	"\n"
	"  -l, --levels=LIST        of vfs, blk and map (vfs,blk)\n"
	"  -p, --probe=auto|iter|syscall\n"
	"                           how VFS lines are come by\n"
	"  -n, --events=N           lines kept for add; show no more than"
	" that\n"
	"  -s, --lower              also bios to the devices below the"
	" filesystem's\n"
	"  -a, --whole-disk         sectors of the disk, not of the"
	" partition\n"
	"  -x, --extended           device, sector, RWBS, thread and path"
	" behind each line\n"
	"  -b, --blktrace=NAME      write NAME.blktrace.CPU for blkparse, no"
	" lines\n"
	"  -w, --wait=SECONDS       go on that long after COMMAND, for its"
	" write-back\n"
	"  -r, --ring=KIB           room for a burst on each CPU\n"
	"  -v, --verbose            say how VFS lines are come by\n"
	"  -V, --version            this program's version\n"
	"      --help               this text\n";

static void print_help(FILE *to)
{
	fprintf(to, "Usage: iotracer [OPTION]... FILE... [-- COMMAND]\n%s",
		help_text);
}

__attribute__((noreturn)) static void usage_error(void)
{
	fprintf(stderr, "Try 'iotracer --help'.\n");
	exit(1);
}

uint64_t options_number(const char *text, uint64_t max)
{
	unsigned long long n;
	char *end;

	if (*text < '0' || *text > '9')
		return 0;
	errno = 0;
	n = strtoull(text, &end, 10);
	return errno || *end || n > max ? 0 : n;
}

static uint64_t number(const char *option, const char *text, uint64_t max)
{
	uint64_t n = options_number(text, max);

	if (!n)
		msg_die("%s takes a number from 1 to %llu, not %s", option,
			(unsigned long long)max, text);
	return n;
}

static uint32_t level_of(const char *name, size_t len)
{
	for (int i = 0; i < LEVEL_COUNT; i++)
		if (len == 3 && !strncasecmp(name, line_levels[i], len))
			return LEVEL_BIT(i);
	msg_die("-l is a list of vfs, blk and map, not %.*s", (int)len, name);
}

/* names with commas between them, in any case */
static void set_levels(struct options *o, const char *list)
{
	o->levels = 0;
	o->levels_given = true;
	for (;;) {
		size_t len = strcspn(list, ",");

		o->levels |= level_of(list, len);
		if (!list[len])
			return;
		list += len + 1;
	}
}

static void set_backend(struct options *o, const char *name)
{
	for (enum backend i = BACKEND_AUTO; i <= BACKEND_SYSCALL; i++)
		if (!strcmp(name, backend_names[i])) {
			o->backend = i;
			return;
		}
	msg_die("-p is auto, iter or syscall, not %s", name);
}

/* The kernel wants a power of two. */
static void set_ring(struct options *o, const char *text)
{
	uint64_t kib = number("-r", text, RING_MAX), size = RING_MIN;

	while (size < kib)
		size *= 2;
	o->ring = (uint32_t)(size << 10);
}

static void set_option(struct options *o, int c, const char *arg)
{
	switch (c) {
	case 'n': o->events = number("-n", arg, EVENTS_MAX); break;
	case 'l': set_levels(o, arg); break;
	case 'p': set_backend(o, arg); break;
	case 's': o->lower = true; break;
	case 'a': o->style.whole_disk = true; break;
	case 'x': o->style.extended = true; break;
	case 'b': o->records = arg; break;
	case 'w':
		o->linger = (unsigned int)number("-w", arg, LINGER_MAX);
		break;
	case 'r': set_ring(o, arg); break;
	case 'v': o->verbose = true; break;
	case 'V':
		printf("iotracer %s\n", OUR_VERSION);
		exit(0);
	case OPT_HELP:
		print_help(stdout);
		exit(0);
	default: usage_error();
	}
}

/* What is behind -- is none of getopt's business: it would take it apart. */
static int split_command(struct options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--")) {
			o->child = argv + i + 1;
			if (!*o->child)
				msg_die("-- wants a command behind it");
			return i;
		}
	return argc;
}

static const struct command *find_command(const struct command *commands,
				    unsigned int count, const char *word)
{
	for (unsigned int i = 0; i < count; i++)
		if (!strcmp(commands[i].name, word))
			return &commands[i];
	return NULL;
}

/* how many words one may have is in its table */
static void check_command(const struct options *o)
{
	const struct command *v = o->command;

	if (o->child)
		msg_die("%s takes no command; for the file of that name say"
			" ./%s", v->name, v->name);
	if (o->count < v->min || (v->max >= 0 && o->count > v->max)) {
		msg_warn("%s takes %s", v->name,
			 v->max == 0 ? "nothing more" : v->max > v->min ? "a"
			 " file and a number" : v->max < 0 ? "one file or"
			 " more" : "one file");
		usage_error();
	}
}

void options_parse(struct options *o, int argc, char **argv,
		   const struct command *commands, unsigned int command_count)
{
	int c;

	*o = (struct options){
		.levels = LEVEL_BIT(LEVEL_VFS) | LEVEL_BIT(LEVEL_BLK),
	};
	argc = split_command(o, argc, argv);
	/* getopt looks for the end, where it now is not NULL */
	while ((c = getopt_long(argc, argv, "n:l:p:saxb:w:r:vV", long_options,
				NULL)) != -1)
		set_option(o, c, optarg);
	o->words = argv + optind;
	o->count = argc - optind;
	if (!o->count) {
		msg_warn("no file is named");
		usage_error();
	}
	o->command = find_command(commands, command_count, o->words[0]);
	if (!o->command)
		return;
	o->words++;
	o->count--;
	check_command(o);
}
