/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints a table of a trace by the simplest writer: tabs between cells, \N for
 * null, \t \n \\ escaped.
 *
 *	rows ios|events|latency|meta DIRECTORY [COLUMN]...
 *	rows schema [json]
 *	rows fill DIRECTORY [COLUMN]...
 *
 * DIRECTORY's name is the host's.  Without a COLUMN, all; latency and meta have
 * all in any case.  fill only makes the rows of ios, for those who count what
 * that costs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/msg.h"
#include "emit/row.h"
#include "request/ios.h"
#include "run/host.h"
#include "run/reader.h"
#include "stat/facts.h"
#include "tests/requests/trace.h"
#include "tools/btexport/event_row.h"
#include "tools/btexport/io_row.h"
#include "tools/btexport/latency.h"
#include "tools/btexport/meta.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/operands.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/schema.h"
#include "tools/btexport/tables.h"
#include "tools/btexport/wall.h"

static const struct reader_options options = { .window = WINDOW_ALL };

/* the columns that are printed */
struct choice {
	const struct row_table *table;
	unsigned int columns[ROW_COLUMNS];
	unsigned int count;
};

static void no_error(int err)
{
	if (err)
		msg_die("%s", strerror(-err));
}

/* --- text ----------------------------------------------------------------- */

static void print_text(const struct cell *c)
{
	for (uint32_t i = 0; i < c->len; i++)
		switch (c->text[i]) {
		case '\t':
			fputs("\\t", stdout);
			break;
		case '\n':
			fputs("\\n", stdout);
			break;
		case '\\':
			fputs("\\\\", stdout);
			break;
		default:
			putchar(c->text[i]);
		}
}

static void print_row(const struct choice *ch, const struct cell *cells)
{
	for (unsigned int i = 0; i < ch->count; i++) {
		const struct column *c = row_table_column(ch->table,
						      ch->columns[i]);

		if (cells[i].null)
			fputs("\\N", stdout);
		else if (c->type == COLUMN_TEXT)
			print_text(&cells[i]);
		else
			printf("%" PRIi64, cells[i].number);
		if (cells[i].null && !c->may_be_null)
			msg_die("%s is null", c->name);
		putchar(i + 1 < ch->count ? '\t' : '\n');
	}
}

static void print_names(const struct choice *ch)
{
	for (unsigned int i = 0; i < ch->count; i++)
		printf("%s%c", row_table_column(ch->table, ch->columns[i])->name,
		       i + 1 < ch->count ? '\t' : '\n');
}

static void choose(struct choice *ch, enum table_kind kind, char **names)
{
	*ch = (struct choice){ .table = tables_get(kind) };
	for (; *names; names++) {
		int n = row_table_find(ch->table, *names, strlen(*names));

		if (n < 0)
			msg_die("no column %s", *names);
		ch->columns[ch->count++] = (unsigned int)n;
	}
	if (ch->count)
		return;
	for (; ch->count < ch->table->count; ch->count++)
		ch->columns[ch->count] = ch->count;
}

/* --- reading -------------------------------------------------------------- */

static void name_all(struct naming **n, const struct reader *r, const char *dir)
{
	char host[256];

	no_error(host_of_run(host, sizeof(host), NULL, dir));
	no_error(naming_new(n, r, host));
}

static struct ios *open_ios(const char *dir)
{
	struct ios *s;

	no_error(ios_open(&s, &options));
	no_error(ios_want_seeks(s));
	trace_add(ios_reader(s), dir);
	return s;
}

static int next_io(struct ios *s, const struct io **io)
{
	int got;

	do {
		got = ios_next(s, io);
	} while (got == -EAGAIN || got == -EINTR);
	no_error(got < 0 ? got : 0);
	return got;
}

static int next_event(struct reader *r, const struct event **ev)
{
	int got;

	do {
		got = reader_next(r, ev);
	} while (got == -EAGAIN || got == -EINTR);
	no_error(got < 0 ? got : 0);
	return got;
}

/* --- tables --------------------------------------------------------------- */

static void make_ios(const char *dir, char **names, bool print)
{
	struct ios *s = open_ios(dir);
	struct choice ch;
	struct naming *n;
	struct io_row *row;
	const struct io *io;

	choose(&ch, TABLE_IOS, names);
	name_all(&n, ios_reader(s), dir);
	no_error(io_row_new(&row, ios_reader(s), n, ch.columns, ch.count));
	if (print)
		print_names(&ch);
	while (next_io(s, &io)) {
		const struct cell *cells = io_row_make(row, io);

		if (print)
			print_row(&ch, cells);
	}
	io_row_free(row);
	naming_free(n);
	ios_close(s);
}

static void print_ios(const char *dir, char **names)
{
	make_ios(dir, names, true);
}

static void fill_ios(const char *dir, char **names)
{
	make_ios(dir, names, false);
}

static void print_events(const char *dir, char **names)
{
	struct choice ch;
	struct naming *n;
	struct event_row *row;
	struct reader *r;
	const struct event *ev;

	no_error(reader_open(&r, &options));
	trace_add(r, dir);
	choose(&ch, TABLE_EVENTS, names);
	name_all(&n, r, dir);
	no_error(event_row_new(&row, r, n, ch.columns, ch.count));
	print_names(&ch);
	while (next_event(r, &ev))
		print_row(&ch, event_row_make(row, ev));
	event_row_free(row);
	naming_free(n);
	reader_close(r);
}

static int64_t minute_of(const struct io *io, const struct reader *r)
{
	struct wall wall = { .known = false };
	int64_t ended;

	return wall_at(&wall, r, io->time + io->total, &ended) ?
		       latency_minute_of(ended) : LATENCY_NO_MINUTE;
}

static void print_latency(const char *dir, char **names)
{
	struct ios *s = open_ios(dir);
	const struct reader *r = ios_reader(s);
	struct latency l = { 0 };
	struct cell cells[LATENCY_COLUMNS];
	struct choice ch;
	struct naming *n;
	const struct io *io;

	(void)names;
	choose(&ch, TABLE_LATENCY, &(char *){ NULL });
	name_all(&n, ios_reader(s), dir);
	print_names(&ch);
	while (next_io(s, &io)) {
		int64_t minute = minute_of(io, r);

		while (latency_due(&l, minute) &&
		       latency_next(&l, n, false, cells))
			print_row(&ch, cells);
		no_error(latency_add(&l, io, naming_class(n, io->origin,
							  io->pid), minute));
	}
	while (latency_next(&l, n, true, cells))
		print_row(&ch, cells);
	latency_free(&l);
	naming_free(n);
	ios_close(s);
}

static void print_meta(const char *dir, char **names)
{
	struct ios *s = open_ios(dir);
	struct choice ch;
	struct operands operands;
	struct facts facts;
	struct naming *n;
	struct meta *m;
	const struct io *io;

	(void)names;
	choose(&ch, TABLE_META, &(char *){ NULL });
	name_all(&n, ios_reader(s), dir);
	no_error(meta_new(&m));
	while (next_io(s, &io))
		no_error(meta_add(m, io));
	facts_find(&facts, s, meta_coverages(m), &options.window);
	no_error(operands_init(&operands, NULL, (const char *[]){ dir }, 1));
	no_error(meta_end(m, &facts, n, &operands));
	operands_free(&operands);
	print_names(&ch);
	for (unsigned int i = 0; i < meta_count(m); i++)
		print_row(&ch, meta_row(m, i));
	meta_free(m);
	naming_free(n);
	ios_close(s);
}

static void print_schema(bool json)
{
	const struct row_table *tables[TABLES];
	struct buf b;

	no_error(buf_init(&b, STDOUT_FILENO, 4096));
	for (int i = 0; i < TABLES; i++)
		tables[i] = tables_get(i);
	for (int i = 0; !json && i < TABLES; i++) {
		schema_text(&b, tables[i]);
		buf_append(&b, "\n", i + 1 < TABLES);
	}
	if (json)
		schema_json(&b, tables, TABLES);
	no_error(buf_flush(&b));
	buf_free(&b);
}

static const struct {
	const char *name;
	void (*print)(const char *dir, char **names);
} modes[] = {
	{ "ios", print_ios },
	{ "events", print_events },
	{ "latency", print_latency },
	{ "meta", print_meta },
	{ "fill", fill_ios },
};

int main(int argc, char **argv)
{
	if (argc >= 2 && !strcmp(argv[1], "schema")) {
		print_schema(argc > 2);
		return 0;
	}
	for (size_t i = 0; argc > 2 && i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(argv[1], modes[i].name)) {
			modes[i].print(argv[2], argv + 3);
			return 0;
		}
	fputs("usage: rows ios|events|latency|meta|fill DIRECTORY [COLUMN]...\n"
	      "       rows schema [json]\n", stderr);
	return 2;
}
