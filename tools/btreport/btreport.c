/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btreport: a page of traces, in one file that opens in any browser.
 *
 * Takes joined ios from request/ios, gathers what a page shows, and writes it.
 * Manual: doc/btreport.1.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/hint.h"
#include "base/limit.h"
#include "base/msg.h"
#include "base/opener.h"
#include "base/time.h"
#include "blktrace.h"
#include "cli/captured.h"
#include "cli/clocks.h"
#include "cli/command.h"
#include "cli/confined.h"
#include "cli/options.h"
#include "cli/outfile.h"
#include "cli/reading.h"
#include "cli/threads.h"
#include "cli/reason.h"
#include "cli/set.h"
#include "cli/traces.h"
#include "cli/version.h"
#include "compare/comparison.h"
#include "compare/side.h"
#include "emit/cells.h"
#include "emit/csv.h"
#include "expr/filter.h"
#include "file/location.h"
#include "report/gathering.h"
#include "report/html.h"
#include "report/making.h"
#include "report/meta.h"
#include "report/pair.h"
#include "report/pair_meta.h"
#include "report/remarks.h"
#include "report/report.h"
#include "report/sheets.h"
#include "run/device.h"
#include "run/host.h"
#include "run/host_clocks.h"
#include "run/reader.h"
#include "run/window.h"
#include "stat/measure.h"

/* --- options -------------------------------------------------------------- */

struct btreport_options {
	const char **inputs;	/* in the order they were given */
	const char *directory;	/* of a capture; or NULL */
	struct captured captured;	/* of devices among the inputs */
	struct host_wishes hosts;	/* --shift, --align */
	size_t input_count;	/* at least 1 */
	bool compare;		/* exactly 2, beside each other */
	const char *output;	/* "-": standard output */
	char *made_output;	/* it, if it was made of an input's name */
	const char *json;	/* --json, or NULL */
	const char *csv;	/* --csv: a directory, or NULL */
	const char *title;	/* -t, or NULL */
	const char *theme;	/* --theme, or NULL: the system's */
	struct gathering_options of;	/* -w, --size, and of -d: */
	const char **devices;	/* the same, ours */
	char *device_text;	/* what these are parts of */
	char *command;		/* the line itself */
	bool no_progress;
	unsigned int threads;	/* 0: as fits */
	struct opener opener;	/* makes outputs; main's to set */
};

static const char **add(const char **list, size_t *count, const char *text)
{
	list = array_resize(list, *count + 1, sizeof(*list));
	if (!list)
		msg_die("out of memory");
	list[(*count)++] = text;
	return list;
}

/* --cache, of gathering_options */
static void set_cache(void *of, const char *policy)
{
	struct gathering_options *o = of;

	o->cache = true;
	o->fifo = policy && !strcmp(policy, "s3fifo");
}

static void add_input(void *options, const char *name)
{
	struct btreport_options *o = options;

	o->inputs = add(o->inputs, &o->input_count, name);
}

/* names of devices, parted by commas; of several -d the last counts */
static void set_devices(void *options, const char *text)
{
	struct btreport_options *o = options;
	char *rest, *name;

	free(o->device_text);
	o->of.device_count = 0;
	o->device_text = strdup(text);
	if (!o->device_text)
		msg_die("out of memory");
	for (name = strtok_r(o->device_text, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest))
		o->devices = add(o->devices, &o->of.device_count, name);
	o->of.devices = o->devices;
	if (!o->of.device_count)
		msg_die("-d: no device given");
}

#define AT(field) .at = offsetof(struct btreport_options, field)

static const struct cli_option rows[] = {
	{ "w", "stopwatch", "SPAN",
	  "only I/Os that complete in this window, in seconds: END or"
	  " START:END; a DEVICE is captured up to END",
	  .group = "Contents", .set = cli_set_window, AT(of.window) },
	{ "d", "devices", "DEV[,...]",
	  "only these devices, by name or number (254:0)",
	  .set = set_devices },
	{ CAPTURED_KEEP(struct btreport_options, captured) },
	{ CLOCKS_SHIFT(struct btreport_options, hosts) },
	{ CLOCKS_ALIGN(struct btreport_options, hosts) },
	{ "t", "title", "TITLE", "title of the page",
	  CLI_TEXT(struct btreport_options, title) },
	{ NULL, "capacity", NULL,
	  "also what each device can do: throughput and latency by depth",
	  CLI_FLAG(struct btreport_options, of.capacity) },
	{ NULL, "cache", "[lru|s3fifo]",
	  "also what a cache in front of each device would serve, by its size;"
	  " s3fifo: also by S3-FIFO",
	  .set = set_cache, AT(of) },
	{ NULL, "compare", NULL,
	  "compare two traces, A and B, on one page",
	  CLI_FLAG(struct btreport_options, compare) },
	{ NULL, "size", "BYTES",
	  "limit of the page's data (4M); a larger page shows more detail",
	  .set = cli_set_size, AT(of.size) },

	{ "o", "output", "FILE",
	  "write the page to FILE, - for standard output (the first trace's"
	  " name with .html, of two with -compared.html)",
	  .group = "Output", .completes = CLI_FILE, .writes = CLI_WRITES_FILE,
	  CLI_TEXT(struct btreport_options, output) },
	{ NULL, "json", "FILE", "also write the page's numbers to FILE",
	  .completes = CLI_FILE, .writes = CLI_WRITES_FILE,
	  CLI_TEXT(struct btreport_options, json) },
	{ NULL, "csv", "DIR",
	  "also write its tables and sums over time to DIR, as CSV",
	  .completes = CLI_DIRECTORY, .writes = CLI_WRITES_FOLDER,
	  CLI_TEXT(struct btreport_options, csv) },
	{ NULL, "theme", "light|dark",
	  "colour theme (the setting of the reader's system)",
	  CLI_TEXT(struct btreport_options, theme) },
	{ THREADS_OPTION(struct btreport_options, threads) },
	{ READING_OPTION(struct btreport_options, no_progress) },
};

static const struct cli_program program = {
	.name = "btreport",
	.usage = "[OPTION]... NAME...\n[OPTION]... DEVICE...\n"
		 "[OPTION]... --compare A B",
	.purpose = "Write traces as one HTML file for any browser: findings,"
		   " tables, and graphs to zoom and select in.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_TRACE,
	.operand = add_input,
	.examples =
		"btreport -w 5 /dev/sda          sda.html of the next 5 s (10)\n"
		"btreport -o slow.html -w 28:31 sda    of sda.blktrace.*\n"
		"btreport --compare before after -o both.html\n",
	.status = "0; 1 if something could not be read or written, or the trace"
		  " is damaged.",
	.section = 1,
	.version_letters = "V",
};

/* the name without what a trace's files and folders end with */
static size_t stem_of(const char *name)
{
	const char *ending = strstr(name, ".blktrace.");
	size_t len = ending && ending != name ? (size_t)(ending - name) :
						strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	return len;
}

static void set_output(struct btreport_options *o)
{
	const char *name = o->inputs[0];

	if (o->output)
		return;
	if (location_is_pipe(name) && !strcmp(name, "-"))
		msg_die("standard input gives the page no name: use -o");
	if (asprintf(&o->made_output, "%.*s%s.html", (int)stem_of(name), name,
		     o->compare ? "-compared" : "") < 0)
		msg_die("out of memory");
	o->output = o->made_output;
}

static void check_compare(const struct btreport_options *o)
{
	if (o->input_count != 2)
		cli_usage_error(&program, "--compare takes two traces, A"
				" and B");
	if (o->csv)
		msg_die("--csv takes one run; for two, use btstat --compare"
			" --format=csv");
	if (o->of.cache || o->of.capacity)
		msg_die("--cache and --capacity take one run");
	if (!strcmp(o->inputs[0], "-") && !strcmp(o->inputs[1], "-"))
		msg_die("standard input can be read only once");
}

/* fills *o; does not return from mistakes, --help and such */
static void btreport_options_parse(struct btreport_options *o, int argc,
				   char **argv)
{
	*o = (struct btreport_options){ .of = {
		.window = WINDOW_ALL, .size = CLI_SIZE_USUAL,
	} };
	o->command = cli_command(argc, argv);
	cli_parse(&program, o, argc, argv);
	if (!o->input_count)
		cli_usage_error(&program, "no input is named");
	if (o->compare)
		check_compare(o);
}

/* devices that are named; then the inputs are traces */
static void capture(struct btreport_options *o)
{
	captured_take(&o->captured, &(struct captured_operands){
		.names = o->inputs, .count = o->input_count,
		.directory = &o->directory, .window = &o->of.window,
		.progress = !o->no_progress,
	});
}

/* the output, by the traces' names */
static void btreport_options_settle(struct btreport_options *o)
{
	set_output(o);
	if (o->json && !strcmp(o->json, o->output))
		msg_die("--json and -o name the same file");
}

static void btreport_options_free(struct btreport_options *o)
{
	captured_free(&o->captured);
	clocks_free(&o->hosts);
	free(o->inputs);
	free(o->devices);
	free(o->device_text);
	free(o->made_output);
	free(o->command);
}

/* --- sides ---------------------------------------------------------------- */

/* The traces of a page, read; with --compare each side by itself. */

enum { SIDE_GO_ON, SIDE_STOP, SIDE_STOP_NOW };	/* values of *stop */

enum { SIDE_MEASURES = 2 };	/* compared ones: Q2C, D2C */

static const unsigned int side_measures[SIDE_MEASURES] = {
	MEASURE_Q2C, IO_D2C
};

struct side {
	const char *directory;	/* or NULL; the caller's, as is all up to */
	const char *const *names;
	size_t count;
	struct gathering_options of;
	const struct host_wishes *hosts;	/* run/host_clocks.h */
	bool progress;
	unsigned int threads;	/* 0: as fits */
	const volatile sig_atomic_t *stop;
	enum compare_side nr;	/* and if it is compared, a comparison for each
				 * measure: */
	struct comparison *const *comparisons;	/* or NULL */

	struct traces in;
	struct gathering gathering;	/* ended */
	uint64_t stopped;	/* when a signal was seen, or 0 */
	bool live;		/* an input is a pipe */
};

/* devices that a message lists, and bytes of a name in it */
enum { LISTED = 20, NAME_SHOWN = 256 };

/* how long a pipe may take to end by itself, when a signal ends the reading */
#define LAST_WORDS NS_PER_SECOND

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

static void on_damage(void *side, const struct damage *d)
{
	gathering_add_damage(&((struct side *)side)->gathering, d);
}

static void open_input(struct side *s)
{
	const struct traces_options reading = {
		.directory = s->directory,
		.names = s->names,
		.count = s->count,
		.window = s->of.window,
		.progress = s->progress,
		.damage = on_damage,
		.ctx = s,
		.hosts = s->hosts,
		.ahead = true,
		.threads = s->threads,
	};

	if (!traces_open(&s->in, &reading))
		exit(1);
	for (size_t i = 0; i < s->count; i++)
		s->live |= location_is_pipe(s->names[i]);
	check(gathering_init(&s->gathering, &s->of, s->in.ios));
}

/* A terminal's signal goes to the pipe's writer, too, which still has to tell
 * how it ended. */
static COLD bool is_over(struct side *s)
{
	if (!s->live || *s->stop == SIDE_STOP_NOW)
		return true;
	if (!s->stopped)
		s->stopped = time_now();
	return time_now() - s->stopped > LAST_WORDS;
}

/* the ios that btstat --compare takes */
static void compare(struct side *s, const struct io *io)
{
	uint64_t ns;

	if (!io_completed(io) || io->gap || !gathering_has(&s->gathering, io) ||
	    !filter_is_unit(false, io))
		return;
	for (unsigned int i = 0; i < SIDE_MEASURES; i++)
		if (measure_get(io, side_measures[i], &ns))
			check(comparison_io(s->comparisons[i], s->nr, 0, io,
					    ns));
}

static void take_io(struct side *s, const struct io *io)
{
	check(gathering_add(&s->gathering, io));
	if (s->comparisons)
		compare(s, io);
}

static void read_ios(struct side *s)
{
	const struct io *io;

	while (LIKELY(!*s->stop) || !is_over(s) || traces_left(&s->in)) {
		int got = traces_next_io(&s->in, &io);

		if (LIKELY(got == 1)) {
			take_io(s, io);
		} else if (!got) {
			return;
		} else if (got != -EINTR && got != -EAGAIN) {
			exit(1);
		}
	}
}

/* Reads all of it; *s must not move.  Reports faults; ends the program if a
 * name means nothing. */
static void side_read(struct side *s)
{
	open_input(s);
	read_ios(s);
	reading_end(&s->in.reading);
	check(gathering_end(&s->gathering));
}

/* --- devices -------------------------------------------------------------- */

static const struct devices *devices_of(const struct side *s)
{
	return reader_devices(s->in.reader);
}

static void print_device(FILE *out, const char *comma, const struct device *d)
{
	char shown[NAME_SHOWN];

	if (d->label)
		escape_text(shown, sizeof(shown), d->label, strlen(d->label));
	else
		snprintf(shown, sizeof(shown), "%u:%u", BLK_MAJOR(d->number),
			 BLK_MINOR(d->number));
	fprintf(out, "%s%s", comma, shown);
}

/* whether a device of this side, before end, is called label */
static bool has_label(const struct side *s, uint32_t end, const char *label)
{
	const struct devices *d = devices_of(s);

	for (uint32_t k = 0; k < end && k < d->count; k++)
		if (d->list[k]->label && !strcmp(d->list[k]->label, label))
			return true;
	return false;
}

/* whether device nr of side i has been listed by its name */
static bool is_repeated(const struct side *sides, unsigned int i, uint32_t nr)
{
	const char *label = devices_of(&sides[i])->list[nr]->label;
	bool repeated = label && has_label(&sides[i], nr, label);

	for (unsigned int k = 0; label && k < i; k++)
		repeated |= has_label(&sides[k], UINT32_MAX, label);
	return repeated;
}

/* "sda, sdb" of all sides, the first of many; the caller's, NULL: no memory */
static char *list_devices(const struct side *sides, unsigned int count)
{
	char *text = NULL;
	size_t len, found = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	for (unsigned int i = 0; i < count; i++) {
		const struct devices *d = devices_of(&sides[i]);

		for (uint32_t k = 0; k < d->count; k++)
			if (!is_repeated(sides, i, k) && found++ < LISTED)
				print_device(out, found > 1 ? ", " : "",
					     d->list[k]);
	}
	if (found > LISTED)
		fprintf(out, " and %zu more", found - LISTED);
	return fclose(out) ? NULL : text;
}

static bool is_known(const struct side *sides, unsigned int count, size_t nr)
{
	bool known = false;

	for (unsigned int i = 0; i < count; i++)
		known |= gathering_knows(&sides[i].gathering, nr);
	return known;
}

/* Whether one of -d's devices is in one of these sides; else prints the unknown
 * and the recorded ones.  True without -d, and for sides without any device,
 * such as an empty pipe. */
static bool sides_know_devices(const struct side *sides, unsigned int count)
{
	const struct gathering_options *of = &sides->of;
	char *list = list_devices(sides, count);
	size_t known = 0;

	for (size_t i = 0; i < of->device_count && list && *list; i++)
		if (is_known(sides, count, i))
			known++;
		else
			msg_warn("-d %s: no such device; recorded: %s",
				 of->devices[i], list);
	if (list && !*list)
		known = of->device_count;
	free(list);
	return known || !of->device_count;
}

static void side_free(struct side *s)
{
	gathering_free(&s->gathering);
	traces_close(&s->in);
}

/* --- pages ---------------------------------------------------------------- */

enum { PAGE_HOST_MAX = 256 };

/* a side of two, which is ready for its page */
struct page_side {
	struct making making;
	char host[PAGE_HOST_MAX];
	char *input;
};

enum { OUT_SIZE = 65536, TITLE_MAX = 768, REASON_SHOWN = 700 };

/* --- files ---------------------------------------------------------------- */

typedef void write_page(const void *page, struct buf *b);

/* whether all went well; else it has been reported */
static bool write_file(const struct btreport_options *o, const char *name,
		       const void *page, write_page *write)
{
	bool is_stdout = !strcmp(name, "-");
	struct outfile out;

	if (is_stdout)
		outfile_open(&out, NULL, OUT_SIZE);
	else if (!outfile_open_whole(&out, &o->opener, name, OUT_SIZE))
		return false;
	write(page, &out.buf);
	outfile_flush(&out, is_stdout ? "" : ", it is not written");
	return outfile_close(&out);
}

static bool write_sheet(const struct btreport_options *o, enum sheet sheet,
			const struct report_page *page)
{
	struct outfile out;
	char *name;
	bool good;

	if (asprintf(&name, "%s/%s.csv", o->csv, sheet_name(sheet)) < 0)
		msg_die("out of memory");
	good = outfile_open_whole(&out, &o->opener, name, OUT_SIZE);
	if (good) {
		check(sheet_write(sheet, page, &csv_ops, &out.buf));
		outfile_flush(&out, ", it is not written");
		good = outfile_close(&out);
	}
	free(name);
	return good;
}

/* a directory that is there, or is made */
static bool write_sheets(const struct btreport_options *o,
			 const struct report_page *page)
{
	bool good = true;

	if (opener_mkdir(&o->opener, o->csv, 0777) && errno != EEXIST) {
		msg_warn("%s: %s", o->csv, strerror(errno));
		return false;
	}
	for (unsigned int i = 0; i < SHEETS; i++)
		good &= write_sheet(o, i, page);
	return good;
}

/* --- one run -------------------------------------------------------------- */

static void write_html(const void *page, struct buf *b)
{
	report_html_write(page, b);
}

static void write_meta(const void *page, struct buf *b)
{
	report_meta_write(page, b, false);
}

/* Traces of a flight recorder, which are no captures of ours, say why they were
 * written. */
static void add_reasons(struct report_remarks *to, const struct side *s)
{
	for (size_t i = 0; !s->directory && i < s->count; i++) {
		char reason[REASON_TEXT];
		struct remark *one = NULL;

		if (reason_read(s->names[i], reason))
			one = remarks_add(to, REMARK_NOTE);
		if (!one)
			continue;
		snprintf(one->head, sizeof(one->head),
			 "Written by a flight recorder");
		snprintf(one->text, sizeof(one->text), "Its trigger was %.*s.",
			 REASON_SHOWN, reason);
	}
}

static void make(struct page_side *p, const struct btreport_options *o,
		 const struct side *s)
{
	struct making_options making = {
		.title = o->title, .host = p->host,
		.program = "btreport " SUITE_VERSION, .command = o->command,
		.theme = o->theme, .of_pair = o->compare,
	};
	int err;

	p->host[0] = '\0';
	/* a trace that is removed can be the input of no other command */
	p->input = cli_words(s->directory ? 0 : s->count, s->names);
	making.input = p->input;
	check(host_of_collector(p->host, sizeof(p->host), s->directory,
				s->names[0]));
	err = making_init(&p->making, &s->gathering, &making);
	if (err == -ENOSPC)
		msg_die("--size: too small for the devices and processes of"
			" this trace");
	check(err);
}

static void page_side_free(struct page_side *p)
{
	making_free(&p->making);
	free(p->input);
}

/* What was asked for of one side, which loses what there is no room for;
 * whether all went well, else it has been reported. */
static bool pages_write(const struct btreport_options *o, const struct side *s)
{
	struct page_side p;
	bool good;

	make(&p, o, s);
	add_reasons(&p.making.remarks, s);
	good = write_file(o, o->output, &p.making.page, write_html);
	if (o->json)
		good &= write_file(o, o->json, &p.making.page, write_meta);
	if (o->csv)
		good &= write_sheets(o, &p.making.page);
	page_side_free(&p);
	return good;
}

/* --- two ------------------------------------------------------------------ */

static void write_pair_html(const void *pair, struct buf *b)
{
	pair_html_write(pair, b);
}

static void write_pair_meta(const void *pair, struct buf *b)
{
	pair_meta_write(pair, b, false);
}

/* *p stays where it is; the side loses what the page does not need */
static void pages_make_side(struct page_side *p,
			    const struct btreport_options *o,
			    const struct side *s)
{
	make(p, o, s);
	report_drop(s->gathering.report);
}

static void add_remarks(const struct side *s, struct page_side *p)
{
	for (unsigned int i = 0; i < COMPARE_SIDES; i++) {
		making_remark(&p[i].making, &s[i].gathering, &s[!i].gathering);
		add_reasons(&p[i].making.remarks, &s[i]);
		pair_note_absent(&p[i].making.remarks, &p[i].making.page,
				 &p[!i].making.page);
	}
}

static void fill_pair(struct report_pair *pair, const struct side *s,
		      const struct page_side *p,
		      struct comparison *const *comparisons)
{
	for (unsigned int i = 0; i < COMPARE_SIDES; i++) {
		pair->side[i] = &p[i].making.page;
		pair->name[i] = s[i].names[0];
	}
	for (unsigned int i = 0; i < SIDE_MEASURES; i++)
		comparison_get(comparisons[i], &pair->verdicts[i].o,
			       &pair->verdicts[i].result);
	check(pair_init(pair));
}

/* As pages_write() of two of these, which it frees, and comparisons of
 * side_measures, which have ended. */
static bool pages_write_pair(const struct btreport_options *o,
			     const struct side *s, struct page_side *p,
			     struct comparison *const *comparisons)
{
	char title[TITLE_MAX];
	struct report_pair pair = { .title = o->title ? o->title : title };
	bool good;

	snprintf(title, sizeof(title), "%s and %s", s[COMPARE_A].names[0],
		 s[COMPARE_B].names[0]);
	add_remarks(s, p);
	fill_pair(&pair, s, p, comparisons);
	good = write_file(o, o->output, &pair, write_pair_html);
	if (o->json)
		good &= write_file(o, o->json, &pair, write_pair_meta);
	pair_free(&pair);
	for (unsigned int i = 0; i < COMPARE_SIDES; i++)
		page_side_free(&p[i]);
	return good;
}

/* --- btreport ------------------------------------------------------------- */

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = stop == SIDE_GO_ON ? SIDE_STOP : SIDE_STOP_NOW;
}

/* Ends the reading, not the program: the page is still made. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGHUP, SIGTERM };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

/* whether all went well */
static bool report(const struct btreport_options *o)
{
	struct side s = {
		.directory = o->directory, .names = o->inputs,
		.count = o->input_count, .of = o->of,
		.progress = !o->no_progress, .threads = o->threads,
		.stop = &stop,
		.hosts = &o->hosts,
	};
	bool good;

	side_read(&s);
	good = sides_know_devices(&s, 1) && pages_write(o, &s);
	side_free(&s);
	return good && !s.in.damaged;
}

/* --- --compare ------------------------------------------------------------ */

struct comparisons {
	struct comparison *list[SIDE_MEASURES];
	char phases[SIDE_MEASURES][16];
};

static void begin(struct comparisons *c, const struct btreport_options *o)
{
	for (unsigned int i = 0; i < SIDE_MEASURES; i++) {
		const struct comparison_options of = {
			.compare = { .runs = { 1, 1 } },
			.phase = c->phases[i],
			.name = { o->inputs[0], o->inputs[1] },
		};

		cell_measure_name(side_measures[i], c->phases[i]);
		check(comparison_new(&c->list[i], &of));
	}
}

/* The data of both has to fit where else one has. */
static struct side side_of(const struct btreport_options *o,
			   const struct comparisons *c, unsigned int nr)
{
	struct side s = {
		.directory = o->directory, .names = &o->inputs[nr],
		.count = 1, .of = o->of,
		.progress = !o->no_progress, .threads = o->threads,
		.stop = &stop, .nr = nr,
		.hosts = &o->hosts,
		.comparisons = c->list,
	};

	s.of.size = o->of.size / COMPARE_SIDES;
	return s;
}

static bool report_pair(const struct btreport_options *o)
{
	struct side s[COMPARE_SIDES];
	struct page_side p[COMPARE_SIDES];
	struct comparisons c;
	bool good;

	begin(&c, o);
	for (unsigned int i = 0; i < COMPARE_SIDES; i++) {
		s[i] = side_of(o, &c, i);
		side_read(&s[i]);
		pages_make_side(&p[i], o, &s[i]);
	}
	if (!sides_know_devices(s, COMPARE_SIDES))
		exit(1);
	for (unsigned int i = 0; i < SIDE_MEASURES; i++)
		check(comparison_end(c.list[i]));
	good = pages_write_pair(o, s, p, c.list);
	for (unsigned int i = 0; i < COMPARE_SIDES; i++) {
		side_free(&s[i]);
		good &= !s[i].in.damaged;
	}
	for (unsigned int i = 0; i < SIDE_MEASURES; i++)
		comparison_free(c.list[i]);
	return good;
}

static void confine(struct btreport_options *o)
{
	o->opener = confined_enter(&(struct confined){
		.traces = { .directory = o->directory, .names = o->inputs,
			    .count = o->input_count },
		.program = &program, .options = o,
	});
}

int main(int argc, char **argv)
{
	struct btreport_options o;
	bool good;

	msg_guard_fds();
	btreport_options_parse(&o, argc, argv);
	capture(&o);
	btreport_options_settle(&o);
	catch_signals();
	limit_open_files();
	confine(&o);
	good = o.compare ? report_pair(&o) : report(&o);
	btreport_options_free(&o);
	return !good;
}
