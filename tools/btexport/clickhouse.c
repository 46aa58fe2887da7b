/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables in ClickHouse; see clickhouse.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/btexport/clickhouse.h"

#define PLAIN "clickhouse://"
#define SECURE "clickhouses://"
/* tables that views fill, too */
#define BY_TOKEN "&deduplicate_blocks_in_dependent_materialized_views=1" \
	"&insert_deduplication_token="
#define AGAIN ", e.what() = "

enum { SERVERS = 16, SAID = 512 };

struct clickhouse {
	struct http *http;
	char *text;		/* the URL, cut into these: */
	const char *user;	/* or NULL */
	const char *servers[SERVERS];	/* HOST[:PORT] */
	unsigned int count, at;	/* at: the one used last */
	const char *database;
	bool secure;
	bool asked, knows_token;
	char why[HTTP_WHY + SAID];
};

/* --- URLs ----------------------------------------------------------------- */

static const char *after_scheme(const char *text)
{
	if (!strncmp(text, PLAIN, strlen(PLAIN)))
		return text + strlen(PLAIN);
	if (!strncmp(text, SECURE, strlen(SECURE)))
		return text + strlen(SECURE);
	return NULL;
}

/* a database's name needs no quotes and no escapes */
static bool is_name(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return len && !text[len];
}

bool clickhouse_is_url(const char *text)
{
	const char *at = after_scheme(text);
	const char *slash = at ? strchr(at, '/') : NULL;

	return slash && slash > at && is_name(slash + 1);
}

static void split(struct clickhouse *c)
{
	char *at = (char *)(uintptr_t)after_scheme(c->text);
	char *slash = strchr(at, '/'), *user = strchr(at, '@');

	c->secure = !strncmp(c->text, SECURE, strlen(SECURE));
	*slash = '\0';
	c->database = slash + 1;
	if (user && user < slash) {
		*user = '\0';
		c->user = at;
		at = user + 1;
	}
	while (at && c->count < SERVERS) {
		char *comma = strchr(at, ',');

		if (comma)
			*comma++ = '\0';
		c->servers[c->count++] = at;
		at = comma;
	}
}

int clickhouse_new(struct clickhouse **out, const char *url,
		   const volatile sig_atomic_t *stop)
{
	struct clickhouse *c = calloc(1, sizeof(*c));
	int err;

	*out = c;
	if (!c)
		return -ENOMEM;
	c->text = strdup(url);
	err = c->text ? http_new(&c->http, stop) : -ENOMEM;
	if (!err) {
		split(c);
		return 0;
	}
	clickhouse_free(c);
	*out = NULL;
	return err;
}

void clickhouse_free(struct clickhouse *c)
{
	if (!c)
		return;
	http_free(c->http);
	free(c->text);
	free(c);
}

const char *clickhouse_server(const struct clickhouse *c)
{
	return c->servers[c->at];
}

const char *clickhouse_why(const struct clickhouse *c)
{
	return c->why;
}

/* --- requests ------------------------------------------------------------- */

/* The URL of a request to the current server, to be freed; NULL: no memory. */
static char *url_of(struct clickhouse *c, const char *insert, const char *rest)
{
	const char *server = clickhouse_server(c);
	char *escaped = http_escaped(c->http, insert), *url = NULL;
	const char *port = strrchr(server, ':');

	if (port && strchr(port, ']'))
		port = NULL;	/* it is an address of IPv6 */
	if (escaped &&
	    asprintf(&url, "http%s://%s%s%s%s/?database=%s%s%s%s",
		     c->secure ? "s" : "", c->user ? c->user : "",
		     c->user ? "@" : "", server,
		     port ? "" : c->secure ? ":8443" : ":8123", c->database,
		     *insert ? "&query=" : "", escaped, rest) < 0)
		url = NULL;
	free(escaped);
	return url;
}

/* The length of the server's words: a line, without the second time that old
 * releases say it. */
static int said_length(const char *answer)
{
	size_t said = strcspn(answer, "\n");
	const char *again = memmem(answer, said, AGAIN, strlen(AGAIN));

	if (again)
		said = (size_t)(again - answer);
	return said < SAID ? (int)said : SAID - 1;
}

static void keep_why(struct clickhouse *c, const char *why, const char *answer)
{
	int said = answer ? said_length(answer) : 0;

	snprintf(c->why, sizeof(c->why), "%s%s%.*s", why,
		 *why && said ? ": " : "", said, said ? answer : "");
}

/* One server after the other, from the one used last on. */
static int post(struct clickhouse *c, const char *query, const char *rest,
		const struct http_files *files, char **answer)
{
	int err = -ECONNREFUSED;

	for (unsigned int i = 0; err == -ECONNREFUSED && i < c->count; i++) {
		char why[HTTP_WHY], *url;

		if (i)
			c->at = (c->at + 1) % c->count;
		url = url_of(c, files ? query : "", rest);
		if (!url)
			return -ENOMEM;
		err = http_post(c->http, url, files, files ? NULL : query,
				answer, why);
		keep_why(c, why, err ? *answer : NULL);
		free(url);
		if (err) {
			free(*answer);
			*answer = NULL;
		}
	}
	return err;
}

int clickhouse_ask(struct clickhouse *c, const char *query, char **answer)
{
	return post(c, query, "", NULL, answer);
}

int clickhouse_run(struct clickhouse *c, const char *query, const char *id)
{
	char rest[128], *answer;
	int err;

	snprintf(rest, sizeof(rest), "&query_id=%s", id);
	err = post(c, query, rest, NULL, &answer);
	if (!err)
		free(answer);
	return err;
}

/* whether the servers know insert_deduplication_token */
static int find_token(struct clickhouse *c)
{
	char *answer;
	int err;

	if (c->asked)
		return 0;
	err = clickhouse_ask(c, "SELECT count() FROM system.settings WHERE"
			     " name = 'insert_deduplication_token'", &answer);
	if (err)
		return err;
	c->asked = true;
	c->knows_token = *answer == '1';
	free(answer);
	return 0;
}

int clickhouse_insert(struct clickhouse *c, const char *table,
		      const struct http_files *files, const char *token)
{
	char query[128], rest[256], *answer;
	int err = find_token(c);

	if (err)
		return err;
	snprintf(rest, sizeof(rest), "&query_id=%s%s%s", token,
		 c->knows_token ? BY_TOKEN : "", c->knows_token ? token : "");
	snprintf(query, sizeof(query), "INSERT INTO %s FORMAT RowBinary",
		 table);
	err = post(c, query, rest, files, &answer);
	if (!err)
		free(answer);
	return err;
}
