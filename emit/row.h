/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of a table, for other programs: what every row format has in common.
 *
 * A format (csv, jsonl, parquet, sqlite) knows columns and cells and nothing
 * of events or ios; whoever fills cells knows nothing of formats.
 */
#ifndef EMIT_ROW_H
#define EMIT_ROW_H

#include <stdbool.h>
#include <stdint.h>

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
	const char *words;	/* what it means, in a line */
};

/* what is not known is null: never an empty text, never -1 */
struct cell {
	union {
		int64_t number;	/* fits the column's type */
		const char *text;	/* valid UTF-8, len bytes, no NUL
					 * needed; good until the row's end */
	};
	uint32_t len;		/* of a text */
	bool null;		/* only where the column may be; then neither
				 * of the others counts */
};

/* columns of one table in the order in which they are wanted */
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
	struct tasks *tasks;	/* by these threads, too; or NULL */
	unsigned int schema;	/* parquet: version of the table's meaning */
};

struct row_writer;

/*
 * A format that is a stream of bytes.  What is written goes to a buf, which
 * keeps the first error of writing; the caller looks at that.
 */
struct row_ops {
	/* the beginning: 0 and *w, or -ENOMEM; *shape and *b stay until the
	 * end, *o need not */
	int (*open)(struct row_writer **w, struct buf *b,
		    const struct row_shape *shape, const struct row_options *o);
	/* a cell for each column of the shape; 0 or -ENOMEM */
	int (*row)(struct row_writer *w, const struct cell *cells);
	/* all rows have come: what follows them (a footer); 0 or -ENOMEM */
	int (*end)(struct row_writer *w);
	/* frees w, whether ended or not; NULL is fine */
	void (*free)(struct row_writer *w);
};

#endif
