/* SPDX-License-Identifier: GPL-2.0-only */
/* Verifies a folder of tables; see verify.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/folder.h"
#include "base/msg.h"
#include "base/unit.h"
#include "cli/outfile.h"
#include "emit/parquet_reader.h"
#include "emit/row.h"
#include "tools/btexport/manifest.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/tables.h"
#include "tools/btexport/verify.h"

/* a table of a trace */
struct seen {
	char *file;		/* below the folder */
	char *key;		/* of what it has rows */
};

struct verifying {
	const char *folder;
	struct seen *seen;
	size_t count, size;
	uint64_t traces, rows, bytes;
	unsigned int faults;
	bool starved;
};

static void fault(struct verifying *v, const char *file, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void fault(struct verifying *v, const char *file, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	msg_warn("%s: %s", file, what);
	v->faults++;
}

/* --- one file ------------------------------------------------------------- */

/* the sums of rows so far */
struct sums {
	uint64_t rows;
	unsigned int count, at[ROW_TABLE_SUMS];
	uint64_t sums[ROW_TABLE_SUMS];
};

/* Finds the columns to sum; false: one is missing. */
static bool find_columns(struct sums *s, const struct manifest_table *t,
			 const struct row_shape *shape)
{
	for (int i = 0; i < ROW_TABLE_SUMS && t->columns[i]; i++) {
		unsigned int n = 0;

		while (n < shape->count &&
		       (strcmp(shape->columns[n]->name, t->columns[i]) ||
			shape->columns[n]->type == COLUMN_TEXT))
			n++;
		if (n == shape->count)
			return false;
		s->at[s->count++] = n;
	}
	return true;
}

/* 0, or an error of the reader's */
static int sum_up(struct sums *s, struct parquet_reader *r)
{
	struct cell cells[ROW_COLUMNS];
	int got;

	while ((got = parquet_reader_next(r, cells)) == 1) {
		s->rows++;
		for (unsigned int i = 0; i < s->count; i++)
			if (!cells[s->at[i]].null)
				s->sums[i] += (uint64_t)
					cells[s->at[i]].number;
	}
	return got;
}

static void compare_sums(struct verifying *v, const char *path,
			 const struct manifest_table *t, const struct sums *s)
{
	if (s->rows != t->rows)
		fault(v, path, "%" PRIu64 " rows, and the manifest says %"
		      PRIu64, s->rows, t->rows);
	for (unsigned int i = 0; i < s->count; i++)
		if (s->sums[i] != t->sums[i])
			fault(v, path, "the sum of %s is %" PRIu64 ", and the"
			      " manifest says %" PRIu64, t->columns[i],
			      s->sums[i], t->sums[i]);
}

static void verify_rows(struct verifying *v, const char *path, int fd,
			const struct manifest_table *t)
{
	struct sums s = { .rows = 0 };
	struct parquet_reader *r;
	int err = parquet_reader_open(&r, fd);

	if (!err && !find_columns(&s, t, parquet_reader_shape(r)))
		fault(v, path, "not the columns that the manifest says");
	else if (!err)
		err = sum_up(&s, r);
	if (!err)
		compare_sums(v, path, t, &s);
	else if (err == -EBADMSG)
		fault(v, path, "no rows that can be read");
	else
		fault(v, path, "%s", strerror(-err));
	if (r)
		parquet_reader_close(r);
}

static void verify_file(struct verifying *v, const char *path, int fd,
			const struct manifest_table *t, bool parquet)
{
	uint32_t checksum;
	uint64_t bytes;
	int err = manifest_measure(fd, &bytes, &checksum);

	if (err)
		fault(v, path, "%s", strerror(-err));
	else if (bytes != t->bytes)
		fault(v, path, "%" PRIu64 " bytes, and the manifest says %"
		      PRIu64, bytes, t->bytes);
	else if (checksum != t->checksum)
		fault(v, path, "its checksum is not the manifest's");
	else if (parquet)
		verify_rows(v, path, fd, t);
}

static void verify_table(struct verifying *v, const struct manifest_table *t,
			 bool parquet)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/%s", v->folder, t->file) < 0) {
		v->starved = true;
		return;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		fault(v, path, "%s, and the manifest has it", strerror(errno));
	} else {
		verify_file(v, path, fd, t, parquet);
		close(fd);
	}
	free(path);
}

/* --- all of a manifest ----------------------------------------------------- */

static void remember(struct verifying *v, const struct manifest *m,
		     const struct manifest_table *t)
{
	struct seen *list = array_reserve(v->seen, v->count, &v->size, 64,
					  sizeof(*list)), s;

	if (!list) {
		v->starved = true;
		return;
	}
	v->seen = list;
	s.file = strdup(t->file);
	if (asprintf(&s.key, "%s %s %s %d", m->format, t->table, m->trace,
		     m->segment) < 0)
		s.key = NULL;
	v->starved |= !s.file || !s.key;
	list[v->count++] = s;
}

static bool verify_manifest(void *ctx, const char *path,
			    const struct manifest *m, int err, const char *why)
{
	struct verifying *v = ctx;

	if (err) {
		fault(v, path, "%s", *why ? why : strerror(-err));
		return true;
	}
	v->traces++;
	for (unsigned int i = 0; i < m->count; i++) {
		const struct manifest_table *t = &m->tables[i];

		remember(v, m, t);
		v->rows += t->rows;
		v->bytes += t->bytes;
		verify_table(v, t, !strcmp(m->format, "parquet"));
	}
	return true;
}

/* --- what is there twice, or not listed ------------------------------------- */

static int by_key(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return strcmp(x->key, y->key);
}

static int by_file(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return strcmp(x->file, y->file);
}

static void find_twins(struct verifying *v)
{
	qsort(v->seen, v->count, sizeof(*v->seen), by_key);
	for (size_t i = 1; i < v->count; i++)
		if (!by_key(&v->seen[i - 1], &v->seen[i]))
			fault(v, v->seen[i].file, "the same rows as %s",
			      v->seen[i - 1].file);
}

/* a level of folders: what is in it, and its path below the folder */
struct level {
	struct verifying *v;
	char *path;
	int depth;
};

static int look(void *ctx, const struct folder_item *item);

static int look_into(struct verifying *v, char *path, int depth)
{
	struct level l = { v, path, depth };
	char *full;

	if (!path || asprintf(&full, "%s/%s", v->folder, path) < 0) {
		free(path);
		return -ENOMEM;
	}
	if (depth < 3) {
		folder_walk_directory(full, look, &l);
	} else if (!bsearch(&(struct seen){ .file = path }, v->seen, v->count,
			    sizeof(*v->seen), by_file)) {
		fault(v, full, "in no manifest, as if an export was"
		      " interrupted: export its trace again, or remove it");
	}
	free(full);
	free(path);
	return 0;
}

static int look(void *ctx, const struct folder_item *item)
{
	const struct level *l = ctx;
	char *path;

	if (*item->name == '.' && strstr(item->name, ".part-"))
		fault(l->v, item->name, "in %s, left by an export that was"
		      " killed: remove it", l->path);
	if (*item->name == '.')
		return 0;
	if (asprintf(&path, "%s/%s", l->path, item->name) < 0)
		path = NULL;
	return look_into(l->v, path, l->depth + 1);
}

static void find_unlisted(struct verifying *v)
{
	int err = 0;

	qsort(v->seen, v->count, sizeof(*v->seen), by_file);
	for (int kind = 0; !err && kind < TABLES; kind++)
		err = look_into(v, strdup(tables_get((enum table_kind)kind)
						  ->name), 0);
	v->starved |= err == -ENOMEM;
}

/* --- all ------------------------------------------------------------------ */

static bool print_end(const struct verifying *v)
{
	char size[UNIT_MAX];

	unit_size(size, v->bytes);
	printf("%s: %" PRIu64 " manifest%s, %zu file%s, %" PRIu64 " rows, %s"
	       " bytes: ", v->folder, v->traces, v->traces == 1 ? "" : "s",
	       v->count, v->count == 1 ? "" : "s", v->rows, size);
	if (v->faults)
		printf("%u fault%s\n", v->faults, v->faults == 1 ? "" : "s");
	else
		printf("as the manifest%s\n", v->traces == 1 ? " says" :
							       "s say");
	return outfile_flush_stdio();
}

bool verify(const char *folder)
{
	struct verifying v = { .folder = folder };
	int err = manifests_walk(folder, verify_manifest, &v);
	bool good = true;

	if (!err && !v.starved) {
		find_twins(&v);
		find_unlisted(&v);
	}
	if (err == -ENOMEM || v.starved)
		msg_warn("out of memory");
	else if (err)
		msg_warn("%s: %s", folder, strerror(-err));
	else
		good = print_end(&v);
	for (size_t i = 0; i < v.count; i++) {
		free(v.seen[i].file);
		free(v.seen[i].key);
	}
	free(v.seen);
	return good && !err && !v.starved && !v.faults;
}
