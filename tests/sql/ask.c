/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loads recorded tables by emit/sqlite and asks one question about them.
 *
 *	ask DATABASE QUESTION [FILE ...]
 *
 * DATABASE is a file to make, or "-": in memory.  QUESTION is the name of a
 * ready query, or SQL; with - before a name only those columns are loaded that
 * the query names, and with = the answer is printed for people.  Else it is
 * printed as rows of tab-separated cells.  FILE is a HOST.ios.csv or a
 * HOST.latency.tsv or HOST.segments.tsv, in which no cell needs quotes.  Status 77: there is no
 * SQLite.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/msg.h"
#include "emit/row.h"
#include "emit/sqlite.h"
#include "tools/btexport/answer.h"
#include "tools/btexport/queries.h"
#include "tools/btexport/sql.h"

enum { NO_LIBRARY = 77, LINE_SIZE = 65536, ASKED_TABLES = 3 };

/* a table as it is loaded: its columns are those of its first file */
struct source {
	const char *name, *ending, *separator;
	int number;		/* in the database; -1: not yet */
	unsigned int in_file;	/* columns */
	unsigned int place[ROW_COLUMNS];	/* where in a row of the file */
	struct column columns[ROW_COLUMNS];
	const struct column *wanted[ROW_COLUMNS];
	struct row_shape shape;
};

struct asking {
	struct sqlite *s;
	struct query query;
	const char *sql;	/* or NULL: query */
	bool few;		/* only columns that are named */
	struct source sources[ASKED_TABLES];
};

static void check(const struct asking *a, int err)
{
	if (err == -ENOSYS)
		exit(NO_LIBRARY);
	if (err < 0)
		msg_die("%s", sqlite_error(a->s));
}

/* --- columns -------------------------------------------------------------- */

static enum column_type type_of(const char *name)
{
	static const char texts[] =
		" host disk dev link kind op flags process cgroup_path birth"
		" merge ended from_dev phase trace class boot container ";
	char word[64];

	snprintf(word, sizeof(word), " %s ", name);
	return strstr(texts, word) ? COLUMN_TEXT : COLUMN_INT64;
}

static void add_column(struct asking *a, struct source *t, const char *name)
{
	unsigned int n = t->shape.count;

	if (t->in_file == ROW_COLUMNS)
		msg_die("too many columns");
	t->in_file++;
	if (a->few && !query_names(&a->query, name))
		return;
	t->place[n] = t->in_file - 1;
	t->columns[n] = (struct column){ strdup(name), type_of(name), true,
					 "", "" };
	t->wanted[n] = &t->columns[n];
	t->shape.count++;
}

/* the first line of a table's first file */
static void take_names(struct asking *a, struct source *t, char *line)
{
	char *name;

	if (t->number >= 0)
		return;
	t->shape = (struct row_shape){ t->name, t->wanted, 0 };
	while ((name = strsep(&line, t->separator)))
		add_column(a, t, name);
	t->number = sqlite_table(a->s, &t->shape);
	check(a, t->number);
}

/* --- rows ----------------------------------------------------------------- */

static struct cell cell_of(enum column_type type, const char *text)
{
	struct cell c = { .null = !*text };

	if (type == COLUMN_TEXT) {
		c.text = text;
		c.len = (uint32_t)strlen(text);
	} else {
		c.number = strtoll(text, NULL, 10);
	}
	return c;
}

static void take_row(struct asking *a, struct source *t, char *line)
{
	char *texts[ROW_COLUMNS];
	struct cell cells[ROW_COLUMNS];
	unsigned int i;

	for (i = 0; i < t->in_file; i++)
		texts[i] = strsep(&line, t->separator);
	if (line || !texts[t->in_file - 1])
		msg_die("a row of other columns");
	for (i = 0; i < t->shape.count; i++)
		cells[i] = cell_of(t->columns[i].type, texts[t->place[i]]);
	check(a, sqlite_row(a->s, (unsigned int)t->number, cells));
}

static struct source *source_of(struct asking *a, const char *path)
{
	size_t len = strlen(path);

	for (unsigned int i = 0; i < ASKED_TABLES; i++) {
		struct source *t = &a->sources[i];
		size_t its = strlen(t->ending);

		if (its < len && !strcmp(path + len - its, t->ending))
			return t;
	}
	msg_die("%s: no table", path);
}

static void load(struct asking *a, const char *path)
{
	struct source *t = source_of(a, path);
	char line[LINE_SIZE];
	FILE *f;

	if (a->few && !query_reads(&a->query, t->name))
		return;
	f = fopen(path, "r");
	if (!f)
		msg_die("%s: cannot be opened", path);
	for (bool first = true; fgets(line, sizeof(line), f); first = false) {
		line[strcspn(line, "\n")] = '\0';
		if (first)
			take_names(a, t, line);
		else
			take_row(a, t, line);
	}
	fclose(f);
}

/* --- the question --------------------------------------------------------- */

static void print_row(const struct row_shape *shape, const struct cell *cells)
{
	for (unsigned int i = 0; i < shape->count; i++) {
		const struct cell *c = &cells[i];

		if (i)
			putchar('\t');
		if (c->null)
			fputs("\\N", stdout);
		else if (shape->columns[i]->type == COLUMN_TEXT)
			fwrite(c->text, 1, c->len, stdout);
		else
			printf("%" PRId64, c->number);
	}
	putchar('\n');
}

static void print(struct asking *a, struct sqlite_answer *answer, bool people)
{
	struct cell cells[ROW_COLUMNS];
	struct buf b;
	int more;

	if (people) {
		if (buf_init(&b, 1, 1 << 16))
			msg_die("out of memory");
		check(a, answer_table(&b, answer));
		buf_flush(&b);
		buf_free(&b);
		return;
	}
	while ((more = sqlite_answer_next(answer, cells)) == 1)
		print_row(sqlite_answer_shape(answer), cells);
	check(a, more);
}

static void ask(struct asking *a, bool people)
{
	const char *sql = a->sql ? a->sql : a->query.sql;
	struct sqlite_answer *answer;

	check(a, sqlite_ask(a->s, sql, a->sql ? strlen(sql) :
			    a->query.sql_len, &answer));
	print(a, answer, people);
	sqlite_answer_free(answer);
}

static void forget(struct asking *a)
{
	for (unsigned int i = 0; i < ASKED_TABLES; i++)
		for (unsigned int n = 0; n < a->sources[i].shape.count; n++)
			free((char *)a->sources[i].columns[n].name);
	sqlite_free(a->s);
}

int main(int argc, char **argv)
{
	struct asking a = { .sources = {
		{ "ios", ".ios.csv", ",", .number = -1 },
		{ "latency", ".latency.tsv", "\t", .number = -1 },
		{ "segments", ".segments.tsv", "\t", .number = -1 } } };
	const char *question;
	bool people;

	if (argc < 3)
		msg_die("ask DATABASE QUESTION [FILE ...]");
	question = argv[2];
	people = *question == '=';
	a.few = *question == '-';
	question += people || a.few;
	if (!query_find(&a.query, question))
		a.sql = question;
	check(&a, sqlite_open(&a.s, strcmp(argv[1], "-") ? argv[1] : NULL, 1));
	for (int i = 3; i < argc; i++)
		load(&a, argv[i]);
	check(&a, sqlite_end(a.s, a.few ? QUERIES_ONE_RUN : sql_sqlite_views));
	ask(&a, people);
	forget(&a);
	return 0;
}
