/* SPDX-License-Identifier: GPL-2.0-only */
/* Ships exported segments to ClickHouse; see ship.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "tools/btexport/batch.h"
#include "tools/btexport/clickhouse.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/ship.h"
#include "tools/btexport/tables.h"

#define ROLLUP "latency_10m"
#define ROLLUP_IN "latency_10m_in"

enum {
	WAIT_MS = 200,		/* for more parts, */
	AGAIN_MS = 1000		/* and after a failure */
};

struct shipping {
	struct batch batch;
	struct clickhouse *engine;
	struct ship_counts *counts;
	const volatile sig_atomic_t *stop;
	char said[512];		/* the last failure that was reported */
};

/* the order in which tables are sent: segments last, as others are there then */
static const enum table_kind order[] = { TABLE_IOS, TABLE_EVENTS,
					 TABLE_LATENCY, TABLE_META,
					 TABLE_COMMITS, TABLE_SEGMENTS };

static void wait_ms(unsigned int ms)
{
	usleep(ms * 1000);
}

/* --- what the server has -------------------------------------------------- */

/* appends the batch's traces: ('...','...') */
static void put_traces(const struct shipping *s, FILE *out)
{
	const char *before = "(";

	for (size_t i = 0; i < s->batch.count; i++) {
		const struct part *p = &s->batch.parts[i];

		/* parts are listed by trace */
		if (i && !strcmp(p->trace, p[-1].trace))
			continue;
		fprintf(out, "%s'%s'", before, p->trace);
		before = ",";
	}
	fputs(")", out);
}

/* A query, each % in its text the batch's traces, to be freed; NULL: no memory. */
static char *about_traces(const struct shipping *s, const char *query)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	for (; *query; query++) {
		if (*query == '%')
			put_traces(s, out);
		else
			putc(*query, out);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* asks about the batch's traces, as clickhouse_ask(); -ENOMEM */
static int ask(struct shipping *s, const char *query, char **answer)
{
	char *text = about_traces(s, query);
	int err;

	if (!text)
		return -ENOMEM;
	err = clickhouse_ask(s->engine, text, answer);
	free(text);
	return err;
}

/* how many of the server's rows are of a piece that is partly there */
struct finding {
	size_t there, absent;
	const struct part *partly;
};

static void judge(struct part *p, enum table_kind kind, uint64_t rows,
		  struct finding *f)
{
	struct piece *piece = &p->pieces[kind];

	piece->there = rows == piece->rows;
	f->there += piece->there;
	if (rows && !piece->there)
		f->partly = p;
}

static void read_answer(struct shipping *s, enum table_kind kind, char *answer,
			struct finding *f)
{
	char *line, trace[32];
	uint64_t rows;
	int32_t segment;

	while ((line = strsep(&answer, "\n"))) {
		if (sscanf(line, "%31s\t%" SCNd32 "\t%" SCNu64, trace, &segment,
			   &rows) != 3)
			continue;
		for (size_t i = 0; i < s->batch.count; i++) {
			struct part *p = &s->batch.parts[i];

			if (p->segment == segment && p->pieces[kind].rows &&
			    !strcmp(p->trace, trace))
				judge(p, kind, rows, f);
		}
	}
}

static int find_there(struct shipping *s, enum table_kind kind,
		      struct finding *f)
{
	char query[256], *answer;
	int err;

	*f = (struct finding){ .there = 0 };
	for (size_t i = 0; i < s->batch.count; i++)
		s->batch.parts[i].pieces[kind].there = false;
	snprintf(query, sizeof(query), "SELECT trace, segment, count() FROM %s"
		 " WHERE trace IN %% GROUP BY trace, segment FORMAT TSV",
		 tables_get(kind)->name);
	err = ask(s, query, &answer);
	if (err)
		return err;
	read_answer(s, kind, answer, f);
	free(answer);
	for (size_t i = 0; i < s->batch.count; i++)
		f->absent += s->batch.parts[i].pieces[kind].rows &&
			     !s->batch.parts[i].pieces[kind].there;
	return 0;
}

enum engine { ENGINE_NONE, ENGINE_PLAIN, ENGINE_REPLICATED };

/* how the server stores a table, ENGINE_NONE: it has no such table */
static int find_engine(struct shipping *s, const char *table, enum engine *is)
{
	char text[256], *answer;
	int err;

	snprintf(text, sizeof(text), "SELECT engine FROM system.tables WHERE"
		 " database = currentDatabase() AND name = '%s' FORMAT TSV",
		 table);
	err = clickhouse_ask(s->engine, text, &answer);
	if (err)
		return err;
	*is = !strncmp(answer, "Replicated", strlen("Replicated")) ?
		ENGINE_REPLICATED : *answer ? ENGINE_PLAIN : ENGINE_NONE;
	free(answer);
	return 0;
}

/* A block that was cut in two by a day's partitions: its half is removed, and we
 * come again. */
static int remove_half(struct shipping *s, const char *table,
		       const struct part *p)
{
	char text[256], *answer;
	int err;

	snprintf(text, sizeof(text), "ALTER TABLE %s DELETE WHERE trace = '%s'"
		 " AND segment = %" PRId32, table, p->trace, p->segment);
	err = clickhouse_ask(s->engine, text, &answer);
	if (!err)
		free(answer);
	return err ? err : -EAGAIN;
}

/* What we, or one before us, have sent may still be on its way into the table.
 * 0: not; -EAGAIN; or as clickhouse_ask() */
static int find_running(struct shipping *s, const char *token)
{
	char text[256], *answer;
	bool runs;
	int err;

	snprintf(text, sizeof(text), "SELECT count() FROM system.processes"
		 " WHERE query_id = '%s' FORMAT TSV", token);
	err = clickhouse_ask(s->engine, text, &answer);
	if (err)
		return err;
	runs = *answer != '0';
	free(answer);
	return runs ? -EAGAIN : 0;
}

/* In doubt: what of a table must be sent.  1: all, as it was; 0: only what is not
 * there; or as clickhouse_ask(), -EAGAIN */
static int clear_up(struct shipping *s, enum table_kind kind,
		    const char *token)
{
	const char *table = tables_get(kind)->name;
	struct finding f;
	enum engine engine;
	int err = find_running(s, token);

	if (!err)
		err = find_there(s, kind, &f);
	if (err || (!f.partly && !f.absent))
		return err;
	err = find_engine(s, table, &engine);
	if (err)
		return err;
	/* it knows the block, or the rest of it is missing */
	if (engine == ENGINE_REPLICATED)
		return 1;
	return f.partly ? remove_half(s, table, f.partly) : 0;
}

/* --- sending -------------------------------------------------------------- */

/* Inserts files of a table, of its pieces that are not there or all.  As
 * clickhouse_insert(), -ENOMEM */
static int insert(struct shipping *s, enum table_kind kind, const char *to,
		  const char *token, bool all)
{
	const char **paths = calloc(s->batch.count + 1, sizeof(*paths));
	struct http_files files = { .paths = paths };
	int err = 0;

	if (!paths)
		return -ENOMEM;
	for (size_t i = 0; i < s->batch.count; i++) {
		const struct piece *piece = &s->batch.parts[i].pieces[kind];

		if (piece->rows && (all || !piece->there))
			paths[files.count++] = piece->path;
	}
	if (files.count)
		err = clickhouse_insert(s->engine, to, &files, token);
	free(paths);
	return err;
}

static int send_table(struct shipping *s, enum table_kind kind)
{
	const char *table = tables_get(kind)->name;
	char token[BATCH_TOKEN];
	int all = 1;

	batch_token(&s->batch, table, token);
	if (s->batch.doubted)
		all = clear_up(s, kind, token);
	return all < 0 ? all : insert(s, kind, table, token, all);
}

/* --- the roll-up ---------------------------------------------------------- */

#define SLOT "intDiv(ifNull(minute_unix_ns, 0), 600000000000) * 600000000000"

/* I/Os of the batch's traces, in the roll-up since latency begins, as older ones may
 * have been dropped there, and in latency */
struct compared {
	uint64_t since;		/* ns since 1970 */
	uint64_t has, wanted;
};

static int compare(struct shipping *s, struct compared *c)
{
	char *answer;
	int err = ask(s, "SELECT since, has, wanted FROM (SELECT 1 AS one,"
		      " min(" SLOT ") AS since, sum(count) AS wanted FROM latency"
		      " WHERE trace IN %) ANY INNER JOIN (SELECT 1 AS one,"
		      " sum(count) AS has FROM " ROLLUP " WHERE trace IN % AND"
		      " from_unix_ns >= (SELECT min(" SLOT ") FROM latency"
		      " WHERE trace IN %)) USING (one) FORMAT TSV", &answer);

	if (err)
		return err;
	err = sscanf(answer, "%" SCNu64 "\t%" SCNu64 "\t%" SCNu64, &c->since,
		     &c->has, &c->wanted) == 3 ? 0 : -EPROTO;
	free(answer);
	return err;
}

/* Makes the roll-up of the batch's traces anew: removes it, and once that is done
 * adds up latency. */
static int make_anew(struct shipping *s, const struct compared *c,
		     const char *token)
{
	char query[256], *text;
	int err;

	snprintf(query, sizeof(query), c->has ?
		 "ALTER TABLE " ROLLUP " DELETE WHERE trace IN %%"
		 " AND from_unix_ns >= %" PRIu64 :
		 "INSERT INTO " ROLLUP_IN " SELECT * FROM latency"
		 " WHERE trace IN %%", c->since);
	text = about_traces(s, query);
	if (!text)
		return -ENOMEM;
	err = clickhouse_run(s->engine, text, token);
	free(text);
	return err ? err : -EAGAIN;
}

/* A roll-up's rows are sums, which do not know their segments.  In doubt they are
 * compared with latency, which has the batch by then.  As clear_up() */
static int clear_up_rollup(struct shipping *s, const char *token)
{
	struct compared c;
	uint64_t sent = 0;
	int err = find_running(s, token);

	if (!err)
		err = compare(s, &c);
	if (err || c.has == c.wanted)
		return err;
	for (size_t i = 0; i < s->batch.count; i++)
		sent += s->batch.parts[i].pieces[TABLE_LATENCY].sum;
	return c.has + sent == c.wanted ? 1 : make_anew(s, &c, token);
}

/* Latency once more, for the server to add up; tables that were made without a
 * roll-up stay without. */
static int send_rollup(struct shipping *s)
{
	enum engine engine;
	char token[BATCH_TOKEN];
	int all, err = find_engine(s, ROLLUP, &engine);

	if (err || engine == ENGINE_NONE)
		return err;
	batch_token(&s->batch, ROLLUP, token);
	all = s->batch.doubted && engine == ENGINE_PLAIN ?
		clear_up_rollup(s, token) : 1;
	return all <= 0 ? all : insert(s, TABLE_LATENCY, ROLLUP_IN, token, true);
}

/* 0: the server has the batch; or as clickhouse_insert(), -EAGAIN */
static int send_batch(struct shipping *s)
{
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(order) / sizeof(*order); i++)
		if (s->batch.rows[order[i]]) {
			err = send_table(s, order[i]);
			if (!err && order[i] == TABLE_LATENCY)
				err = send_rollup(s);
		}
	if (err)
		s->batch.doubted = true;
	return err;
}

/* --- ship ----------------------------------------------------------------- */

static void report(struct shipping *s, int err)
{
	char what[sizeof(s->said)];

	snprintf(what, sizeof(what), "%s", *clickhouse_why(s->engine) ?
		 clickhouse_why(s->engine) : strerror(-err));
	atomic_fetch_add(&s->counts->failures, 1);
	if (!strcmp(what, s->said))
		return;
	msg_warn("ClickHouse at %s: %s: what is exported waits",
		 clickhouse_server(s->engine), what);
	strcpy(s->said, what);
}

static void count(struct ship_counts *c, const struct batch_sums *done)
{
	atomic_fetch_add(&c->parts, done->parts);
	atomic_fetch_add(&c->rows, done->rows);
	atomic_fetch_add(&c->bytes, done->bytes);
	atomic_fetch_sub(&c->waiting, done->bytes);
}

/* 1: a batch was sent; 0: none waits; or -errno: it waits. */
static int step(struct shipping *s)
{
	bool taken = s->batch.listed;
	struct batch_sums done;
	int err = 0;

	if (!batch_take(&s->batch))
		return 0;
	/* what was sent a moment ago is known to the server by then */
	if (!taken && s->batch.doubted)
		wait_ms(AGAIN_MS);
	if (!s->batch.sent)
		err = send_batch(s);
	if (err)
		return err;
	if (!batch_done(&s->batch, &done))
		return -EIO;
	count(s->counts, &done);
	if (*s->said)
		msg_warn("ClickHouse at %s: has what waited",
			 clickhouse_server(s->engine));
	*s->said = '\0';
	return 1;
}

int ship(const char *folder, const char *url, struct ship_counts *c,
	 const volatile sig_atomic_t *stop)
{
	struct shipping s = { .counts = c, .stop = stop };
	int err = clickhouse_new(&s.engine, url, stop);

	if (err || batch_init(&s.batch, folder)) {
		msg_warn("out of memory");
		return 1;
	}
	while (!*stop) {
		err = step(&s);
		if (err < 0 && err != -EAGAIN && err != -EINTR)
			report(&s, err);
		if (err <= 0 && !*stop)
			wait_ms(err ? AGAIN_MS : WAIT_MS);
	}
	batch_free(&s.batch);
	clickhouse_free(s.engine);
	return 0;
}
