/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ready queries: those that can be printed for an engine, and of SQLite's
 * one by its name.
 */
#ifndef TOOLS_BTEXPORT_QUERIES_H
#define TOOLS_BTEXPORT_QUERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "emit/ddl.h"

struct buf;			/* base/buf.h */

/* what stands for the list of all, where else a name does */
#define QUERIES_LIST "list"

/* texts are constant, and not ended by a NUL but by their length */
struct query {
	const char *words;	/* what it answers, in a line */
	size_t words_len;
	const char *sql;	/* the statement, as sqlite_ask() takes it */
	size_t sql_len;
};

/* all queries of an engine, as in doc/sql, what must be there before first */
const char *queries_text(enum ddl_engine engine);

/* the names, in the order of the file, then "list"; NULL at the end */
const char *queries_word(unsigned int nr);

/* whether there is one of that name; then it is in *q */
bool query_find(struct query *q, const char *name);

/* whether it is about a table, and whether it may need a column of that */
bool query_reads(const struct query *q, const char *table);
bool query_names(const struct query *q, const char *column);

/* a line for each: its name, and what it answers */
void queries_list(struct buf *b);

#endif
