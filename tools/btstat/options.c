/* SPDX-License-Identifier: GPL-2.0-only */
/* btstat's command line; see options.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "act_mask.h"
#include "base/array.h"
#include "base/look.h"
#include "base/msg.h"
#include "base/time.h"
#include "cache/cache.h"
#include "cli/captured.h"
#include "cli/clocks.h"
#include "cli/options.h"
#include "cli/outfile.h"
#include "cli/reading.h"
#include "cli/set.h"
#include "cli/threads.h"
#include "cli/where.h"
#include "expr/error.h"
#include "expr/expr.h"
#include "expr/filter.h"
#include "findings/words.h"
#include "stat/measure.h"
#include "tools/btstat/notable.h"
#include "tools/btstat/options.h"
#include "tools/btstat/saver.h"

enum { TOP_MAX = 1000000, BLOCK_BITS = 12 };

static void add_input(void *options, const char *name)
{
	struct stat_options *o = options;
	const char **inputs = array_resize(o->inputs,
					   (size_t)o->input_count + 1,
					   sizeof(*inputs));

	if (!inputs)
		msg_die("out of memory");
	o->inputs = inputs;
	inputs[o->input_count++] = name;
}

/* --- categories ----------------------------------------------------------- */

static void check_mask(uint32_t mask, const char *text)
{
	if (mask & ~FILTER_KINDS)
		msg_die("%s: btstat counts kinds of I/Os, not their steps,"
			" which it needs all to join events into I/Os",
			text);
}

static void add_category(void *mask, const char *name)
{
	cli_add_mask(mask, name);
	check_mask(*(uint32_t *)mask, name);
}

static void set_categories(void *mask, const char *hex)
{
	cli_set_mask(mask, hex);
	check_mask(*(uint32_t *)mask, hex);
}

/* the n-th category, in lower case */
static const char *category(unsigned int nr)
{
	static const char *const names[] = { "read", "write", "flush", "sync",
					     "pc", "ahead", "meta", "discard",
					     "fua", NULL };

	return names[nr];
}

static void set_where(void *options, const char *text)
{
	struct stat_options *o = options;
	struct expr_error why;
	char shown[WHERE_MAX];
	int err;

	expr_free(o->where);
	o->where_text = text;
	err = expr_compile(&o->where, text, &why);
	if (err == -ENOMEM)
		msg_die("out of memory");
	if (!err)
		return;
	where_text(shown, "--where", text, why.at, why.phrase);
	msg_die("%s", shown);
}

static void set_explain(void *options, const char *rule)
{
	struct stat_options *o = options;

	o->explain = true;
	o->rule = rule ? notable_rule(rule) : -1;
}

static const char *rule_word(unsigned int nr)
{
	return nr < FINDING_RULES ?
	       finding_rule_name((enum finding_rule)nr) : NULL;
}

static void set_between(void *between, const char *text)
{
	if (!strchr(text, ','))
		msg_die("--between takes two marks, A,B: to the end of the"
			" trace it is A, and from its beginning ,B");
	*(const char **)between = text;
}

/* --- the table ------------------------------------------------------------ */

static void set_per(void *per_request, const char *text)
{
	*(bool *)per_request = !strcmp(text, "request");
}

static void set_format(void *format, const char *text)
{
	*(enum stat_format *)format = !strcmp(text, "csv") ? STAT_CSV :
				      !strcmp(text, "json") ? STAT_JSON :
							      STAT_TEXT;
}

static const char *measure_word(unsigned int nr)
{
	return nr < MEASURES ? measure_name(nr) : NULL;
}

static void set_policy(void *policy, const char *text)
{
	*(enum stat_cache *)policy = text && !strcmp(text, "s3fifo") ?
		STAT_CACHE_S3FIFO : STAT_CACHE_LRU;
}

static void set_capacity(void *options, const char *latency)
{
	struct stat_options *o = options;

	o->capacity = true;
	o->capacity_target = 0;
	if (latency)
		decimal_set_time(&o->capacity_target, latency);
}

/* the bits of a power of two */
static void set_block(void *bits, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);
	unsigned int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
	unsigned long bytes = n < 1 << 21 ? n << shift : 0;

	end += shift != 0;
	if (*end || !bytes || bytes & (bytes - 1) ||
	    bytes < 1ul << CACHE_BITS_MIN || bytes > 1ul << CACHE_BITS_MAX)
		msg_die("--block=%s: a power of two, from 512 to 1M", text);
	*(unsigned int *)bits = (unsigned int)__builtin_ctzl(bytes);
}

/* "commit" is no key of I/Os, and stands alone. */
static void set_by(void *options, const char *text)
{
	struct stat_options *o = options;

	o->commits = !strcmp(text, "commit");
	if (o->commits)
		o->by.count = 0;
	else
		lists_set_keys(&o->by, text);
}

static const char *by_word(unsigned int nr)
{
	return nr ? group_key_word(nr - 1) : "commit";
}

#define AT(field) .at = offsetof(struct stat_options, field)

#define FIRST_KEY(name, word, ...) word
#define NEXT_KEY(name, word, ...) ", " word

static const struct cli_option rows[] = {
	{ "i", "input", "NAME",
	  "device (its NAME.blktrace.* files), directory, dump, FIFO, or - for"
	  " standard input; the same as an operand",
	  .group = "What is read", .completes = CLI_TRACE, .set = add_input },
	{ "D", "input-directory", "DIR", "put DIR/ in front of names",
	  .completes = CLI_DIRECTORY,
	  CLI_TEXT(struct stat_options, directory) },
	{ CAPTURED_KEEP(struct stat_options, captured) },
	{ CLOCKS_SHIFT(struct stat_options, hosts) },
	{ CLOCKS_ALIGN(struct stat_options, hosts) },

	{ "w", "stopwatch", "SPAN",
	  "I/Os that complete in this span, in seconds: END or START:END; a"
	  " DEVICE is captured up to END",
	  .group = "What is counted", .set = cli_set_window, AT(window) },
	{ NULL, "between", "A,B",
	  "I/Os that complete from mark A to mark B (blktrace --mark)",
	  .set = set_between, AT(between) },
	{ "a", "act-mask", "CATEGORY",
	  "I/Os of this category only: read, write, sync, ...; add more with"
	  " more -a",
	  .word = category, .set = add_category, AT(mask) },
	{ "A", "set-mask", "HEX", "the same as a mask in hexadecimal",
	  .set = set_categories, AT(mask) },
	{ NULL, "where", "EXPR",
	  "I/Os of which this is true, such as 'op==read && q2c>5ms'",
	  .set = set_where },
	{ NULL, "per", "io|request",
	  "count I/Os, which callers wait for (io), or requests, which the"
	  " device sees",
	  .set = set_per, AT(per_request) },

	{ NULL, "by", "KEY[,...]",
	  "a row for each " GROUP_KEY_ROWS(FIRST_KEY, NEXT_KEY)
	  "; or commit: what fsync and its kind waited for",
	  .group = "What is shown", .word = by_word, .set = set_by },
	{ NULL, "phases", "PHASE[,...]",
	  "these phases: q2c, its parts, g2c (iostat's await), q2d",
	  .word = measure_word, .set = lists_set_measures, AT(measures) },
	{ NULL, "percentiles", "P[,...]", "these percentiles (50,90,99,99.9)",
	  .set = lists_set_percentiles, AT(percentiles) },
	{ NULL, "under", "TIME[,...]",
	  "the share of I/Os that took less than TIME",
	  .set = lists_set_times, AT(under) },
	{ NULL, "interval", "TIME",
	  "a row for each interval of time, as soon as it is over; with --by:"
	  " and for each key",
	  .set = decimal_set_time, AT(interval) },
	{ NULL, "histogram", "[PHASE]",
	  "how often which time came, in place of the phases (q2c)",
	  .word = measure_word, .set = lists_set_measure, AT(histogram) },
	{ NULL, "heatmap", "[PHASE]",
	  "which times came when, in place of the phases (q2c)",
	  .word = measure_word, .set = lists_set_measure, AT(heatmap) },
	{ NULL, "cache", "[lru|s3fifo]",
	  "which share of reads and writes a cache would serve, by its size, in"
	  " place of the phases (lru); s3fifo: also by that policy",
	  .set = set_policy, AT(cache) },
	{ NULL, "block", "SIZE", "with --cache: of blocks of this size (4K)",
	  .set = set_block, AT(block_bits) },
	{ NULL, "capacity", "[LATENCY]",
	  "throughput and latency by depth, from where more only waits, and what"
	  " is left, in place of the phases; LATENCY: until 1% take longer",
	  .set = set_capacity },
	{ NULL, "marks", NULL, "all marks and when they were set",
	  CLI_FLAG(struct stat_options, marks) },
	{ NULL, "top", "N", "the N slowest I/Os, a line each",
	  .min = 1, .max = TOP_MAX, CLI_UINT(struct stat_options, top) },
	{ NULL, "order", "PHASE", "with --top: slowest in this phase (total)",
	  .word = measure_word, .set = lists_set_measure, AT(order) },
	{ NULL, "why", "ID",
	  "what I/O ID of --top waited for, and what was in flight meanwhile",
	  .min = 1, .max = INT64_MAX, CLI_U64(struct stat_options, why) },

	{ NULL, "compare", NULL,
	  "compare runs A (before --) with B (after --)",
	  CLI_FLAG(struct stat_options, compare) },
	{ NULL, "least", "P%", "with --compare: a change below this is the same",
	  .set = lists_set_share, AT(least) },
	{ NULL, "gate", NULL, "with --compare: status 3: B is slower; 4:"
	  " undecided",
	  CLI_FLAG(struct stat_options, gate) },
	{ NULL, "explain", "[RULE]",
	  "all findings; or a rule's evidence and its meaning",
	  .word = rule_word, .set = set_explain },

	{ "o", "output", "FILE", "write to FILE",
	  .group = "How it is shown", .completes = CLI_FILE,
	  .writes = CLI_WRITES_FILE,
	  CLI_TEXT(struct stat_options, output) },
	{ NULL, "save", "FILE",
	  "write the histograms, too, to read and merge later, with --interval"
	  " a set for each; gzip'd if FILE ends in .gz",
	  .completes = CLI_FILE, .writes = CLI_WRITES_FILE,
	  CLI_TEXT(struct stat_options, save) },
	{ NULL, "format", "text|csv|json", "text, or tables for programs",
	  .set = set_format, AT(format) },
	{ NULL, "width", "N", "columns of a line (the terminal's, or 80)",
	  .min = LOOK_MIN_WIDTH, .max = 1000,
	  CLI_UINT(struct stat_options, look.width) },
	{ NULL, "ascii", NULL, "no signs but ASCII",
	  CLI_FLAG(struct stat_options, look.ascii) },
	{ NULL, "color", LOOK_COLORS, "use colour (auto: on a terminal)",
	  CLI_TEXT(struct stat_options, look.color) },
	{ NULL, "strict", NULL, "status 1 unless all I/Os were measured",
	  CLI_FLAG(struct stat_options, strict) },
	{ THREADS_OPTION(struct stat_options, threads) },
	{ READING_OPTION(struct stat_options, no_progress) },
};

const struct cli_program stat_program = {
	.name = "btstat",
	.usage = "[OPTION]... NAME...\n[OPTION]... DEVICE...\n"
		 "--compare [OPTION]... A... -- B...",
	.purpose = "Tell how long I/O took, where, and for which process; and"
		   " how sure that is.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_TRACE,
	.operand = add_input,
	.examples =
		"btstat -w 5 /dev/sda            capture it for 5 s (10)\n"
		"btstat --by=process sda         of sda.blktrace.*\n"
		"btstat --compare before/ -- after/\n",
	.status = "0; 1 if something could not be read or written, or the trace"
		  " is damaged; with --strict also if not all I/Os were"
		  " measured; with --gate: 3 if B is slower, 4 if that is"
		  " undecided.",
	.section = 1,
	.version_letters = "V",
};

static bool is_series(const struct stat_options *o)
{
	return o->interval && !o->by.count && o->format != STAT_JSON;
}

/* Intervals alone are a series; with other keys, and in JSON, one more key. */
static void settle_interval(struct stat_options *o)
{
	static const enum group_key usual[] = { GROUP_INTERVAL, GROUP_DEVICE,
						GROUP_OP };
	bool alone = !o->by.count;

	o->intervals = o->interval;
	o->series = is_series(o);
	if (o->interval && !o->series && alone) {
		memcpy(o->by.keys, usual, sizeof(usual));
		o->by.count = 3;
	} else if (o->interval && !o->series) {
		lists_add_key(&o->by, GROUP_INTERVAL);
	}
	if (!o->interval)
		o->interval = NS_PER_SECOND;
}

/* the number of words after "--": side B of a comparison */
static int words_after(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return argc - 1 - i;
	return 0;
}

static void check_compare(struct stat_options *o, int b)
{
	if ((o->gate || o->least) && !o->compare)
		msg_die("--gate and --least are for --compare");
	if (!o->compare)
		return;
	o->runs_a = o->input_count - b;
	if (!b || o->runs_a < 1)
		cli_usage_error(&stat_program, "--compare needs names on both sides"
				" of --");
	if (o->explain || o->top || o->by.count || o->histogram >= 0 ||
	    o->heatmap >= 0 || o->under.count || o->strict || o->interval ||
	    o->marks || o->cache || o->capacity)
		msg_die("--compare has a table of its own: only -w, --between,"
			" -a, -A, --where, --per, --phases, --percentiles, --least,"
			" --gate, -o and --format go with it");
}

static bool needs_ios(const struct stat_options *o)
{
	return o->interval || o->top || o->between || o->marks || o->heatmap >= 0 || o->explain ||
	       o->cache || o->capacity ||
	       o->under.count || o->where || o->per_request ||
	       o->mask != UINT32_MAX || o->window.start ||
	       o->window.end != UINT64_MAX;
}

/* a window is given only once */
static void check_marks(const struct stat_options *o)
{
	bool windowed = o->window.start || o->window.end != UINT64_MAX;

	if (o->between && windowed)
		msg_die("-w and --between are two spans of time: one is"
			" enough");
	if (o->marks && (o->top || o->explain || o->histogram >= 0 ||
			 o->heatmap >= 0 || o->by.count || o->under.count ||
			 o->interval || o->save || o->cache || o->capacity))
		msg_die("--marks stands alone, with a span of time if it is"
			" wanted");
}

static void check_pictures(const struct stat_options *o)
{
	if ((o->histogram >= 0 || o->heatmap >= 0) && o->format != STAT_TEXT)
		msg_die("--histogram and --heatmap draw text: they do not go"
			" with --format=csv and --format=json");
}

static void check_cache(struct stat_options *o)
{
	if (o->block_bits && !o->cache)
		msg_die("--block is for --cache");
	if (o->cache && (o->format == STAT_CSV || is_series(o) || o->top))
		msg_die("--cache has its own tables, as text or json: --top,"
			" --interval and --format=csv do not go with it");
	if (!o->block_bits)
		o->block_bits = BLOCK_BITS;
}

static void check_commits(const struct stat_options *o)
{
	if (o->commits && (o->format == STAT_CSV || is_series(o) || o->top ||
			   o->cache || o->compare || o->save || o->why ||
			   o->marks || o->explain || o->where ||
			   o->mask != UINT32_MAX))
		msg_die("--by=commit stands alone, as text or json, with a"
			" window if wanted");
}

static void check_capacity(const struct stat_options *o)
{
	if (o->capacity && (o->where || o->mask != UINT32_MAX))
		msg_die("--capacity needs all I/Os: -a, -A and --where leave"
			" some out");
	if (o->capacity && (o->format == STAT_CSV || is_series(o) || o->top))
		msg_die("--capacity has its own tables, as text or json:"
			" --top, --interval and --format=csv do not go with it");
}

static void check_explain(const struct stat_options *o)
{
	if (o->explain && (o->where || o->mask != UINT32_MAX))
		msg_die("--explain needs all I/Os: -a, -A and --where leave"
			" some out");
	if (o->explain && (o->format == STAT_CSV || is_series(o) || o->top))
		msg_die("--explain stands alone, as text or json");
}

/* Save files have no I/Os, only histograms by device and operation. */
static void check_saves(struct stat_options *o)
{
	int saves = 0;

	for (int i = 0; i < o->input_count; i++)
		saves += savefile_is_one(o->directory, o->inputs[i]);
	o->saved = saves;
	if (saves && saves < o->input_count)
		msg_die("save files and traces cannot be read together; --save"
			" the traces first");
	if (o->save && o->compare)
		msg_die("--save writes one run, and --compare reads several");
	if ((saves || o->save) &&
	    (o->by.count || o->commits || (o->measures && !o->compare) ||
	     o->histogram >= 0))
		msg_die("save files keep all phases of devices and operations:"
			" --by, --phases and --histogram do not go with them");
	if (saves && (o->why || needs_ios(o) || (o->format != STAT_TEXT && !o->compare)))
		msg_die("save files have no I/Os: only --compare, --percentiles,"
			" --save and the options of the look go with them");
}

void stat_options_parse(struct stat_options *o, int argc, char **argv)
{
	int b;

	*o = (struct stat_options){ .window = WINDOW_ALL,
				    .order = MEASURE_TOTAL,
				    .histogram = -1, .heatmap = -1 };
	/* first: parsing moves operands after "--" */
	b = words_after(argc, argv);
	cli_parse(&stat_program, o, argc, argv);
	if (!o->input_count && o->explain && o->rule != -1) {
		notable_manual(o->rule);
		cli_leave();
	}
	if (!o->input_count)
		cli_usage_error(&stat_program, "no input is named");
	if (!o->mask)
		o->mask = UINT32_MAX;
	check_compare(o, b);
	check_marks(o);
	check_pictures(o);
	check_cache(o);
	check_commits(o);
	check_capacity(o);
	check_explain(o);
}

/* whether nothing else is to be shown, of anything else */
static bool is_alone(const struct stat_options *o)
{
	return !o->saved && !o->compare && !o->save && !needs_ios(o) &&
	       !o->commits && !o->by.count && !o->measures && o->histogram < 0 &&
	       o->format != STAT_CSV;
}

void stat_options_settle(struct stat_options *o)
{
	check_saves(o);
	if (o->why && !is_alone(o))
		msg_die("--why stands alone, as text or json: only names, -D,"
			" -o and the options of the look go with it");
	settle_interval(o);
}

void stat_options_free(struct stat_options *o)
{
	expr_free(o->where);
	captured_free(&o->captured);
	clocks_free(&o->hosts);
	free(o->inputs);
}
