/* SPDX-License-Identifier: GPL-2.0-only */
/* iowatcher's command line; see options.h. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "base/nearest.h"
#include "base/time.h"
#include "cli/captured.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/set.h"
#include "file/location.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/options.h"

enum {
	WIDTH = 700, HEIGHT = 250,	/* 1.3.0's */
	SIDE_MIN = 20, SIDE_MAX = 4000,
	COLUMNS_MAX = 100,
	SECONDS_MAX = 1000000,
	MIB_SECTORS = 2048,
};

/* --- what is drawn -------------------------------------------------------- */

static void add_name(struct watched_names *n, const char *path)
{
	struct watched_name *list = array_resize(n->list, n->count + 1,
						 sizeof(*list));

	if (!list)
		msg_die("out of memory");
	n->list = list;
	list[n->count++] = (struct watched_name){ .path = path };
}

static void add_trace(void *options, const char *path)
{
	add_name(&((struct watch_options *)options)->traces, path);
}

static void add_log(void *options, const char *path)
{
	add_name(&((struct watch_options *)options)->logs, path);
}

static void add_device(void *options, const char *path)
{
	struct watch_options *o = options;
	const char **list = array_resize(o->devices, o->device_count + 1,
					 sizeof(*list));

	if (!list)
		msg_die("out of memory");
	o->devices = list;
	list[o->device_count++] = path;
}

static bool label_first(struct watched_names *n, const char *text)
{
	for (size_t i = 0; i < n->count; i++) {
		if (n->list[i].label)
			continue;
		n->list[i].label = text;
		return true;
	}
	return false;
}

static void add_label(void *options, const char *text)
{
	struct watch_options *o = options;

	if (!label_first(&o->traces, text) && !label_first(&o->logs, text))
		msg_warn("-l %s: no -t or -F before it lacks a label", text);
}

static __attribute__((noreturn)) void die_graph(const char *letter,
						const char *name)
{
	struct nearest n = { .text = name, .len = strlen(name) };
	const char *word;

	for (unsigned int i = 0; (word = graph_word(i)); i++)
		nearest_try(&n, word);
	if (n.word)
		msg_die("%s: no graph %s; did you mean %s", letter,
			name, n.word);
	msg_die("%s: no graph %s", letter, name);
}

static void only_graph(void *options, const char *name)
{
	struct watch_options *o = options;
	enum graph_kind kind = graph_find(name);

	if (kind == GRAPHS)
		die_graph("-O", name);
	/* 1.3.0: the first leaves out all others */
	if (!o->only)
		o->graphs = 0;
	o->only = true;
	o->graphs |= GRAPH_BIT(kind);
}

static void no_graph(void *graphs, const char *name)
{
	enum graph_kind kind = graph_find(name);

	if (kind == GRAPHS)
		die_graph("-N", name);
	*(unsigned int *)graphs &= ~GRAPH_BIT(kind);
}

/* --- numbers -------------------------------------------------------------- */

/* Reads seconds up to end as ns; "" leaves *ns as it is. */
static bool parse_seconds(const char *text, const char *end, uint64_t *ns)
{
	char *rest;
	double seconds;

	if (text == end)
		return true;
	if (*text < '0' || *text > '9')
		return false;
	seconds = strtod(text, &rest);
	if (rest != end || !(seconds < 1e10))
		return false;
	*ns = (uint64_t)(seconds * (double)NS_PER_SECOND);
	return true;
}

static void set_time(void *span, const char *text)
{
	struct watched_span *s = span;
	const char *colon = strchr(text, ':');

	if (!colon || !parse_seconds(text, colon, &s->low) ||
	    !parse_seconds(colon + 1, text + strlen(text), &s->high) ||
	    s->low >= s->high)
		msg_die("Cannot parse time range %s", text);
}

/* the same of MiB as sectors */
static bool parse_mib(const char *text, const char *end, uint64_t *sectors)
{
	const unsigned long long most = UINT64_MAX / MIB_SECTORS / 512;
	unsigned long long mib;
	char *rest;

	if (text == end)
		return true;
	if (*text < '0' || *text > '9')
		return false;
	mib = strtoull(text, &rest, 10);
	if (rest != end)
		return false;
	if (mib > most)
		msg_die("Upper range limit too big. Maximum is %llu.", most);
	*sectors = mib * MIB_SECTORS;
	return true;
}

static void set_sectors(void *span, const char *text)
{
	struct watched_span *s = span;
	const char *colon = strchr(text, ':');

	if (!colon || !parse_mib(text, colon, &s->low) ||
	    !parse_mib(colon + 1, text + strlen(text), &s->high) ||
	    s->low >= s->high)
		msg_die("Cannot parse offset range %s", text);
}

static void set_action(void *action, const char *text)
{
	*(char *)action = *text;
}

/* 1.3.0: the mean of this second and so many before it */
static void set_rolling(void *ns, const char *text)
{
	*(uint64_t *)ns = (strtoull(text, NULL, 10) + 1) * NS_PER_SECOND;
}

static void set_movie(void *options, const char *style)
{
	struct watch_options *o = options;

	o->movie = true;
	o->movie_style = style && *style == 'r' ? MOVIE_RECT : MOVIE_SPINDLE;
}

/* 1.3.0: --keep may stand for --keep-movie-svgs, which takes no argument. */
static void set_keep(void *options, const char *name)
{
	struct watch_options *o = options;

	if (name)
		o->captured.keep = name;
	else
		o->keep_frames = true;
}

/* --- the table of options ------------------------------------------------- */

#define AT(field) .at = offsetof(struct watch_options, field)
#define CLASSIC .classic = true

static const struct cli_option rows[] = {
	{ "t", "trace", "NAME",
	  "device (its NAME.blktrace.* files), directory, dump, FIFO, or - for"
	  " standard input; may be repeated, for one set of graphs",
	  .group = "Contents", .completes = CLI_TRACE, CLASSIC,
	  .set = add_trace },
	{ "F", "fio-trace", "FILE",
	  "bandwidth log of fio; may be repeated",
	  .completes = CLI_FILE, CLASSIC, .set = add_log },
	{ "l", "label", "TEXT",
	  "name in the legend for the first -t without a label, or else the"
	  " first -F",
	  CLASSIC, .set = add_label },
	{ "O", "only-graph", "GRAPH", "only this graph; may be repeated",
	  CLASSIC, .word = graph_word, .set = only_graph },
	{ "N", "no-graph", "GRAPH", "all graphs but this; may be repeated",
	  CLASSIC, .word = graph_word, .set = no_graph, AT(graphs) },
	{ "x", "xzoom", "MIN:MAX",
	  "only this time, in seconds; MIN or MAX may be left out; a DEVICE is"
	  " captured up to MAX",
	  CLASSIC, .set = set_time, AT(time) },
	{ "y", "yzoom", "MIN:MAX",
	  "only these offsets of Device IO, in MiB; MIN or MAX may be left out",
	  CLASSIC, .set = set_sectors, AT(sectors) },
	{ "a", "io-plot-action", "Q|D|C",
	  "event that places an I/O in Device IO: queue, issue or complete (the"
	  " first that the trace has)",
	  CLASSIC, .set = set_action, AT(action) },
	{ "P", "per-process-io", NULL,
	  "colour Device IO by process and direction",
	  CLASSIC, CLI_FLAG(struct watch_options, per_process) },
	{ "r", "rolling", "SECONDS",
	  "average lines over this second and SECONDS before it",
	  CLASSIC, .max = SECONDS_MAX, .set = set_rolling, AT(rolling) },

	{ "d", "device", "DEV",
	  "trace this device first, to the first -t or trace; may be repeated,"
	  " which makes that a directory",
	  .group = "Tracing", .completes = CLI_DEVICE, CLASSIC,
	  .set = add_device },
	{ "D", "blktrace-destination", "DIR", "write traces to DIR",
	  .completes = CLI_DIRECTORY, CLASSIC,
	  CLI_TEXT(struct watch_options, directory) },
	{ "p", "prog", NULL,
	  "run the program after the options while tracing; without it, trace"
	  " until Ctrl-C",
	  CLASSIC, CLI_FLAG(struct watch_options, runs_program) },
	{ NULL, "keep", "[NAME]",
	  "of a DEVICE, keep the trace: NAME.blktrace.CPU, or files in NAME/;"
	  " without NAME, --keep-movie-svgs",
	  .completes = CLI_FILE, .set = set_keep },

	{ "o", "output", "FILE", "the picture (trace.svg)",
	  .group = "Output", .completes = CLI_FILE, .writes = CLI_WRITES_FILE,
	  CLASSIC,
	  CLI_TEXT(struct watch_options, output) },
	{ "m", "movie", "[spindle|rect]",
	  "a movie of the I/O on a disc (spindle) or in a rectangle",
	  CLASSIC, .set = set_movie },
	{ "C", "codec", "CODEC",
	  "ffmpeg's codec for a movie (libx264; for Ogg libtheora)",
	  CLASSIC, CLI_TEXT(struct watch_options, codec) },
	{ "K", "keep-movie-svgs", NULL,
	  "keep ffmpeg's input as FILE.y4m",
	  CLASSIC, CLI_FLAG(struct watch_options, keep_frames) },
	{ NULL, "html", "FILE",
	  "page of all -t for any browser, as by btreport; without -o, draw no"
	  " picture",
	  .completes = CLI_FILE, .writes = CLI_WRITES_FILE,
	  CLI_TEXT(struct watch_options, html) },
	{ NULL, "size", "BYTES",
	  "limit of the page's data (4M); a larger page shows more detail",
	  .set = cli_set_size, AT(size) },
	{ NULL, "json", "FILE",
	  "numbers of all graphs as JSON; without -o, draw no picture",
	  .completes = CLI_FILE, .writes = CLI_WRITES_FILE,
	  CLI_TEXT(struct watch_options, json) },
	{ NULL, "csv", "DIR", "numbers as CSV, a file for each graph",
	  .completes = CLI_DIRECTORY, .writes = CLI_WRITES_FOLDER,
	  CLI_TEXT(struct watch_options, csv) },
	{ "T", "title", "TEXT", "title above all graphs", CLASSIC,
	  CLI_TEXT(struct watch_options, title) },
	{ "w", "width", "PX", "width of a graph's plot (700)", CLASSIC,
	  .min = SIDE_MIN, .max = SIDE_MAX,
	  CLI_UINT(struct watch_options, width) },
	{ "h", "height", "PX", "height of a graph's plot (250)", CLASSIC,
	  .min = SIDE_MIN, .max = SIDE_MAX,
	  CLI_UINT(struct watch_options, height) },
	{ "c", "columns", "N", "graphs side by side (1)", CLASSIC,
	  .min = 1, .max = COLUMNS_MAX,
	  CLI_UINT(struct watch_options, columns) },
	{ READING_OPTION(struct watch_options, no_progress) },
};

const struct cli_program watch_program = {
	.name = "iowatcher",
	.usage = "[OPTION]... -t NAME\n[OPTION]... -F FILE\n"
		 "[OPTION]... -d DEV [-p PROGRAM [ARGUMENT]...]\n"
		 "[OPTION]... DEVICE...",
	.purpose = "Draw graphs and movies of traces.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.examples =
		"iowatcher -t sda -o sda.svg        of sda.blktrace.*\n"
		"iowatcher -t before -l before -t after -l after -O latency\n"
		"iowatcher -d /dev/sda -o dd.svg -p dd if=/dev/sda"
		" of=/dev/null\n",
	.status = "0; 1 if something could not be read or written, the trace"
		  " is damaged, or nothing is left to draw.",
	.section = 1,
	.version_letters = "V",
	.help_classic = true,
	.ordered = true,
};

/* 1.3.0: what is traced is called so, and the picture */
static const char TRACED[] = "trace", PICTURE[] = "trace.svg";

/* what is captured for this picture alone */
static void add_operands(struct watch_options *o, int count, char **words)
{
	if (o->device_count || o->traces.count ||
	    !captured_is_device(words[0]))
		cli_usage_error(&watch_program, "Extra arguments '%s'... (and --prog"
				" not specified)", words[0]);
	if (o->directory)
		msg_die("-D is for -d; --keep=DIR/ keeps the trace of %s in"
			" DIR", words[0]);
	o->captures = true;
	for (int i = 0; i < count; i++)
		add_trace(o, words[i]);
}

/* what is behind the options */
static void settle_program(struct watch_options *o, int count, char **words)
{
	if (!o->runs_program) {
		if (count)
			add_operands(o, count, words);
		return;
	}
	if (!count)
		cli_usage_error(&watch_program, "--prog or -p given but no program"
				" specified");
	if (!o->device_count)
		cli_usage_error(&watch_program, "-p: no device to trace: name"
				" one with -d");
	o->program = words;
}

static bool has_label(const struct watched_names *n)
{
	for (size_t i = 0; i < n->count; i++)
		if (n->list[i].label)
			return true;
	return false;
}

/* A page has graphs of its own, which these options do not change. */
static void check_graphs(const struct watch_options *o)
{
	const char *none = NULL;

	if (!o->html || watch_options_graphs(o))
		return;
	if (o->logs.count)
		none = "-F";
	else if (has_label(&o->traces))
		none = "-l";
	else if (o->graphs != GRAPHS_ALL)
		none = o->only ? "-O" : "-N";
	else if (o->sectors.low || o->sectors.high != UINT64_MAX)
		none = "-y";
	else if (o->action || o->per_process)
		none = o->action ? "-a" : "-P";
	else if (o->rolling)
		none = "-r";
	else if (o->width != WIDTH || o->height != HEIGHT || o->columns != 1)
		none = "-w, -h and -c";
	if (none)
		msg_die("%s: no effect on the page of --html; add -o, --json or"
			" --csv", none);
}

/* The page and the graphs each read the traces. */
static void settle_page(const struct watch_options *o)
{
	if (o->html && !o->traces.count)
		cli_usage_error(&watch_program, "--html needs a trace: name one with"
				" -t");
	if (!o->html && o->size)
		msg_die("--size needs --html");
	for (size_t i = 0; o->html && watch_options_graphs(o) &&
	     i < o->traces.count; i++)
		if (location_is_pipe(o->traces.list[i].path))
			msg_die("%s: a pipe can be read only once: for --html"
				" or for graphs", o->traces.list[i].path);
}

bool watch_options_graphs(const struct watch_options *o)
{
	return o->output || o->json || o->csv;
}

void watch_options_parse(struct watch_options *o, int argc, char **argv)
{
	int first;

	*o = (struct watch_options){
		.title = "",
		.graphs = GRAPHS_ALL,
		.width = WIDTH,
		.height = HEIGHT,
		.columns = 1,
		.time = { 0, UINT64_MAX },
		.sectors = { 0, UINT64_MAX },
	};
	o->command = cli_command(argc, argv);
	first = cli_parse(&watch_program, o, argc, argv);
	settle_program(o, argc - first, argv + first);
	if (!o->output && (o->movie || (!o->html && !o->json && !o->csv)))
		o->output = PICTURE;
	if (o->device_count && !o->traces.count)
		add_name(&o->traces, TRACED);
	if (!o->traces.count && !o->logs.count)
		cli_usage_error(&watch_program, "No traces found, exiting");
	if (!o->graphs)
		msg_die("no graph left to draw");
	settle_page(o);
	check_graphs(o);
	if (!o->size)
		o->size = CLI_SIZE_USUAL;
}

void watch_options_free(struct watch_options *o)
{
	captured_free(&o->captured);
	free(o->command);
	free(o->traces.list);
	free(o->devices);
	free(o->logs.list);
}

enum { BINS_MIN = 256 };

/* At least four times the plot's bins, so that some of them make one of nearly
 * the wanted length. */
unsigned int watch_options_bins(const struct watch_options *o)
{
	unsigned int bins = BINS_MIN;

	while (bins < 4 * o->width)
		bins *= 2;
	return bins;
}
