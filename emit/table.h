/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of texts, printed with its columns aligned.
 *
 * Columns have the width that they were given unless a cell needs more.  A
 * table that is wider than the line first leaves out spare columns, then takes
 * the slack of columns from the left, then leaves others out, those with the
 * highest number first, then cuts the first column.
 */
#ifndef EMIT_TABLE_H
#define EMIT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;			/* base/buf.h */

struct table_column {
	const char *heading;	/* UTF-8, as all cells */
	unsigned int width;	/* usual, in columns of the terminal */
	bool left;		/* aligned; else right */
	unsigned int leave;	/* 0: never left out */
};

enum {
	TABLE_COLUMNS = 40,	/* at most */
	TABLE_SPARE = 20,	/* columns that leave from here on are spare */
};

struct table {
	struct table_column columns[TABLE_COLUMNS];
	unsigned int column_count;
	char *text;		/* cells, each with its NUL, row by row */
	size_t len, size, rows;
	unsigned int at;	/* the next cell's column */
	bool failed;		/* no memory: a row is missing */
};

/* an all-zero table has no columns */
void table_free(struct table *t);

/* one more column, before the first cell; the heading is not copied */
void table_column(struct table *t, struct table_column column);

/* the next cell, copied; a row is full when every column has one */
void table_cell(struct table *t, const char *text);

/* printed over the columns' whole width: the row's only text */
void table_line(struct table *t, const char *text);

/*
 * Prints the headings, if head is wanted, and all rows since the last print;
 * no line is longer than width.  0, or -ENOMEM: rows are missing.
 */
int table_print(struct table *t, struct buf *b, unsigned int width, bool head);

/* columns of a terminal that text takes: its characters */
unsigned int table_width(const char *text);

#endif
