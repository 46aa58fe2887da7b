/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of texts, printed with aligned columns.
 *
 * Columns have their usual width unless a cell needs more.  A table wider than
 * the line first leaves out spare columns, then narrows columns to their cells
 * from the left, then leaves out others, the highest number first, then cuts
 * the first column.
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
	TABLE_SPARE = 20,	/* a column with this leave or more is spare */
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

/* adds a column, before the first cell; the heading is not copied */
void table_column(struct table *t, struct table_column column);

/* the next cell, copied; the last column ends a row */
void table_cell(struct table *t, const char *text);

/* a row of one text, across all columns */
void table_line(struct table *t, const char *text);

/*
 * Prints the headings, if head, and all rows since the last print, in lines of
 * at most width.  0, or -ENOMEM: rows are missing.
 */
int table_print(struct table *t, struct buf *b, unsigned int width, bool head);

/* terminal columns of text, one for each character */
unsigned int table_width(const char *text);

#endif
