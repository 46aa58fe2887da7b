/* SPDX-License-Identifier: GPL-2.0-only */
/* The ready queries; see queries.h. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "tools/btexport/queries.h"
#include "tools/btexport/sql.h"

#define MARK "\n-- name: "

const char *queries_text(enum ddl_engine engine)
{
	static const char *const texts[DDL_ENGINES] = {
		[DDL_SQLITE] = sql_sqlite,
		[DDL_DUCKDB] = sql_duckdb,
		[DDL_CLICKHOUSE] = sql_clickhouse,
	};

	return texts[engine];
}

const char *queries_word(unsigned int nr)
{
	unsigned int i;

	for (i = 0; sql_sqlite_names[i]; i++)
		if (i == nr)
			return sql_sqlite_names[i];
	return i == nr ? QUERIES_LIST : NULL;
}

/* --- one query ------------------------------------------------------------ */

/* at follows the name; a query ends at the next one's mark */
static void take(struct query *q, const char *at)
{
	const char *end = strstr(at, MARK);

	q->words = at + strlen("\n-- ");
	q->words_len = strcspn(q->words, "\n");
	q->sql = q->words + q->words_len + 1;
	q->sql_len = end ? (size_t)(end - q->sql) : strlen(q->sql);
}

bool query_find(struct query *q, const char *name)
{
	const char *at = sql_sqlite;
	size_t len = strlen(name);

	while ((at = strstr(at, MARK))) {
		at += strlen(MARK);
		if (strcspn(at, "\n") != len || memcmp(at, name, len))
			continue;
		take(q, at + len);
		return true;
	}
	return false;
}

/* --- tables and columns --------------------------------------------------- */

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* whether text is in the statement as complete words, but not at its start */
static bool has(const struct query *q, const char *text)
{
	const char *at = q->sql, *end = q->sql + q->sql_len;
	size_t len = strlen(text);

	while ((at = memmem(at, (size_t)(end - at), text, len))) {
		if (!is_letter(at[-1]) && !is_letter(at[len]))
			return true;
		at++;
	}
	return false;
}

bool query_reads(const struct query *q, const char *table)
{
	char text[64];
	int len = snprintf(text, sizeof(text), "FROM %s_once", table);

	if (has(q, text))
		return true;
	text[len - (int)strlen("_once")] = '\0';
	return has(q, text);
}

bool query_names(const struct query *q, const char *column)
{
	return has(q, column);
}

/* --- all queries ---------------------------------------------------------- */

void queries_list(struct buf *b)
{
	struct query q;
	unsigned int i;

	for (i = 0; sql_sqlite_names[i]; i++)
		if (query_find(&q, sql_sqlite_names[i]))
			buf_printf(b, "%-12s%.*s\n", sql_sqlite_names[i],
				   (int)q.words_len, q.words);
}
