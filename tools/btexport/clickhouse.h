/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables in ClickHouse, by its HTTP interface: --to=clickhouse://HOST/DB.
 *
 * Of several servers, replicas of one another, the first that answers is used
 * until it does not.
 */
#ifndef TOOLS_BTEXPORT_CLICKHOUSE_H
#define TOOLS_BTEXPORT_CLICKHOUSE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/btexport/http.h"

struct clickhouse;

/* whether text is as above: clickhouse[s]://[USER@]HOST[:PORT][,HOST...]/DB */
bool clickhouse_is_url(const char *text);

/* 0 and *c; or as http_new() */
int clickhouse_new(struct clickhouse **c, const char *url,
		   const volatile sig_atomic_t *stop);

/*
 * Inserts files of RowBinary, in the order of the table's columns, as one block
 * if they have fewer than 2^20 rows.  token: the same for the same rows, the
 * query's id and, for servers that know it, insert_deduplication_token; older ones
 * know replicated blocks by their bytes.  As http_post(), after which other
 * servers were tried; the server's words are in clickhouse_why().
 */
int clickhouse_insert(struct clickhouse *c, const char *table,
		      const struct http_files *files, const char *token);

/* asks: *answer, to be freed, is TSV; as clickhouse_insert() */
int clickhouse_ask(struct clickhouse *c, const char *query, char **answer);

/* runs a statement without an answer, id: the query's; as clickhouse_insert() */
int clickhouse_run(struct clickhouse *c, const char *query, const char *id);

/* the server that was used last, and why a call failed */
const char *clickhouse_server(const struct clickhouse *c);
const char *clickhouse_why(const struct clickhouse *c);

/* NULL is fine */
void clickhouse_free(struct clickhouse *c);

#endif
