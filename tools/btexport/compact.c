/* SPDX-License-Identifier: GPL-2.0-only */
/* Joins Parquet files of segments; see compact.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/folder.h"
#include "base/msg.h"
#include "base/opener.h"
#include "cli/outfile.h"
#include "emit/parquet.h"
#include "emit/parquet_reader.h"
#include "emit/row.h"
#include "tools/btexport/compact.h"
#include "tools/btexport/manifest.h"
#include "tools/btexport/tables.h"

#define ENDING ".parquet.json"

enum {
	BUFFER = 65536,
	DIGITS = 6,		/* of a segment's number, at least */
	HOUR = 2
};

/* an hour of a trace: "host=H/date=D/HH-TRACE" */
struct hour {
	const struct compaction *c;
	char *name;
	char **manifests;	/* paths of its segments', by number */
	size_t count, size;
	struct manifest whole;	/* of the hour */
	struct outfile files[TABLES];
	char *paths[TABLES];	/* of files, owned */
};

/* --- finding them --------------------------------------------------------- */

/* the length of "HH-TRACE" in a segment's manifest's name; 0: no such name */
static size_t stem_of(const struct compaction *c, const char *name)
{
	size_t trace = strlen(c->trace), stem = HOUR + 1 + trace;
	size_t digits;

	if (strlen(name) <= stem || name[HOUR] != '-' ||
	    memcmp(name + HOUR + 1, c->trace, trace) || name[stem] != '-')
		return 0;
	digits = strspn(name + stem + 1, "0123456789");
	return digits >= DIGITS && !strcmp(name + stem + 1 + digits, ENDING) ?
		       stem : 0;
}

static size_t segment_stem(const char *file, const void *ctx)
{
	return stem_of(ctx, file) ? strlen(file) : 0;
}

static size_t date_stem(const char *file, const void *ctx)
{
	(void)ctx;
	return !strncmp(file, "date=", strlen("date=")) ? strlen(file) : 0;
}

static void hour_free(struct hour *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->manifests[i]);
	for (int k = 0; k < TABLES; k++) {
		if (h->paths[k])
			outfile_discard(&h->files[k]);
		free(h->paths[k]);
	}
	free(h->manifests);
	free(h->name);
	*h = (struct hour){ .c = h->c };
}

/* --- rows ----------------------------------------------------------------- */

static void fault(const char *path, int err)
{
	msg_warn("%s: %s: it is not joined with others", path,
		 err == -EBADMSG ? "damaged" : strerror(-err));
}

static int copy_rows(struct row_writer *w, struct parquet_reader *r)
{
	struct cell cells[ROW_COLUMNS];
	int got, err = 0;

	while (!err && (got = parquet_reader_next(r, cells)) != 0)
		err = got < 0 ? got : parquet_ops.row(w, cells);
	return err;
}

/* whether two files of a table can be joined */
static bool are_alike(const struct row_shape *a, const struct row_shape *b)
{
	bool alike = a->count == b->count;

	for (unsigned int i = 0; alike && i < a->count; i++)
		alike = !strcmp(a->columns[i]->name, b->columns[i]->name) &&
			a->columns[i]->type == b->columns[i]->type &&
			a->columns[i]->may_be_null ==
				b->columns[i]->may_be_null;
	return alike;
}

/* a segment's file of a table */
struct source {
	char *path;
	int fd;
	struct parquet_reader *reader;	/* NULL: it cannot be read */
};

static void source_close(struct source *s)
{
	parquet_reader_close(s->reader);
	if (s->fd >= 0)
		close(s->fd);
	free(s->path);
}

/* A failure is reported. */
static void source_open(struct source *s, const struct hour *h,
			const struct manifest_table *t)
{
	int err;

	*s = (struct source){ .fd = -1 };
	if (asprintf(&s->path, "%s/%s", h->c->folder, t->file) < 0) {
		s->path = NULL;
		return;
	}
	s->fd = open(s->path, O_RDONLY | O_CLOEXEC);
	err = s->fd < 0 ? -errno : parquet_reader_open(&s->reader, s->fd);
	if (err)
		fault(s->path, err);
}

static bool copy_file(const struct hour *h, const struct manifest_table *t,
		      struct row_writer *w, const struct row_shape *shape)
{
	struct source s;
	int err = -EBADMSG;

	source_open(&s, h, t);
	if (s.reader) {
		if (are_alike(shape, parquet_reader_shape(s.reader)))
			err = copy_rows(w, s.reader);
		if (err)
			fault(s.path, err);
	}
	source_close(&s);
	return !err;
}

/* the table of that name in a manifest, or NULL */
static const struct manifest_table *table_in(const struct manifest *m,
					     const char *name)
{
	for (unsigned int i = 0; i < m->count; i++)
		if (!strcmp(m->tables[i].table, name))
			return &m->tables[i];
	return NULL;
}

/* Adds a segment's rows of a table to its sums. */
static void add_sums(struct manifest_table *to,
		     const struct manifest_table *from)
{
	to->rows += from->rows;
	for (int i = 0; i < ROW_TABLE_SUMS; i++)
		to->sums[i] += from->sums[i];
}

/* All segments' rows of a table. */
static bool copy_all(struct hour *h, struct manifest_table *to,
		     struct row_writer *w, const struct row_shape *shape)
{
	bool good = true;

	for (size_t i = 0; good && i < h->count; i++) {
		char why[CARD_WHY];
		const struct manifest_table *t;
		struct manifest m;
		int err = manifest_read(&m, h->manifests[i], why);

		t = err ? NULL : table_in(&m, to->table);
		if (!t)
			fault(h->manifests[i], err ? err : -EBADMSG);
		good = t && copy_file(h, t, w, shape);
		if (good)
			add_sums(to, t);
		manifest_free(&m);
	}
	return good;
}

static bool write_rows(struct hour *h, int kind, struct manifest_table *to,
		       const struct row_shape *shape)
{
	struct outfile *f = &h->files[kind];
	struct row_writer *w = NULL;
	bool good;

	if (!outfile_open_whole(f, h->c->opener, h->paths[kind], BUFFER))
		return false;
	good = !parquet_ops.open(&w, &f->buf, shape, h->c->rows) &&
	       copy_all(h, to, w, shape) && !parquet_ops.end(w);
	parquet_ops.free(w);
	return good && outfile_flush(f, "") &&
	       !manifest_measure(f->place.fd, &to->bytes, &to->checksum);
}

/* Makes an hour's file of a table, which is not in place yet. */
static bool join_table(struct hour *h, const struct manifest_table *first)
{
	struct manifest_table *to = &h->whole.tables[h->whole.count];
	size_t skipped = strlen(h->c->folder) + 1;
	int kind = (int)h->whole.count++;
	struct source s;
	bool good;

	*to = (struct manifest_table){ .table = first->table };
	for (int i = 0; i < ROW_TABLE_SUMS; i++)
		to->columns[i] = first->columns[i];
	if (asprintf(&h->paths[kind], "%s/%s/%s.parquet", h->c->folder,
		     first->table, h->name) < 0) {
		h->paths[kind] = NULL;
		return false;
	}
	to->file = h->paths[kind] + skipped;
	source_open(&s, h, first);
	good = s.reader &&
	       write_rows(h, kind, to, parquet_reader_shape(s.reader));
	source_close(&s);
	return good;
}

/* --- in place ------------------------------------------------------------- */

/* Removes what a segment had. */
static void remove_segment(const struct hour *h, const char *path)
{
	char why[CARD_WHY], *file;
	struct manifest m;

	if (manifest_read(&m, path, why))
		return;
	for (unsigned int i = 0; i < m.count; i++) {
		if (asprintf(&file, "%s/%s", h->c->folder,
			     m.tables[i].file) < 0)
			continue;
		opener_remove(h->c->opener, file);
		free(file);
	}
	manifest_free(&m);
	opener_remove(h->c->opener, path);
}

static char *whole_path(const struct hour *h)
{
	char *path;

	return asprintf(&path, "%s/manifest/%s" ENDING, h->c->folder,
			h->name) < 0 ? NULL : path;
}

/* whether an hour's manifest and all of its files exist */
static bool is_there(const struct hour *h, const char *path)
{
	struct manifest m;
	char why[CARD_WHY];
	bool there = !manifest_read(&m, path, why);

	for (unsigned int i = 0; there && i < m.count; i++)
		there = manifest_has(h->c->folder, &m.tables[i]);
	manifest_free(&m);
	return there;
}

static bool place_all(struct hour *h, const char *path)
{
	bool good = manifest_write(&h->whole, h->c->opener, path);

	for (unsigned int k = 0; good && k < h->whole.count; k++) {
		good = outfile_close(&h->files[k]);
		free(h->paths[k]);
		h->paths[k] = NULL;
	}
	return good;
}

/* The first segment says which tables there are. */
static bool join_all(struct hour *h, const char *path)
{
	char why[CARD_WHY];
	struct manifest first;
	bool good = !manifest_read(&first, h->manifests[0], why);

	h->whole = (struct manifest){
		.host = h->c->host, .trace = h->c->trace, .format = "parquet",
		.packed = h->c->rows->packed,
	};
	h->whole.segment = good ? first.segment : 0;
	for (unsigned int i = 0; good && i < first.count; i++)
		good = join_table(h, &first.tables[i]);
	good = good && place_all(h, path);
	manifest_free(&first);
	return good;
}

static bool join_hour(struct hour *h)
{
	char *path = whole_path(h);
	bool good = path && (is_there(h, path) || join_all(h, path));

	for (size_t i = 0; good && i < h->count; i++)
		remove_segment(h, h->manifests[i]);
	free(path);
	return good;
}

/* --- all ------------------------------------------------------------------ */

static bool add_manifest(struct hour *h, char *path)
{
	char **list = path ? array_reserve(h->manifests, h->count, &h->size, 64,
					   sizeof(*list)) : NULL;

	if (!list) {
		free(path);
		return false;
	}
	h->manifests = list;
	list[h->count++] = path;
	return true;
}

/* Begins another hour, and joins the one before. */
static bool begin_hour(struct hour *h, const char *date, const char *name,
		       size_t stem)
{
	bool good = !h->count || join_hour(h);

	hour_free(h);
	if (good && asprintf(&h->name, "host=%s/%s/%.*s", h->c->host, date,
			     (int)stem, name) < 0) {
		h->name = NULL;
		good = false;
	}
	return good;
}

/* The segments of a day, by hour and number. */
static bool join_day(const struct compaction *c, const char *date)
{
	struct hour h = { .c = c };
	char *dir, *path, **names = NULL, hour[HOUR + 1] = "";
	bool good = asprintf(&dir, "%s/manifest/host=%s/%s", c->folder, c->host,
			     date) >= 0;
	int count = good ? folder_names(dir, folder_walk_directory,
					segment_stem, c, &names, 0) : 0;

	for (int i = 0; good && i < count; i++) {
		if (strncmp(names[i], hour, HOUR)) {
			memcpy(hour, names[i], HOUR);
			good = begin_hour(&h, date, names[i],
					  stem_of(c, names[i]));
		}
		if (good && asprintf(&path, "%s/%s", dir, names[i]) < 0)
			path = NULL;
		if (good && c->latest && path &&
		    !strncmp(path, c->latest, strlen(dir) + 1 + HOUR)) {
			free(path);
			break;
		}
		good = good && add_manifest(&h, path);
	}
	good = good && (!h.count || join_hour(&h));
	hour_free(&h);
	folder_free(names, count < 0 ? 0 : count);
	free(dir);
	return good;
}

bool compact(const struct compaction *c)
{
	char *dir, **dates = NULL;
	bool good = asprintf(&dir, "%s/manifest/host=%s", c->folder,
			     c->host) >= 0;
	int count = good ? folder_names(dir, folder_walk_directory, date_stem,
					NULL, &dates, 0) : 0;

	for (int i = 0; good && i < count; i++)
		good = join_day(c, dates[i]);
	folder_free(dates, count < 0 ? 0 : count);
	free(dir);
	return good;
}
