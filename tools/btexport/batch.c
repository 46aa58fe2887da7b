/* SPDX-License-Identifier: GPL-2.0-only */
/* Exported segments that are sent together; see batch.h. */
#include <errno.h>
#include <inttypes.h>
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
#include "tools/btexport/batch.h"
#include "tools/btexport/manifest.h"

#define LIST "manifest/batch"
#define HEADING "btexport-batch 1\n"
#define SENT "sent\n"

enum {
	PARTS = 1024,		/* of a batch at most, */
	ROWS = 1 << 18,		/* rows of a table: a server takes some 1 KiB of
				 * memory for each of a block, */
	BYTES = 256 << 20,	/* and bytes; one part is always taken */
	LINE = 4096,
	BUFFER = 65536
};

/* --- parts ---------------------------------------------------------------- */

static void drop(struct batch *b)
{
	for (size_t i = 0; i < b->count; i++) {
		free(b->parts[i].manifest);
		free(b->parts[i].trace);
		for (int k = 0; k < TABLES; k++)
			free(b->parts[i].pieces[k].path);
	}
	b->count = 0;
	memset(b->rows, 0, sizeof(b->rows));
	b->bytes = 0;
	b->starved = false;
}

/* whether a part fits into the batch */
static bool fits(const struct batch *b, const struct manifest *m)
{
	uint64_t bytes = b->bytes;

	for (unsigned int i = 0; i < m->count; i++) {
		enum table_kind kind = tables_find(m->tables[i].table);

		bytes += m->tables[i].bytes;
		if (kind < TABLES && b->rows[kind] + m->tables[i].rows > ROWS)
			return !b->count;
	}
	return !b->count || (bytes <= BYTES && b->count < PARTS);
}

static void take_table(struct batch *b, struct part *p,
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
	if (asprintf(&piece->path, "%s/%s", b->folder, t->file) < 0) {
		piece->path = NULL;
		b->starved = true;
	}
	b->rows[kind] += t->rows;
}

static bool take_part(struct batch *b, const char *path,
		      const struct manifest *m)
{
	struct part *list = array_reserve(b->parts, b->count, &b->size, 64,
					  sizeof(*list)), *p;

	if (!list) {
		b->starved = true;
		return false;
	}
	b->parts = list;
	p = &list[b->count++];
	*p = (struct part){ .manifest = strdup(path),
			    .trace = strdup(m->trace),
			    .segment = m->segment };
	b->starved |= !p->manifest || !p->trace;
	for (unsigned int i = 0; i < m->count; i++)
		take_table(b, p, &m->tables[i]);
	b->bytes += p->bytes;
	return true;
}

static bool consider(void *ctx, const char *path, const struct manifest *m,
		     int err, const char *why)
{
	struct batch *b = ctx;

	if (err) {
		msg_warn("%s: %s: it is not sent", path, why);
		return true;
	}
	if (strcmp(m->format, "rowbinary"))
		return true;
	return fits(b, m) && take_part(b, path, m);
}

/* --- the list ------------------------------------------------------------- */

/* Lists the batch, before it is sent, or again once it is. */
static bool write_list(struct batch *b)
{
	struct outfile f;

	if (!outfile_open_whole(&f, NULL, b->list, BUFFER))
		return false;
	buf_printf(&f.buf, HEADING "%s", b->sent ? SENT : "");
	for (size_t i = 0; i < b->count; i++)
		buf_printf(&f.buf, "%s\n", b->parts[i].manifest);
	outfile_flush(&f, "");
	return outfile_close(&f);
}

/* A new batch of what waits.  Whether there is one. */
static bool choose(struct batch *b)
{
	b->sent = b->doubted = false;
	if (manifests_walk(b->folder, consider, b) || b->starved)
		return false;
	b->listed = b->count && write_list(b);
	return b->listed;
}

static void add_listed(struct batch *b, const char *path)
{
	char why[CARD_WHY] = "";
	struct manifest m;
	int err = manifest_read(&m, path, why);

	if (!err)
		take_part(b, path, &m);
	else if (err != -ENOENT || !manifest_is_there(path))
		msg_warn("%s: %s: it is not sent", path, why);
	manifest_free(&m);
}

/* The batch that was listed before we were started.  Whether there is one. */
static bool load(struct batch *b)
{
	FILE *in = fopen(b->list, "re");
	char line[LINE];

	if (!in)
		return false;
	b->sent = false;
	b->listed = b->doubted = true;
	if (fgets(line, sizeof(line), in) && !strcmp(line, HEADING))
		while (fgets(line, sizeof(line), in)) {
			b->sent |= !strcmp(line, SENT);
			line[strcspn(line, "\n")] = '\0';
			if (strcmp(line, "sent"))
				add_listed(b, line);
		}
	fclose(in);
	return true;
}

/* --- once sent ------------------------------------------------------------ */

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
static void mark(struct part *p, struct batch_sums *done)
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
		done->parts++;
		done->rows += p->pieces[TABLE_IOS].rows;
		done->bytes += p->bytes;
	}
	free(sent);
}

/* --- batches -------------------------------------------------------------- */

int batch_init(struct batch *b, const char *folder)
{
	*b = (struct batch){ .folder = folder };
	if (asprintf(&b->list, "%s/" LIST, folder) >= 0)
		return 0;
	b->list = NULL;
	return -ENOMEM;
}

bool batch_take(struct batch *b)
{
	if (b->listed || load(b) || choose(b))
		return true;
	drop(b);
	return false;
}

void batch_token(const struct batch *b, const char *table,
		       char token[BATCH_TOKEN])
{
	uint64_t hash = FNV_BASIS;

	for (size_t i = 0; i < b->count; i++)
		hash = fnv_text(hash, b->parts[i].manifest);
	snprintf(token, BATCH_TOKEN, "%s-%016" PRIx64, table, hash);
}

bool batch_done(struct batch *b, struct batch_sums *done)
{
	*done = (struct batch_sums){ .parts = 0 };
	b->sent = true;
	if (!write_list(b))
		return false;
	for (size_t i = 0; i < b->count; i++)
		mark(&b->parts[i], done);
	unlink(b->list);
	b->listed = false;
	drop(b);
	return true;
}

void batch_free(struct batch *b)
{
	drop(b);
	free(b->parts);
	free(b->list);
}
