/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A database of SQLite: tables written row by row, then asked.
 *
 * Built without the library every function says that by -ENOSYS, and
 * sqlite_error() in words.  Functions return 0 or more, or -errno: -ENOMEM,
 * -ENOSPC when the disk is full, -EINTR when sqlite_stop_when() said so, else
 * -EIO; sqlite_error() has what the library says of it.
 *
 * All is one transaction without a journal: a file that was not ended is no
 * database.  Whoever wants the old one kept gives the name of a new file, syncs
 * and renames it.
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
	SQLITE_APPLICATION = 0x626c6b74,	/* what files are marked as */
	SQLITE_TABLES = 8		/* of a database at most */
};

/*
 * Begins a database in a file that is not there yet, or is empty; path NULL:
 * in memory.  schema: the version of what tables mean.  *s is to be freed even
 * if this fails; it is NULL if there is no memory, or no library.
 */
int sqlite_open(struct sqlite **s, const char *path, uint32_t schema);

/* why the last call failed, good until the next; s may be NULL */
const char *sqlite_error(const struct sqlite *s);

/* From now on work ends with -EINTR soon after *stop has one of these bits. */
void sqlite_stop_when(struct sqlite *s, const volatile sig_atomic_t *stop,
		      int bits);

/* Creates a table, before the end; returns its number, from 0 on.  The shape
 * is not kept. */
int sqlite_table(struct sqlite *s, const struct row_shape *shape);

/* one more row of a table: a cell for each column of its shape */
int sqlite_row(struct sqlite *s, unsigned int table, const struct cell *cells);

/*
 * All rows have come.  script: statements that create indexes and views, or
 * NULL; those which name columns or tables that are not there are left out.
 * Then everything is written; a file is complete when s is freed.
 */
int sqlite_end(struct sqlite *s, const char *script);

/* closes and frees, whether ended or not; NULL is fine */
void sqlite_free(struct sqlite *s);

/*
 * Asks one question, the len bytes of sql, after the end.  *a is to be freed
 * before s.  -E2BIG: its answer has more than ROW_COLUMNS columns.
 */
int sqlite_ask(struct sqlite *s, const char *sql, size_t len,
	       struct sqlite_answer **a);

/*
 * What rows of the answer are: what comes from a column of text is text, all
 * else an integer of 64 bits; all may be null.  Good as long as a.
 */
const struct row_shape *sqlite_answer_shape(const struct sqlite_answer *a);

/* 1: the next row is in cells, texts good until the next call; 0: there are
 * no more; or -errno */
int sqlite_answer_next(struct sqlite_answer *a, struct cell *cells);

void sqlite_answer_free(struct sqlite_answer *a);

#endif
