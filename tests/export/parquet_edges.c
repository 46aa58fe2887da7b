// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parquet files at the edges of the format, and the values that are in them.
 *
 *	parquet_edges DIRECTORY [SEED...]
 *
 * writes NAME.parquet and NAME.tsv (names first, \N is null) for each case, and
 * prints the names; a SEED adds the case seed-SEED, of chance.  All have six
 * columns: numbers of 64 and 32 bits and texts, each of them once as it is, and
 * once with nulls.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "emit/parquet.h"
#include "emit/row.h"

static const struct column columns[] = {
	{ "wide", COLUMN_INT64, false, "", "" },
	{ "wide_null", COLUMN_INT64, true, "", "" },
	{ "slim", COLUMN_INT32, false, "", "" },
	{ "slim_null", COLUMN_INT32, true, "", "" },
	{ "word", COLUMN_TEXT, false, "", "" },
	{ "word_null", COLUMN_TEXT, true, "", "" },
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static const struct column *const order[COLUMNS] = {
	&columns[0], &columns[1], &columns[2], &columns[3], &columns[4],
	&columns[5]
};

static const struct row_shape shape = { "edges", order, COLUMNS };

enum { TEXT = 4200 };

/* what a row has; int32 columns have number cut to theirs */
struct values {
	uint64_t seed;
	int64_t number;
	bool null;
	char text[TEXT];
};

typedef void make_fn(struct values *v, uint32_t row);

/* --- kinds of values ----------------------------------------------------- */

static uint64_t dice(uint64_t seed)
{
	seed = (seed + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
	seed = (seed ^ seed >> 29) * 0x94d049bb133111ebu;
	return seed ^ seed >> 32;
}

static void usual(struct values *v, uint32_t row)
{
	static const char *const words[] = { "read", "write", "discard", "R",
		"a process of more than sixteen bytes" };

	v->number = (int64_t)row * 4096 - row % 7;
	v->null = row % 3 == 0;
	strcpy(v->text, words[dice(row) % 5]);
}

static void extremes(struct values *v, uint32_t row)
{
	static const int64_t ends[] = { INT64_MIN, INT64_MAX, 0, INT32_MIN,
		INT32_MAX, -1, INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, 1,
		(int64_t)INT32_MIN - 1, (int64_t)INT32_MAX + 1 };

	v->number = ends[row % (sizeof(ends) / sizeof(*ends))];
	v->null = row % 17 == 3;
	strcpy(v->text, row % 2 ? "\x7f" : "\xf4\x8f\xbf\xbf");
}

/* all that an int32 column has are its two ends */
static void far_ends(struct values *v, uint32_t row)
{
	v->number = row % 2 ? INT32_MAX : INT64_MIN + INT64_C(0x80000000);
	v->null = false;
	strcpy(v->text, row % 2 ? "z" : "");
}

static void all_null(struct values *v, uint32_t row)
{
	usual(v, row);
	v->null = true;
}

static void page_null(struct values *v, uint32_t row)
{
	usual(v, row);
	v->null = row / 8192 == 1;
}

static void thousandth(struct values *v, uint32_t row)
{
	usual(v, row);
	v->null = row % 1000 != 999;
}

static void empty_texts(struct values *v, uint32_t row)
{
	usual(v, row);
	v->null = dice(row) % 2;
	strcpy(v->text, row % 5 ? "" : " ");
}

static void foreign_texts(struct values *v, uint32_t row)
{
	static const char *const words[] = {
		"gr\xc3\xb6\xc3\x9f" "e",
		"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e",
		"\xf0\x9f\x98\x80 \xf0\x9f\x90\xa7", "\xef\xbf\xbd",
		"comma, \"quote\" and 'quote'", "\x01\x02", "a/b.c:d@e"
	};

	usual(v, row);
	strcpy(v->text, words[row % 7]);
}

static void distinct_texts(struct values *v, uint32_t row)
{
	usual(v, row);
	snprintf(v->text, sizeof(v->text), "text-%u", row % 100000);
}

/* as wide as it gets */
static void chance(struct values *v, uint32_t row)
{
	v->number = (int64_t)dice(row);
	v->null = dice(row + 1) % 4 == 0;
	snprintf(v->text, sizeof(v->text), "%016" PRIx64, dice(row + 2));
}

/* numbers that packing makes no smaller, beside texts that repeat */
static void times(struct values *v, uint32_t row)
{
	v->number = (int64_t)dice(row);
	v->null = row % 8 == 0;
	strcpy(v->text, row % 3 ? "read" : "write");
}

/* they end a group before its time */
static void long_texts(struct values *v, uint32_t row)
{
	usual(v, row);
	memset(v->text, 'a' + (int)(row % 26), TEXT - 1);
	snprintf(v->text + TEXT - 20, 20, "%08x", row);
}

/* runs of all lengths from 1 to 99, and a dictionary that grows */
static void runs(struct values *v, uint32_t row)
{
	uint32_t run = 0, at = row % 4950;

	while (at >= run + 1)
		at -= ++run;
	v->number = (int64_t)(row / 4950 * 100 + run);
	v->null = run % 2;
	snprintf(v->text, sizeof(v->text), "run %" PRId64, v->number);
}

/* every width of a miniblock */
static void widths(struct values *v, uint32_t row)
{
	uint32_t width = row / 128 % 65;

	v->number = width ? (int64_t)(dice(row) >> (64 - width)) : 0;
	v->null = row % 64 == 63;
	snprintf(v->text, sizeof(v->text), "%u", width);
}

/*
 * Stretches of all lengths, each with a habit of its own for nulls, numbers and
 * texts: what one encoding does behind another.
 */
static void mixed(struct values *v, uint32_t row)
{
	uint64_t habit = dice(row / (1 + dice(v->seed + row / 700) % 90) +
			      v->seed * 977);
	uint64_t chance = dice(row + v->seed * 31);
	static const unsigned int null_of[] = { 0, 1, 2, 3, 40, 900 };
	unsigned int nulls = null_of[habit % 6];
	unsigned int width = habit >> 8 & 63;

	v->null = nulls && chance % nulls == 0;
	v->number = habit & 1 << 16 ? (int64_t)(chance >> width) :
		habit & 1 << 17 ? (int64_t)row << width % 32 : (int64_t)habit;
	snprintf(v->text, sizeof(v->text), "%u",
		 (unsigned int)(habit & 1 << 18 ? habit >> 20 & 7 :
				habit & 1 << 19 ? row : chance & 255));
}

/* --- files --------------------------------------------------------------- */

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* Cuts to 32 bits without a conversion that is not defined. */
static int64_t slim(int64_t number)
{
	return (int64_t)((((uint64_t)number & 0xffffffff) ^ 0x80000000) -
			 (uint64_t)0x80000000);
}

static void make_cells(struct cell *cells, const struct values *v)
{
	for (unsigned int i = 0; i < COLUMNS; i++) {
		struct cell *c = &cells[i];

		/* what is null is known to nobody: valgrind would tell */
		c->null = columns[i].may_be_null && v->null;
		if (c->null)
			continue;
		if (columns[i].type == COLUMN_TEXT) {
			c->text = v->text;
			c->len = (uint32_t)strlen(v->text);
		} else {
			c->number = columns[i].type == COLUMN_INT32 ?
				slim(v->number) : v->number;
		}
	}
}

static void print_cells(FILE *tsv, const struct cell *cells)
{
	for (unsigned int i = 0; i < COLUMNS; i++) {
		if (cells[i].null)
			fputs("\\N", tsv);
		else if (columns[i].type == COLUMN_TEXT)
			fputs(cells[i].text, tsv);
		else
			fprintf(tsv, "%" PRId64, cells[i].number);
		putc(i + 1 < COLUMNS ? '\t' : '\n', tsv);
	}
}

static FILE *open_tsv(const char *path)
{
	FILE *tsv = fopen(path, "w");

	if (!tsv)
		die(path);
	for (unsigned int i = 0; i < COLUMNS; i++)
		fprintf(tsv, "%s%c", columns[i].name,
			i + 1 < COLUMNS ? '\t' : '\n');
	return tsv;
}

struct edge {
	const char *name;
	uint32_t rows;
	bool packed;
	make_fn *make;
	uint64_t seed;
};

static void write_rows(struct buf *b, FILE *tsv, const struct edge *e)
{
	const struct row_options o = { .packed = e->packed, .schema = 1 };
	struct row_writer *w;
	static struct values v;

	v.seed = e->seed;
	if (parquet_ops.open(&w, b, &shape, &o))
		die("open");
	for (uint32_t i = 0; i < e->rows; i++) {
		struct cell *cells = malloc(COLUMNS * sizeof(*cells));

		e->make(&v, i);
		make_cells(cells, &v);
		print_cells(tsv, cells);
		if (parquet_ops.row(w, cells))
			die("row");
		free(cells);
	}
	if (parquet_ops.end(w))
		die("end");
	parquet_ops.free(w);
}

static void write_files(const char *folder, const struct edge *e)
{
	char path[512];
	struct buf b;
	FILE *tsv;
	int fd;

	snprintf(path, sizeof(path), "%s/%s.tsv", folder, e->name);
	tsv = open_tsv(path);
	snprintf(path, sizeof(path), "%s/%s.parquet", folder, e->name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || buf_init(&b, fd, 65536))
		die(path);
	write_rows(&b, tsv, e);
	if (buf_flush(&b) || fclose(tsv))
		die(path);
	buf_free(&b);
	close(fd);
	puts(e->name);
}

static void write_seed(const char *folder, const char *seed)
{
	char name[40];
	struct edge e = {
		.name = name, .make = mixed, .seed = strtoull(seed, NULL, 10)
	};

	e.rows = (uint32_t)(dice(e.seed) % 20000);
	e.packed = e.seed % 2;
	snprintf(name, sizeof(name), "seed-%" PRIu64, e.seed);
	write_files(folder, &e);
}

int main(int argc, char **argv)
{
	static const struct edge cases[] = {
		{ "rows-0", 0, false, usual, 0 },
		{ "rows-0-gzip", 0, true, usual, 0 },
		{ "rows-1", 1, false, usual, 0 },
		{ "rows-2-gzip", 2, true, usual, 0 },
		{ "rows-7", 7, false, usual, 0 },
		{ "rows-8", 8, false, usual, 0 },
		{ "rows-9", 9, false, usual, 0 },
		{ "rows-63-gzip", 63, true, usual, 0 },
		{ "rows-64", 64, false, usual, 0 },
		{ "rows-65", 65, false, usual, 0 },
		{ "rows-127", 127, false, usual, 0 },
		{ "rows-128", 128, false, usual, 0 },
		{ "rows-129", 129, false, usual, 0 },
		{ "rows-130", 130, false, usual, 0 },
		{ "rows-8191", 8191, false, usual, 0 },
		{ "rows-8192", 8192, false, usual, 0 },
		{ "rows-8193", 8193, false, usual, 0 },
		{ "rows-8193-gzip", 8193, true, usual, 0 },
		{ "rows-131071", 131071, true, usual, 0 },
		{ "rows-131072", 131072, false, usual, 0 },
		{ "rows-131073", 131073, false, usual, 0 },
		{ "rows-300000-gzip", 300000, true, usual, 0 },
		{ "times-gzip", 280000, true, times, 0 },
		{ "extremes", 1000, false, extremes, 0 },
		{ "extremes-gzip", 9000, true, extremes, 0 },
		{ "far-ends", 300, false, far_ends, 0 },
		{ "all-null", 9000, false, all_null, 0 },
		{ "all-null-gzip", 100, true, all_null, 0 },
		{ "page-null", 24581, false, page_null, 0 },
		{ "thousandth", 20000, false, thousandth, 0 },
		{ "empty-texts", 3000, false, empty_texts, 0 },
		{ "foreign-texts", 3000, true, foreign_texts, 0 },
		{ "distinct-texts", 140000, false, distinct_texts, 0 },
		{ "chance", 30000, false, chance, 0 },
		{ "long-texts", 3000, true, long_texts, 0 },
		{ "runs", 15000, false, runs, 0 },
		{ "widths", 16640, false, widths, 0 },
		{ "mixed", 40000, false, mixed, 0 },
	};

	if (argc < 2) {
		fprintf(stderr, "usage: %s DIRECTORY [SEED...]\n", argv[0]);
		return 2;
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		write_files(argv[1], &cases[i]);
	for (int i = 2; i < argc; i++)
		write_seed(argv[1], argv[i]);
	return 0;
}
