/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ready queries: all of an engine as text, and SQLite's by name.
 */
#ifndef TOOLS_BTEXPORT_QUERIES_H
#define TOOLS_BTEXPORT_QUERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "emit/ddl.h"

struct buf;			/* base/buf.h */

/* in place of a name: print the list of names */
#define QUERIES_LIST "list"

/* For sqlite_end(), in place of a database's views: one run has no traces that
 * overlap. */
#define QUERIES_ONE_RUN \
	"CREATE VIEW ios_once AS SELECT * FROM ios;" \
	"CREATE VIEW latency_once AS SELECT * FROM latency;"

/* texts are constant, without NUL */
struct query {
	const char *words;	/* what it answers, in a line */
	size_t words_len;
	const char *sql;	/* the statement, for sqlite_ask() */
	size_t sql_len;
};

/* all queries of an engine, as in doc/sql, after what they need */
const char *queries_text(enum ddl_engine engine);

/* the names, in the order of the file, then QUERIES_LIST; NULL at the end */
const char *queries_word(unsigned int nr);

/* false: no query of that name */
bool query_find(struct query *q, const char *name);

/* whether it reads a table, by itself or by its view TABLE_once, and whether it may need a column */
bool query_reads(const struct query *q, const char *table);
bool query_names(const struct query *q, const char *column);

/* a line for each: its name and words */
void queries_list(struct buf *b);

#endif
