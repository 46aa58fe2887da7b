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

#include "base/array.h"
#include "base/buf.h"
#include "base/fnv.h"
#include "base/folder.h"
#include "base/msg.h"
#include "cli/outfile.h"
#include "tools/btexport/clickhouse.h"
#include "tools/btexport/manifest.h"
#include "tools/btexport/ship.h"
#include "tools/btexport/tables.h"

#define BATCH "manifest/batch"
#define HEADING "btexport-batch 1\n"
#define SENT "sent\n"
#define ROLLUP "latency_10m"
#define ROLLUP_IN "latency_10m_in"

enum {
	PARTS = 1024,		/* of a batch at most, */
	ROWS = 1 << 18,		/* rows of a table: a server takes some 1 KiB of
				 * memory for each of a block, */
	BYTES = 256 << 20,	/* and bytes; one part is always taken */
	LINE = 4096,
	WAIT_MS = 200,		/* for more parts, */
	AGAIN_MS = 1000,	/* and after a failure */
	TOKEN = 64
};

/* a table of a part */
struct piece {
	char *path;		/* NULL: no such table */
	uint64_t rows;
	uint64_t sum;		/* of the first of its columns that are summed */
	bool there;		/* the server has them */
};

struct part {
	char *manifest;		/* its path */
	char *trace;
	int32_t segment;
	uint64_t bytes;
	struct piece pieces[TABLES];
};

struct shipping {
	const char *folder;
	char *list;		/* the path of the batch's list */
	struct clickhouse *engine;
	struct ship_counts *counts;
	const volatile sig_atomic_t *stop;
	struct part *parts;	/* of the batch */
	size_t count, size;
	uint64_t rows[TABLES], bytes;
	bool listed, sent;	/* the list is there, and says sent */
	bool doubted;		/* some may have been sent before */
	bool starved;
	char said[512];		/* the last failure that was reported */
};

/* the order in which tables are sent: segments last, as others are there then */
static const enum table_kind order[] = { TABLE_IOS, TABLE_EVENTS,
					 TABLE_LATENCY, TABLE_META,
					 TABLE_SEGMENTS };

static void wait_ms(unsigned int ms)
{
	usleep(ms * 1000);
}

/* --- batches -------------------------------------------------------------- */

static void drop_batch(struct shipping *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->parts[i].manifest);
		free(s->parts[i].trace);
		for (int k = 0; k < TABLES; k++)
			free(s->parts[i].pieces[k].path);
	}
	s->count = 0;
	memset(s->rows, 0, sizeof(s->rows));
	s->bytes = 0;
}

/* whether a part fits into the batch */
static bool fits(const struct shipping *s, const struct manifest *m)
{
	uint64_t bytes = s->bytes;

	for (unsigned int i = 0; i < m->count; i++) {
		enum table_kind kind = tables_find(m->tables[i].table);

		bytes += m->tables[i].bytes;
		if (kind < TABLES && s->rows[kind] + m->tables[i].rows > ROWS)
			return !s->count;
	}
	return !s->count || (bytes <= BYTES && s->count < PARTS);
}

static void take_table(struct shipping *s, struct part *p,
		       const struct manifest_table *t)
{
	enum table_kind kind = tables_find(t->table);
	struct piece *piece;

	p->bytes += t->bytes;
	if (kind == TABLES)
		return;
	piece = &p->pieces[kind];
	piece->rows = t->rows;
	piece->sum = t->sums[0];
	free(piece->path);
	if (asprintf(&piece->path, "%s/%s", s->folder, t->file) < 0) {
		piece->path = NULL;
		s->starved = true;
	}
	s->rows[kind] += t->rows;
}

static bool take_part(struct shipping *s, const char *path,
		      const struct manifest *m)
{
	struct part *list = array_reserve(s->parts, s->count, &s->size, 64,
					  sizeof(*list)), *p;

	if (!list) {
		s->starved = true;
		return false;
	}
	s->parts = list;
	p = &list[s->count++];
	*p = (struct part){ .manifest = strdup(path),
			    .trace = strdup(m->trace),
			    .segment = m->segment };
	s->starved |= !p->manifest || !p->trace;
	for (unsigned int i = 0; i < m->count; i++)
		take_table(s, p, &m->tables[i]);
	s->bytes += p->bytes;
	return true;
}

static bool consider(void *ctx, const char *path, const struct manifest *m,
		     int err, const char *why)
{
	struct shipping *s = ctx;

	if (err) {
		msg_warn("%s: %s: it is not sent", path, why);
		return true;
	}
	if (strcmp(m->format, "rowbinary"))
		return true;
	return fits(s, m) && take_part(s, path, m);
}

/* Lists the batch, before it is sent, or again once it is. */
static bool list_batch(struct shipping *s)
{
	struct outfile f;

	if (!outfile_open_whole(&f, NULL, s->list, 65536))
		return false;
	buf_printf(&f.buf, HEADING "%s", s->sent ? SENT : "");
	for (size_t i = 0; i < s->count; i++)
		buf_printf(&f.buf, "%s\n", s->parts[i].manifest);
	outfile_flush(&f, "");
	return outfile_close(&f);
}

/* A new batch of what waits.  Whether there is one. */
static bool choose_batch(struct shipping *s)
{
	s->sent = s->doubted = false;
	if (manifests_walk(s->folder, consider, s) || s->starved)
		return false;
	s->listed = s->count && list_batch(s);
	return s->listed;
}

static void add_listed(struct shipping *s, const char *path)
{
	char why[CARD_WHY] = "";
	struct manifest m;
	int err = manifest_read(&m, path, why);

	if (!err)
		take_part(s, path, &m);
	else if (err != -ENOENT || !manifest_is_there(path))
		msg_warn("%s: %s: it is not sent", path, why);
	manifest_free(&m);
}

/* The batch that was listed before we were started.  Whether there is one. */
static bool load_batch(struct shipping *s)
{
	FILE *in = fopen(s->list, "re");
	char line[LINE];

	if (!in)
		return false;
	s->sent = false;
	s->listed = s->doubted = true;
	/* what was sent a moment ago is known to the server by then */
	wait_ms(AGAIN_MS);
	if (fgets(line, sizeof(line), in) && !strcmp(line, HEADING))
		while (fgets(line, sizeof(line), in)) {
			s->sent |= !strcmp(line, SENT);
			line[strcspn(line, "\n")] = '\0';
			if (strcmp(line, "sent"))
				add_listed(s, line);
		}
	fclose(in);
	return true;
}

/* The same for the same batch and table. */
static void make_token(const struct shipping *s, const char *table,
		       char token[TOKEN])
{
	uint64_t hash = FNV_BASIS;

	for (size_t i = 0; i < s->count; i++)
		hash = fnv_text(hash, s->parts[i].manifest);
	snprintf(token, TOKEN, "%s-%016" PRIx64, table, hash);
}

/* --- what the server has -------------------------------------------------- */

/* appends the batch's traces: ('...','...') */
static void put_traces(const struct shipping *s, FILE *out)
{
	const char *before = "(";

	for (size_t i = 0; i < s->count; i++) {
		/* listed by trace */
		if (i && !strcmp(s->parts[i].trace, s->parts[i - 1].trace))
			continue;
		fprintf(out, "%s'%s'", before, s->parts[i].trace);
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
		for (size_t i = 0; i < s->count; i++)
			if (s->parts[i].segment == segment &&
			    s->parts[i].pieces[kind].rows &&
			    !strcmp(s->parts[i].trace, trace))
				judge(&s->parts[i], kind, rows, f);
	}
}

static int find_there(struct shipping *s, enum table_kind kind,
		      struct finding *f)
{
	char query[256], *answer;
	int err;

	*f = (struct finding){ .there = 0 };
	for (size_t i = 0; i < s->count; i++)
		s->parts[i].pieces[kind].there = false;
	snprintf(query, sizeof(query), "SELECT trace, segment, count() FROM %s"
		 " WHERE trace IN %% GROUP BY trace, segment FORMAT TSV",
		 tables_get(kind)->name);
	err = ask(s, query, &answer);
	if (err)
		return err;
	read_answer(s, kind, answer, f);
	free(answer);
	for (size_t i = 0; i < s->count; i++)
		f->absent += s->parts[i].pieces[kind].rows &&
			     !s->parts[i].pieces[kind].there;
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
	const char **paths = calloc(s->count + 1, sizeof(*paths));
	struct http_files files = { .paths = paths };
	int err = 0;

	if (!paths)
		return -ENOMEM;
	for (size_t i = 0; i < s->count; i++) {
		const struct piece *piece = &s->parts[i].pieces[kind];

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
	char token[TOKEN];
	int all = 1;

	make_token(s, table, token);
	if (s->doubted)
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
	for (size_t i = 0; i < s->count; i++)
		sent += s->parts[i].pieces[TABLE_LATENCY].sum;
	return c.has + sent == c.wanted ? 1 : make_anew(s, &c, token);
}

/* Latency once more, for the server to add up; tables that were made without a
 * roll-up stay without. */
static int send_rollup(struct shipping *s)
{
	enum engine engine;
	char token[TOKEN];
	int all, err = find_engine(s, ROLLUP, &engine);

	if (err || engine == ENGINE_NONE)
		return err;
	make_token(s, ROLLUP, token);
	all = s->doubted && engine == ENGINE_PLAIN ?
		clear_up_rollup(s, token) : 1;
	return all <= 0 ? all : insert(s, TABLE_LATENCY, ROLLUP_IN, token, true);
}

/* 0: the server has the batch; or as clickhouse_insert(), -EAGAIN */
static int send_batch(struct shipping *s)
{
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(order) / sizeof(*order); i++)
		if (s->rows[order[i]]) {
			err = send_table(s, order[i]);
			if (!err && order[i] == TABLE_LATENCY)
				err = send_rollup(s);
		}
	if (err)
		s->doubted = true;
	return err;
}

/* --- after sending -------------------------------------------------------- */

/* a directory of manifests, in which older ones of a trace are dropped */
struct older {
	const char *dir, *trace, *than;
};

static int drop_older(void *ctx, const struct folder_item *item)
{
	const struct older *o = ctx;
	size_t len = strlen(item->name), sent = strlen(MANIFEST_SENT);
	char *path;

	if (len <= sent || strcmp(item->name + len - sent, MANIFEST_SENT) ||
	    !strstr(item->name, o->trace) || strcmp(item->name, o->than) >= 0)
		return 0;
	if (asprintf(&path, "%s/%s", o->dir, item->name) < 0)
		return -ENOMEM;
	unlink(path);
	free(path);
	return 0;
}

/* Marks a part, then removes its files: its manifest stays, without them, until
 * one of a later segment is marked. */
static void mark(struct shipping *s, struct part *p)
{
	char *sent, *slash;

	if (asprintf(&sent, "%s" MANIFEST_SENT, p->manifest) < 0)
		return;
	if (!rename(p->manifest, sent)) {
		for (int k = 0; k < TABLES; k++)
			if (p->pieces[k].path)
				unlink(p->pieces[k].path);
		slash = strrchr(sent, '/');
		*slash = '\0';
		folder_walk_directory(sent, drop_older, &(struct older){
			sent, p->trace, slash + 1 });
		atomic_fetch_add(&s->counts->parts, 1);
		atomic_fetch_add(&s->counts->rows, p->pieces[TABLE_IOS].rows);
		atomic_fetch_add(&s->counts->bytes, p->bytes);
		atomic_fetch_sub(&s->counts->waiting, p->bytes);
	}
	free(sent);
}

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

/* 1: a batch was sent; 0: none waits; or -errno: it waits. */
static int step(struct shipping *s)
{
	int err;

	if (!s->listed && !load_batch(s) && !choose_batch(s)) {
		drop_batch(s);
		return 0;
	}
	err = s->sent ? 0 : send_batch(s);
	if (err)
		return err;
	s->sent = true;
	if (!list_batch(s))
		return -EIO;
	if (*s->said)
		msg_warn("ClickHouse at %s: has what waited",
			 clickhouse_server(s->engine));
	*s->said = '\0';
	for (size_t i = 0; i < s->count; i++)
		mark(s, &s->parts[i]);
	unlink(s->list);
	s->listed = false;
	drop_batch(s);
	return 1;
}

int ship(const char *folder, const char *url, struct ship_counts *c,
	 const volatile sig_atomic_t *stop)
{
	struct shipping s = { .folder = folder, .counts = c, .stop = stop };
	int err = clickhouse_new(&s.engine, url, stop);

	if (err || asprintf(&s.list, "%s/" BATCH, folder) < 0) {
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
	drop_batch(&s);
	free(s.parts);
	free(s.list);
	clickhouse_free(s.engine);
	return 0;
}
