/* SPDX-License-Identifier: GPL-2.0-only */
/* The answer to a query; see answer.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/time.h"
#include "base/unit.h"
#include "emit/row.h"
#include "emit/sqlite.h"
#include "emit/table.h"
#include "tools/btexport/answer.h"
#include "tools/btexport/database.h"
#include "tools/btexport/output.h"
#include "tools/btexport/output_options.h"
#include "tools/btexport/queries.h"

/* --- answer --------------------------------------------------------------- */

enum {
	HEADING = 32,		/* longer ones are cut */
	SHOWN = 128,		/* bytes of a text in a cell */
	WIDTH = 1000		/* no column is left out */
};

#define YEAR (365 * 24 * 3600 * NS_PER_SECOND)

/* --- numbers -------------------------------------------------------------- */

/* formats a number for people */
typedef void say(char text[SHOWN], uint64_t n);

static void say_moment(char text[SHOWN], uint64_t n)
{
	snprintf(text, SHOWN, "%" PRIu64 ".%09" PRIu64, n / NS_PER_SECOND,
		 n % NS_PER_SECOND);
}

/* a time of day, or the time since the start of a trace that has none */
static void say_time_of_day(char text[SHOWN], uint64_t n)
{
	time_t seconds = (time_t)(n / NS_PER_SECOND);
	unsigned int tenth = (unsigned int)(n / (NS_PER_SECOND / 10) % 10);
	struct tm tm;
	size_t len;

	if (n < YEAR || !gmtime_r(&seconds, &tm)) {
		say_moment(text, n);
		return;
	}
	len = strftime(text, SHOWN, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(text + len, SHOWN - len, ".%u", tenth);
}

static void say_time(char text[SHOWN], uint64_t n)
{
	unit_time(text, n);
}

static void say_size(char text[SHOWN], uint64_t n)
{
	unit_size(text, n);
}

static void say_share(char text[SHOWN], uint64_t n)
{
	if (n > 1000000)
		unit_share(text, n, 1000000);
	else
		unit_share_exact(text, n, 1000000, 2);
}

static void say_thousandths(char text[SHOWN], uint64_t n)
{
	unit_decimal(text, n, 1000);
}

static void say_number(char text[SHOWN], uint64_t n)
{
	snprintf(text, SHOWN, "%" PRIu64, n);
}

/* by the suffix of a name, the first that matches */
struct ending {
	const char *text;
	unsigned int cut;	/* bytes removed from the heading */
	say *say;
};

static const struct ending endings[] = {
	{ "at_unix_ns", 8, say_time_of_day },
	{ "time_ns", 3, say_moment },
	{ "_ns", 3, say_time },
	{ "bytes", 0, say_size },
	{ "_ppm", 4, say_share },
	{ "_milli", 6, say_thousandths },
	{ "", 0, say_number }
};

static const struct ending *ending_of(const char *name)
{
	const struct ending *e = endings;
	size_t len = strlen(name);

	for (;; e++) {
		size_t its = strlen(e->text);

		if (its <= len && !strcmp(name + len - its, e->text))
			return e;
	}
}

/* --- a table for people --------------------------------------------------- */

struct text_table {
	const struct row_shape *shape;
	const struct ending *endings[TABLE_COLUMNS];
	char headings[TABLE_COLUMNS][HEADING];
	struct table table;
};

static void head(struct text_table *p)
{
	unsigned int i;

	for (i = 0; i < p->shape->count; i++) {
		const struct column *c = p->shape->columns[i];
		const struct ending *e = ending_of(c->name);

		p->endings[i] = e;
		snprintf(p->headings[i], HEADING, "%.*s",
			 (int)(strlen(c->name) - e->cut), c->name);
		table_column(&p->table, (struct table_column){
			.heading = p->headings[i],
			.left = c->type == COLUMN_TEXT });
	}
}

static void show(struct text_table *p, unsigned int i, const struct cell *c)
{
	char text[SHOWN] = "-";

	if (c->null)
		;
	else if (p->shape->columns[i]->type == COLUMN_TEXT)
		escape_text(text, sizeof(text), c->text, c->len);
	else if (c->number < 0)
		snprintf(text, sizeof(text), "%" PRId64, c->number);
	else
		p->endings[i]->say(text, (uint64_t)c->number);
	table_cell(&p->table, text);
}

int answer_table(struct buf *b, struct sqlite_answer *a)
{
	struct text_table p = { .shape = sqlite_answer_shape(a) };
	struct cell cells[ROW_COLUMNS];
	unsigned int i;
	int more, err;

	if (p.shape->count > TABLE_COLUMNS)
		return -E2BIG;
	head(&p);
	while ((more = sqlite_answer_next(a, cells)) == 1)
		for (i = 0; i < p.shape->count; i++)
			show(&p, i, &cells[i]);
	err = more ? more : table_print(&p.table, b, WIDTH, true);
	table_free(&p.table);
	return err;
}

/* --- rows for programs ---------------------------------------------------- */

static int write_rows(struct row_writer *w, struct sqlite_answer *a,
		      const struct row_ops *ops)
{
	struct cell cells[ROW_COLUMNS];
	int more, err = 0;

	while (!err && (more = sqlite_answer_next(a, cells)) != 0)
		err = more < 0 ? more : ops->row(w, cells);
	return err ? err : ops->end(w);
}

int answer_rows(struct buf *b, struct sqlite_answer *a,
		const struct row_ops *ops, const struct row_options *o)
{
	struct row_writer *w = NULL;
	int err = ops->open(&w, b, sqlite_answer_shape(a), o);

	if (!err)
		err = write_rows(w, a, ops);
	ops->free(w);
	return err;
}

/* --- question ------------------------------------------------------------- */

static int write_answer(struct output *out, struct sqlite_answer *a)
{
	const struct output_options *o = out->o;

	return o->answer ?
	       answer_rows(&out->file.buf, a, o->answer, &o->rows) :
	       answer_table(&out->file.buf, a);
}

static int ask(struct output *out)
{
	const struct query *q = &out->o->query;
	struct sqlite *s = database_of(out);
	struct sqlite_answer *a;
	int err = sqlite_end(s, QUERIES_ONE_RUN);

	if (!err)
		err = sqlite_ask(s, q->sql, q->sql_len, &a);
	if (err)
		return database_fail(out, err);
	err = write_answer(out, a);
	/* before other calls of the library */
	if (err)
		err = database_fail(out, err);
	sqlite_answer_free(a);
	return err;
}

const struct output_ops question_output = {
	.name = "an answer",
	.able = OUTPUT_FIELDS | OUTPUT_HEADER | OUTPUT_SEVERAL,
	.tables = (1u << TABLES) - 1,
	.begin = database_begin_in_memory,
	.row = database_row,
	.quiet = database_quiet,
	.end = ask,
	.free = database_free,
};
