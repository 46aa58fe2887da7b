/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table that is exported: its name, and all columns that it can have.
 *
 * New columns are added at the end, and a name never changes its meaning; else
 * ROW_TABLE_SCHEMA rises.  What programs and people are told is made of this:
 * --schema, the beginning of files, doc/schema.md.
 */
#ifndef TOOLS_BTEXPORT_ROW_TABLE_H
#define TOOLS_BTEXPORT_ROW_TABLE_H

#include <stddef.h>

struct column;			/* emit/row.h */

enum { ROW_TABLE_SCHEMA = 1 };

struct row_table {
	const char *name;
	const char *words;	/* what a row is, in a line */
	const void *first;	/* a struct column, or what begins with one */
	size_t step;		/* bytes from there to the next */
	unsigned int count;
};

/* column n, from 0 on */
static inline const struct column *row_table_column(const struct row_table *t,
						    unsigned int n)
{
	return (const struct column *)((const char *)t->first + n * t->step);
}

/* the number of the column whose name are these len bytes, or -1 */
int row_table_find(const struct row_table *t, const char *name, size_t len);

#endif
