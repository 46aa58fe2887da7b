/* blkparse's command line; see options.h. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act_mask.h"
#include "base/msg.h"
#include "emit/summary.h"
#include "tools/blkparse/options.h"

#define OUR_VERSION "1.0.0"
#define FAITHFUL_TO "1.3.0"

enum { OPT_HELP = 256, OPT_RECORD_VERSION };

static const struct option long_options[] = {
	{ "act-mask", required_argument, NULL, 'a' },
	{ "set-mask", required_argument, NULL, 'A' },
	{ "batch", required_argument, NULL, 'b' },
	{ "input-directory", required_argument, NULL, 'D' },
	{ "dump-binary", required_argument, NULL, 'd' },
	{ "format", required_argument, NULL, 'f' },
	{ "format-spec", required_argument, NULL, 'F' },
	{ "hash-by-name", no_argument, NULL, 'h' },
	{ "input", required_argument, NULL, 'i' },
	{ "no-msgs", no_argument, NULL, 'M' },
	{ "output", required_argument, NULL, 'o' },
	{ "no-text-output", no_argument, NULL, 'O' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "per-program-stats", no_argument, NULL, 's' },
	{ "sort-program-stats", required_argument, NULL, 'S' },
	{ "track-ios", no_argument, NULL, 't' },
	{ "stopwatch", required_argument, NULL, 'w' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "version", no_argument, NULL, 'V' },
	/* 1.3.0 took this for --hash-by-name, so it stays that */
	{ "h", no_argument, NULL, 'h' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "record-version", required_argument, NULL, OPT_RECORD_VERSION },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"Show what blktrace has recorded.\n"
	"\n"
	"  [-i|--input=]NAME            device (its NAME.blktrace.* files),"
	" directory,\n"
	"                               dump, FIFO, or - for standard input\n"
	"  -D, --input-directory=DIR    put DIR/ in front of names\n"
	"  -b, --batch=N                events read ahead of each file (512);"
	" from a\n"
	"                               pipe: events held for sorting (262144)\n"
	"\n"
	"  -a, --act-mask=CATEGORY      show this category only; add more with"
	" more -a\n"
	"  -A, --set-mask=HEX           the same as a mask in hexadecimal\n"
	"  -w, --stopwatch=[START:]END  show this time span only, in seconds\n"
	"\n"
	"  -f, --format=FORMAT          line format of all actions\n"
	"  -F, --format-spec=X,FORMAT   line format of action X\n"
	"  -t, --track-ios              show how long requests waited\n"
	"  -o, --output=FILE            write the text to FILE\n"
	"  -O, --no-text-output         write no text\n"
	"  -d, --dump-binary=FILE       write the events as records, too; -"
	" for stdout\n"
	"  -M, --no-msgs                no messages among them\n"
	"      --record-version=7|8     write them in this version\n"
	"\n"
	"  -q, --quiet                  no summary of devices\n"
	"  -s, --per-program-stats      summary of processes\n"
	"  -S, --sort-program-stats=X   the same, sorted by N(ame); Q, R, W or C:"
	" KiB\n"
	"                               queued, read, written, completed; q, r,"
	" w, c:\n"
	"                               the same in operations\n"
	"  -h, --hash-by-name           put processes of one name together\n"
	"\n"
	"  -v, --verbose                tell more on standard error\n"
	"  -V, --version                the release this is compatible with\n"
	"      --help                   this text\n";

static void print_help(FILE *to)
{
	fprintf(to, "Usage: %s [OPTION]... NAME...\n%s",
		program_invocation_short_name, help_text);
}

__attribute__((noreturn)) static void usage_error(void)
{
	print_help(stderr);
	exit(1);
}

static void add_input(struct options *o, const char *name)
{
	const char **inputs = realloc(o->inputs, (size_t)(o->input_count + 1) *
							 sizeof(*inputs));

	if (!inputs)
		msg_die("out of memory");
	o->inputs = inputs;
	inputs[o->input_count++] = name;
}

/* -a adds to what there is, but the first takes "everything" away. */
static void add_mask(struct options *o, const char *name, bool *chosen)
{
	uint32_t bit = act_mask_bit(name);

	if (!bit)
		msg_die("Invalid action mask %s", name);
	o->mask = *chosen ? o->mask | bit : bit;
	*chosen = true;
}

static void set_mask(struct options *o, const char *hex, bool *chosen)
{
	char *end;
	unsigned long mask = strtoul(hex, &end, 16);

	if (end == hex || mask < 1 || mask > 0xffff)
		msg_die("Invalid set action mask %s/0x%lx", hex, mask);
	o->mask = (uint32_t)mask;
	*chosen = true;
}

static void set_window(struct options *o, const char *text)
{
	const char *colon = strchr(text, ':');

	switch (window_parse(&o->window, text)) {
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
			(unsigned long long)o->window.start,
			(unsigned long long)o->window.end);
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

static void set_sort(struct options *o, const char *text)
{
	if (!summary_sort_known(*text))
		exit(1);	/* without a word, as in 1.3.0 */
	o->sort = *text;
}

static void set_record_version(struct options *o, const char *text)
{
	if (strcmp(text, "7") && strcmp(text, "8"))
		msg_die("--record-version is 7 or 8, not %s", text);
	o->record_version = (unsigned int)(*text - '0');
}

static void set_option(struct options *o, int c, const char *arg,
		       const char *self, bool *chosen)
{
	switch (c) {
	case 'a': add_mask(o, arg, chosen); break;
	case 'A': set_mask(o, arg, chosen); break;
	case 'b': o->batch = atoi(arg); break;
	case 'D': o->directory = arg; break;
	case 'd': o->dump = arg; break;
	case 'f': check_format(formats_set_all(&o->formats, arg), arg); break;
	case 'F': check_format(formats_set_one(&o->formats, arg), arg); break;
	case 'h': o->by_name = true; break;
	case 'i': add_input(o, arg); break;
	case 'M': o->no_messages = true; break;
	case 'o': o->output = arg; break;
	case 'O': o->no_text = true; break;
	case 'q': o->quiet = true; break;
	case 's': o->sort = o->sort ? o->sort : 'N'; break;
	case 'S': set_sort(o, arg); break;
	case 't': o->track = true; break;
	case 'w': set_window(o, arg); break;
	case 'v': o->verbose = true; break;
	case 'V':
		printf("%s version %s\n", self, FAITHFUL_TO);
		exit(0);
	case OPT_HELP:
		print_help(stdout);
		printf("\nblkparse %s, output compatible with release %s\n",
		       OUR_VERSION, FAITHFUL_TO);
		exit(0);
	case OPT_RECORD_VERSION: set_record_version(o, arg); break;
	default: usage_error();
	}
}

void options_parse(struct options *o, int argc, char **argv)
{
	static const char letters[] = "a:A:b:D:d:f:F:hi:o:OqsS:tw:vVM";
	bool chosen = false;
	int c;

	*o = (struct options){ .mask = UINT32_MAX, .window = WINDOW_ALL };
	while ((c = getopt_long(argc, argv, letters, long_options, NULL)) != -1)
		set_option(o, c, optarg, argv[0], &chosen);
	while (optind < argc)
		add_input(o, argv[optind++]);
	if (!o->input_count)
		usage_error();
}

void options_free(struct options *o)
{
	formats_free(&o->formats);
	free(o->inputs);
}
