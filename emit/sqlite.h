/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An SQLite database: tables written row by row, then queried.
 *
 * Functions return 0 or more, or -errno: -ENOMEM, -ENOSPC (disk full), -EINTR
 * (by sqlite_stop_when()), -ENOSYS (built without the library), else -EIO.
 * sqlite_error() has the message.
 *
 * All is one transaction without a journal: a file without sqlite_end() is no
 * database.  To keep an old one, write a new file, sync and rename it.
 */
#ifndef EMIT_SQLITE_H
#define EMIT_SQLITE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

struct cell;			/* emit/row.h */
struct row_shape;		/* emit/row.h */
struct sqlite;
struct sqlite_answer;

enum {
	SQLITE_APPLICATION = 0x626c6b74,	/* the files' application_id */
	SQLITE_TABLES = 8		/* of a database at most */
};

/*
 * Creates a database in a new or empty file, or (path NULL) in memory.  schema:
 * the version of the tables.  Free *s even after failure; it is NULL without
 * memory or library.
 */
int sqlite_open(struct sqlite **s, const char *path, uint32_t schema);

/* why the last call failed, until the next call; s may be NULL */
const char *sqlite_error(const struct sqlite *s);

/* from now on, calls end with -EINTR soon after *stop has one of these bits */
void sqlite_stop_when(struct sqlite *s, const volatile sig_atomic_t *stop,
		      int bits);

/* creates a table and returns its number, from 0; the shape is not kept */
int sqlite_table(struct sqlite *s, const struct row_shape *shape);

/* adds a row: a cell for each column of the table's shape */
int sqlite_row(struct sqlite *s, unsigned int table, const struct cell *cells);

/*
 * Ends the tables.  script: statements that create indexes and views, or NULL;
 * those that name a missing column or table are skipped.  A file is complete
 * after sqlite_free().
 */
int sqlite_end(struct sqlite *s, const char *script);

/* NULL is fine */
void sqlite_free(struct sqlite *s);

/*
 * Runs one query, the len bytes of sql, after sqlite_end().  *a must be freed
 * before s.  -E2BIG: the answer has more than ROW_COLUMNS columns.
 */
int sqlite_ask(struct sqlite *s, const char *sql, size_t len,
	       struct sqlite_answer **a);

/*
 * The answer's columns: text where they come from a column of text, else 64-bit
 * integers; all may be null.  Owned by a.
 */
const struct row_shape *sqlite_answer_shape(const struct sqlite_answer *a);

/* 1: cells has the next row, with texts until the next call; 0: no more rows;
 * or -errno */
int sqlite_answer_next(struct sqlite_answer *a, struct cell *cells);

void sqlite_answer_free(struct sqlite_answer *a);

#endif
