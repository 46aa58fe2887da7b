/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of a table for other programs, common to all row formats (csv, jsonl,
 * parquet, sqlite).  Formats know nothing of events or I/Os, and those who fill
 * cells nothing of formats.
 */
#ifndef EMIT_ROW_H
#define EMIT_ROW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct buf;			/* base/buf.h */
struct tasks;			/* base/tasks.h */

enum column_type {
	COLUMN_TEXT,		/* UTF-8 */
	COLUMN_INT32,		/* signed, as all numbers */
	COLUMN_INT64,
	COLUMN_TYPES
};

struct column {
	const char *name;	/* lower case, no reserved word of any SQL */
	enum column_type type;
	bool may_be_null;
	const char *unit;	/* "ns", "bytes", "sectors of 512 bytes", "" */
	const char *words;	/* its meaning, in a line */
};

/* unknown values are null, never an empty text or -1 */
struct cell {
	union {
		int64_t number;	/* fits the column's type */
		const char *text;	/* valid UTF-8, len bytes, without NUL;
					 * until row() returns */
	};
	uint32_t len;		/* of a text */
	bool null;		/* only if the column may be null */
};

/* a text that stays, or null for NULL */
static inline struct cell cell_text(const char *text)
{
	return (struct cell){ .text = text, .null = !text,
			      .len = text ? (uint32_t)strlen(text) : 0 };
}

/* Only hostile values exceed a column's type. */
static inline struct cell cell_number(uint64_t v)
{
	return (struct cell){ .number = v <= INT64_MAX ? (int64_t)v :
							 INT64_MAX };
}

/* a table's columns, in the order written */
struct row_shape {
	const char *table;	/* its name: "ios" */
	const struct column *const *columns;
	unsigned int count;	/* from 1 to ROW_COLUMNS */
};

enum { ROW_COLUMNS = 80 };	/* of any table at most */

struct row_options {
	bool header;		/* csv, tsv: names first */
	const char *null;	/* csv, tsv: text of null; NULL: the format's */
	bool packed;		/* parquet: pages are gzip'd, */
	struct tasks *tasks;	/* also by these threads, or NULL */
	unsigned int schema;	/* parquet: the schema's version */
};

struct row_writer;

/*
 * A format that is a stream of bytes, written to a buf.  The buf stores the
 * first write error; the caller checks it.
 */
struct row_ops {
	/* 0 and *w, or -ENOMEM; *shape and *b must outlive *w */
	int (*open)(struct row_writer **w, struct buf *b,
		    const struct row_shape *shape, const struct row_options *o);
	/* a cell for each column of the shape; 0 or -ENOMEM */
	int (*row)(struct row_writer *w, const struct cell *cells);
	/* writes what follows the rows, such as a footer; 0 or -ENOMEM */
	int (*end)(struct row_writer *w);
	/* NULL is fine */
	void (*free)(struct row_writer *w);
};

#endif
