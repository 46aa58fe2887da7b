/* SPDX-License-Identifier: GPL-2.0-only */
/* btexport's command line; see options.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act_mask.h"
#include "base/array.h"
#include "base/msg.h"
#include "base/nearest.h"
#include "cli/captured.h"
#include "cli/clocks.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/set.h"
#include "cli/threads.h"
#include "cli/where.h"
#include "expr/error.h"
#include "expr/expr.h"
#include "expr/filter.h"
#include "file/location.h"
#include "tools/btexport/answer.h"
#include "tools/btexport/formats.h"
#include "tools/btexport/clickhouse.h"
#include "tools/btexport/options.h"
#include "tools/btexport/output.h"
#include "tools/btexport/queries.h"
#include "tools/btexport/row_table.h"

static void add_input(void *options, const char *name)
{
	struct export_options *o = options;
	const char **inputs = array_resize(o->inputs, o->input_count + 1,
					   sizeof(*inputs));

	if (!inputs)
		msg_die("out of memory");
	o->inputs = inputs;
	inputs[o->input_count++] = name;
}

static void set_where(void *options, const char *text)
{
	struct export_options *o = options;
	struct expr_error why;
	char shown[WHERE_MAX];
	int err;

	expr_free(o->where);
	err = expr_compile(&o->where, text, &why);
	if (err == -ENOMEM)
		msg_die("out of memory");
	if (!err)
		return;
	where_text(shown, "--where", text, why.at, why.phrase);
	msg_die("%s", shown);
}

/* bytes, with K, M, G or T */
static void set_spool(void *spool, const char *text)
{
	static const char units[] = "KMGT";
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;
	int shift = unit ? 10 * (int)(unit - units + 1) : 0;

	if (!n || *text == '-' || end[unit != NULL] ||
	    n > UINT64_MAX >> 1 >> shift)
		msg_die("--spool is a size, such as 4G, and not %s", text);
	*(uint64_t *)spool = n << shift;
}

static void set_schema(void *schema, const char *how)
{
	*(const char **)schema = how ? how : "text";
}

/* --- tables --------------------------------------------------------------- */

static __attribute__((noreturn)) void die_table(const char *name, size_t len)
{
	struct nearest n = { .text = name, .len = len };

	for (int i = 0; i < TABLES; i++)
		nearest_try(&n, tables_get((enum table_kind)i)->name);
	msg_die("--table: no table %.*s; %s%s", (int)len, name,
		n.word ? "did you mean " : "the tables are ",
		n.word ? n.word : "ios, events, latency, meta, segments,"
				  " commits, capacity and cache");
}

static int find_table(const char *name, size_t len)
{
	for (int i = 0; i < TABLES; i++) {
		const char *its = tables_get((enum table_kind)i)->name;

		if (strlen(its) == len && !memcmp(its, name, len))
			return i;
	}
	die_table(name, len);
}

static void add_tables(void *tables, const char *list)
{
	const char *name = list;

	while (name) {
		size_t len = strcspn(name, ",");

		*(unsigned int *)tables |= 1u << find_table(name, len);
		name = name[len] ? name + len + 1 : NULL;
	}
}

static const char *table_word(unsigned int nr)
{
	return nr < TABLES ? tables_get((enum table_kind)nr)->name : NULL;
}

static const char *field_word(unsigned int nr)
{
	const struct row_table *t = tables_get(TABLE_IOS);

	return nr < t->count ? row_table_column(t, nr)->name : NULL;
}

/* --- the table of options ------------------------------------------------- */

#define AT(field) .at = offsetof(struct export_options, field)

static const struct cli_option rows[] = {
	{ "i", "input", "NAME",
	  "device (its NAME.blktrace.* files), directory, dump, FIFO, or - for"
	  " standard input; the same as an operand",
	  .group = "What is read", .completes = CLI_TRACE, .set = add_input },
	{ "D", "input-directory", "DIR", "put DIR/ in front of names",
	  .completes = CLI_DIRECTORY,
	  CLI_TEXT(struct export_options, directory) },
	{ NULL, "follow", "DIR",
	  "export each segment that blktrace --rotate completes in DIR, or in"
	  " directories in DIR, to -o DIR/, until a signal",
	  .completes = CLI_DIRECTORY, CLI_TEXT(struct export_options, follow) },
	{ CAPTURED_KEEP(struct export_options, captured) },
	{ CLOCKS_SHIFT(struct export_options, hosts) },
	{ CLOCKS_ALIGN(struct export_options, hosts) },

	{ NULL, "table", "TABLE[,...]",
	  "ios (default), events, latency (histograms), meta, segments,"
	  " commits, capacity, cache",
	  .group = "What is exported", .word = table_word, .set = add_tables,
	  AT(tables) },
	{ NULL, "fields", "NAME[,...]",
	  "these columns, in this order; or -NAME[,-...]: all but these",
	  .word = field_word,
	  CLI_TEXT(struct export_options, field_list) },
	{ "w", "stopwatch", "SPAN",
	  "I/Os that complete, or events, in this span, in seconds: END or"
	  " START:END; a DEVICE is captured up to END",
	  .set = cli_set_window, AT(window) },
	{ "a", "act-mask", "CATEGORY",
	  "I/Os, or events, of this category only: read, write, sync, ...; add"
	  " more with more -a",
	  .word = act_mask_name, .set = cli_add_mask, AT(mask) },
	{ "A", "set-mask", "HEX", "the same as a mask in hexadecimal",
	  .set = cli_set_mask, AT(mask) },
	{ NULL, "where", "EXPR",
	  "I/Os of which this is true, such as 'op==read && q2c>5ms'",
	  .set = set_where },

	{ NULL, "format", FORMAT_NAMES,
	  "the format; else by the ending of -o's FILE, else csv",
	  .group = "How it is written",
	  CLI_TEXT(struct export_options, format_name) },
	{ "o", "output", "FILE",
	  "write to FILE, replaced only when complete; DIR/: a file"
	  " for each trace and table",
	  .completes = CLI_FILE, .writes = CLI_WRITES_EITHER,
	  CLI_TEXT(struct export_options, output) },
	{ NULL, "to", "clickhouse://HOST/DB",
	  "--follow: insert into ClickHouse; what is not there yet waits in"
	  " -o DIR/",
	  CLI_TEXT(struct export_options, to) },
	{ NULL, "spool", "SIZE",
	  "--to: how much may wait (4G); then no more is exported",
	  .set = set_spool, AT(spool) },
	{ NULL, "status", "FILE",
	  "--follow: write lag, rows and failures to FILE every 5 s"
	  " (Prometheus)",
	  .completes = CLI_FILE, .writes = CLI_WRITES_FILE,
	  CLI_TEXT(struct export_options, status) },
	{ NULL, "no-header", NULL, "csv, tsv: without the row of names",
	  CLI_FLAG(struct export_options, no_header) },
	{ NULL, "null", "TEXT",
	  "csv, tsv: text of unknown values (nothing, \\N)",
	  CLI_TEXT(struct export_options, out.rows.null) },
	{ NULL, "compress", "none|gzip",
	  "parquet: whether pages are packed (gzip)",
	  CLI_TEXT(struct export_options, compress) },
	{ NULL, "target", "FILE",
	  "fio: the file, or device, that the iolog is to be replayed on, of"
	  " I/Os of one device",
	  .completes = CLI_FILE,
	  CLI_TEXT(struct export_options, out.iolog.target) },
	{ NULL, "at", "queue|issue",
	  "fio: I/Os as queued, or requests as issued"
	  " (queue)",
	  CLI_TEXT(struct export_options, at) },
	{ NULL, "every", "SECONDS",
	  "prometheus, of a pipe: how often the file is written anew (10)",
	  .min = 1, .max = 86400,
	  CLI_UINT(struct export_options, out.every) },
	{ NULL, "strict", NULL,
	  "status 1 if records were lost or I/Os are open",
	  CLI_FLAG(struct export_options, strict) },
	{ THREADS_OPTION(struct export_options, threads) },
	{ READING_OPTION(struct export_options, no_progress) },

	{ NULL, "verify", "DIR",
	  "verify the folder of tables of -o DIR/ by its manifests",
	  .group = "What is done instead", .completes = CLI_DIRECTORY,
	  CLI_TEXT(struct export_options, verify) },
	{ NULL, "schema", "[text|json|sqlite|duckdb|clickhouse|replicated]",
	  "print the columns of all tables, or of --table's, as text, JSON, or"
	  " SQL; no input is needed",
	  .set = set_schema, AT(schema) },
	{ NULL, "ttl", "DAYS",
	  "of --schema=clickhouse or replicated: the server removes rows of"
	  " ios and events after these days; histograms stay",
	  .min = 1, .max = 2000, CLI_UINT(struct export_options, ttl) },
	{ NULL, "queries", "sqlite|duckdb|clickhouse",
	  "print ready queries for this engine",
	  CLI_TEXT(struct export_options, queries) },
	{ NULL, "upgrade", "sqlite|duckdb|clickhouse",
	  "print the statements that bring tables of an older schema up to date",
	  CLI_TEXT(struct export_options, upgrade) },
	{ NULL, "query", "NAME",
	  "print the answer to this ready query, a table or what --format"
	  " says; list: their names",
	  .word = queries_word, CLI_TEXT(struct export_options, query) },
};

const struct cli_program export_program = {
	.name = "btexport",
	.usage = "[OPTION]... NAME...\n[OPTION]... DEVICE...",
	.purpose = "Export traces as tables for other programs.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_TRACE,
	.operand = add_input,
	.examples =
		"btexport -w 5 -o sda.parquet /dev/sda    of the next 5 s (10)\n"
		"btexport --fields=time_ns,op,bytes,total_ns sda >ios.csv\n"
		"blktrace -d /dev/sda -o - | btexport --format=jsonl -\n",
	.status = "0; 1 if something could not be read or written, or the trace"
		  " is damaged; with --strict also if records were lost or I/Os"
		  " are open.",
	.section = 1,
	.version_letters = "V",
};

enum { EVERY = 10 };		/* seconds, without --every */

/* --- combinations of options ---------------------------------------------- */

static bool is_directory(const char *path)
{
	size_t len = strlen(path);
	struct stat st;

	if (len && path[len - 1] == '/')
		return true;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* --- a ready query -------------------------------------------------------- */

static __attribute__((noreturn)) void die_query(const char *name)
{
	struct nearest n = { .text = name, .len = strlen(name) };
	const char *word;

	for (unsigned int i = 0; (word = queries_word(i)); i++)
		nearest_try(&n, word);
	if (n.word)
		msg_die("--query: no query %s; did you mean %s", name, n.word);
	msg_die("--query: no query %s; --query=list prints their names",
		name);
}

/* an answer is text, for people or in a text format */
static void settle_query(struct export_options *o)
{
	const struct output_ops *f = o->out.format;

	if (!query_find(&o->out.query, o->query))
		die_query(o->query);
	if (o->tables || o->field_list)
		msg_die("--query: %s knows its table and its columns; not with"
			" --table or --fields", o->query);
	if (f && (!f->rows || f->able & OUTPUT_BINARY))
		msg_die("--query: an answer is a table, or csv, tsv or jsonl,"
			" not %s", f->name);
	if ((o->no_header || o->out.rows.null) &&
	    !(f && f->able & OUTPUT_HEADER))
		msg_die("--no-header and --null are for csv and tsv: say"
			" --format=csv");
	o->out.answer = f ? f->rows : NULL;
	o->out.format = &question_output;
	for (int i = 0; i < TABLES; i++)
		if (query_reads(&o->out.query,
				tables_get((enum table_kind)i)->name))
			o->tables |= TABLE_BIT(i);
}

static void settle_output(struct export_options *o)
{
	if (o->output && !strcmp(o->output, "-"))
		o->output = NULL;
	if (o->output && !*o->output)
		msg_die("-o: a file without a name");
	o->folder = o->output && is_directory(o->output);
	if (o->format_name)
		o->out.format = format_named(o->format_name);
	else if (o->output && !o->folder)
		o->out.format = format_by_ending(o->output);
	if (o->query)
		settle_query(o);
	else if (!o->out.format)
		o->out.format = format_named("csv");
}

static void check_output(const struct export_options *o)
{
	const struct output_ops *f = o->out.format;

	if (o->folder && !(f->able & OUTPUT_FOLDER))
		msg_die("-o %s is a directory, and %s is one file: name it",
			o->output, f->name);
	if (!o->output && f->able & OUTPUT_FILE)
		msg_die("%s cannot be written to standard output: name a file"
			" with -o", f->name);
	if (!o->output && f->able & OUTPUT_BINARY && isatty(STDOUT_FILENO))
		msg_die("%s is binary, not for a terminal: name a file with -o, or"
			" redirect standard output", f->name);
}

static unsigned int count_bits(unsigned int bits)
{
	return (unsigned int)__builtin_popcount(bits);
}

static void check_tables(const struct export_options *o)
{
	const struct output_ops *f = o->out.format;

	if (o->tables & ~(f->tables ? f->tables : TABLE_BIT(TABLE_IOS)))
		msg_die("%s has no tables: it takes I/Os only", f->name);
	if (count_bits(o->tables) > 1 && !o->folder &&
	    !(f->able & OUTPUT_SEVERAL))
		msg_die("%s has one table in a file: name one with --table, or"
			" a directory with -o DIR/", f->name);
	if ((o->where || o->mask != UINT32_MAX) &&
	    export_has(o, TABLE_CAPACITY))
		msg_die("--table=capacity needs all I/Os: -a, -A and --where"
			" leave some out");
	if (o->where && export_has(o, TABLE_EVENTS))
		msg_die("--where selects I/Os, not events");
	if (o->tables != TABLE_BIT(TABLE_EVENTS) && o->mask != UINT32_MAX &&
	    o->mask & ~FILTER_KINDS)
		msg_die("-a, -A: I/Os have types; their steps (queue,"
			" issue, complete, ...) are for --table=events");
}

/* Events and I/Os are read in separate passes. */
static void check_pipes(const struct export_options *o)
{
	if (!export_has(o, TABLE_EVENTS) || count_bits(o->tables) == 1)
		return;
	for (size_t i = 0; i < o->input_count; i++)
		if (location_is_pipe(o->inputs[i]))
			msg_die("%s: a pipe can be read once, and events are"
				" read apart from I/Os: export one of them",
				o->inputs[i]);
}

static void check_texts(const struct export_options *o)
{
	const struct output_ops *f = o->out.format;

	if ((o->no_header || o->out.rows.null) && !(f->able & OUTPUT_HEADER))
		msg_die("--no-header and --null are for csv and tsv, not for"
			" %s", f->name);
	if (o->compress && !(f->able & OUTPUT_PACKED))
		msg_die("--compress is for parquet, not for %s; its output can"
			" be piped to gzip", f->name);
	if (o->out.rows.null && strpbrk(o->out.rows.null, ",\"\t\r\n"))
		msg_die("--null: not with a comma, a quote, a tab or an end of"
			" line in it");
}

static bool has_blank(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text <= ' ')
			return true;
	return false;
}

static void settle_replay(struct export_options *o)
{
	const char *target = o->out.iolog.target;

	if ((target || o->at) && !(o->out.format->able & OUTPUT_REPLAYED))
		msg_die("--target and --at are for fio, not for %s",
			o->out.format->name);
	if (target && (!*target || strlen(target) > IOLOG_NAME_MAX ||
		       has_blank(target)))
		msg_die("--target: fio takes a name of 1 to %d bytes without"
			" blanks", (int)IOLOG_NAME_MAX);
	if (o->at && !strcmp(o->at, "issue"))
		o->out.iolog.at = IOLOG_AT_ISSUE;
}

/* Rewriting is for a file that others read meanwhile. */
static void settle_every(struct export_options *o)
{
	bool live = false;

	for (size_t i = 0; i < o->input_count; i++)
		live |= location_is_pipe(o->inputs[i]);
	if (o->out.every && !(o->out.format->able & OUTPUT_OWN_FILE))
		msg_die("--every is for prometheus, not for %s",
			o->out.format->name);
	if (o->out.every && !(live && o->output))
		msg_die("--every: a file is written anew (-o) while a pipe is"
			" read, else once, at the end");
	if (live && !o->out.every)
		o->out.every = EVERY;
}

static void choose_fields(struct export_options *o)
{
	if (o->field_list && o->out.format && !(o->out.format->able & OUTPUT_FIELDS))
		msg_die("--fields: %s needs all its columns; choose columns of"
			" csv, tsv, jsonl or parquet", o->out.format->name);
	if (o->field_list && count_bits(o->tables) > 1)
		msg_die("--fields is for one table: name it with --table");
	for (int i = 0; i < TABLES; i++) {
		struct fields *f = &o->out.fields[i];
		const struct row_table *table = tables_get((enum table_kind)i);
		const char *list = export_has(o, (enum table_kind)i) ?
				   o->field_list : NULL;

		if (o->out.query.sql)
			fields_of_query(f, table, &o->out.query);
		else
			fields_choose(f, table, list);
	}
}

bool export_describes(const struct export_options *o)
{
	return o->schema || o->queries || o->upgrade || o->verify ||
	       (o->query && !strcmp(o->query, QUERIES_LIST));
}

static bool is_clickhouse(const char *schema)
{
	return !strcmp(schema, "clickhouse") || !strcmp(schema, "replicated");
}

/* Descriptions have no options of exports. */
static void check_described(const struct export_options *o)
{
	const char *what = o->verify ? "--verify" :
			   o->schema ? "--schema" :
			   o->upgrade ? "--upgrade" :
			   o->queries ? "--queries" : "--query=list";

	if (o->verify && o->input_count)
		msg_die("--verify reads a folder of tables, and not %s",
			o->inputs[0]);
	if (o->output)
		msg_die("-o: %s prints on standard output; redirect that",
			what);
	if (o->captured.keep)
		msg_die("--keep is for the trace of a device; %s captures"
			" none", what);
	if (o->where || o->mask || o->window.start ||
	    o->window.end != UINT64_MAX)
		msg_die("-w, -a, -A and --where are about I/Os, of which %s"
			" reads none", what);
	if (o->format_name || o->no_header || o->out.rows.null || o->compress ||
	    o->out.iolog.target || o->at || o->out.every || o->strict)
		msg_die("%s is text: only --table and --fields go with"
			" --schema", what);
	if (!o->schema && (o->tables || o->field_list))
		msg_die("--table and --fields: of descriptions only --schema"
			" has them, not %s", what);
	if (o->query && strcmp(o->query, QUERIES_LIST))
		msg_die("--query=%s needs a trace: leave out %s",
			o->query, what);
}

#define SPOOL (4ull << 30)

enum {
	FOLLOWED = TABLE_BIT(TABLE_IOS) | TABLE_BIT(TABLE_LATENCY) |
		   TABLE_BIT(TABLE_SEGMENTS)
};

/* RowBinary is what is sent: nothing else needs it. */
static void check_to(struct export_options *o)
{
	if (!clickhouse_is_url(o->to))
		msg_die("--to is clickhouse://HOST/DB, or clickhouses:// for"
			" TLS, and not %s", o->to);
	if (!http_is_built())
		msg_die("--to: this build has no libcurl");
	if (o->format_name && strcmp(o->format_name, "rowbinary"))
		msg_die("--to sends rowbinary: leave out --format=%s",
			o->format_name);
	o->format_name = "rowbinary";
	if (!o->spool)
		o->spool = SPOOL;
}

/* Each segment is exported whole: two runs of options would mix. */
static void check_followed(struct export_options *o)
{
	if (o->input_count)
		msg_die("--follow finds what to export, and takes no other"
			" input: leave out %s", o->inputs[0]);
	if (!o->output || !is_directory(o->output))
		msg_die("--follow needs a directory: -o DIR/");
	if (o->tables & ~(unsigned int)FOLLOWED)
		msg_die("--follow exports ios, latency and segments: others are"
			" of a whole trace");
	if (o->where || o->mask || o->window.start || o->field_list ||
	    o->window.end != UINT64_MAX || o->hosts.count || o->query)
		msg_die("--follow exports all: -w, -a, -A, --where, --fields,"
			" --query and --shift are not for it");
	if (o->to)
		check_to(o);
	else if (!o->format_name)
		o->format_name = "parquet";
}

/* A folder has all that the ready queries need. */
static unsigned int usual_tables(const struct export_options *o)
{
	if (o->follow)
		return FOLLOWED;
	if (o->folder)
		return TABLE_BIT(TABLE_IOS) | TABLE_BIT(TABLE_LATENCY) |
		       TABLE_BIT(TABLE_META) | TABLE_BIT(TABLE_SEGMENTS);
	return o->out.format->tables ? o->out.format->usual :
				       TABLE_BIT(TABLE_IOS);
}

void export_options_parse(struct export_options *o, int argc, char **argv)
{
	*o = (struct export_options){ .window = WINDOW_ALL };
	cli_parse(&export_program, o, argc, argv);
	if (o->ttl && !(o->schema && is_clickhouse(o->schema)))
		msg_die("--ttl is of --schema=clickhouse or replicated");
	if (export_describes(o)) {
		check_described(o);
		choose_fields(o);
		return;
	}
	if (!o->follow && (o->to || o->spool || o->status))
		msg_die("--to, --spool and --status are for --follow");
	if (o->spool && !o->to)
		msg_die("--spool is for --to");
	if (o->follow)
		check_followed(o);
	else if (!o->input_count)
		cli_usage_error(&export_program, "no input is named");
	if (!o->mask)
		o->mask = UINT32_MAX;
	settle_output(o);
	if (!o->tables)
		o->tables = usual_tables(o);
	check_output(o);
	check_tables(o);
	check_pipes(o);
	check_texts(o);
	settle_replay(o);
	settle_every(o);
	choose_fields(o);
	o->out.rows.header = !o->no_header;
	o->out.rows.packed = !o->compress || !strcmp(o->compress, "gzip");
	o->out.rows.schema = ROW_TABLE_SCHEMA;
}

void export_options_free(struct export_options *o)
{
	expr_free(o->where);
	captured_free(&o->captured);
	clocks_free(&o->hosts);
	free(o->inputs);
}
