/* SPDX-License-Identifier: GPL-2.0-only */
/* A database as an output; see database.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/hint.h"
#include "base/msg.h"
#include "emit/sqlite.h"
#include "tools/btexport/database.h"
#include "tools/btexport/output_options.h"
#include "tools/btexport/sql.h"

struct database {
	struct sqlite *sqlite;
	unsigned int numbers[TABLES];	/* each table's in the library */
};

struct sqlite *database_of(const struct output *out)
{
	const struct database *d = out->own;

	return d->sqlite;
}

/* the caller reports -ENOMEM */
COLD int database_fail(const struct output *out, int err)
{
	const char *why = sqlite_error(database_of(out));

	if (err == -ENOMEM)
		return err;
	if (out->o->query.sql)
		msg_warn("cannot answer the query: %s", why);
	else
		msg_warn("cannot write %s: %s", out->path, why);
	return err;
}

static int create_tables(struct output *out, struct database *d)
{
	for (int kind = 0; kind < TABLES; kind++) {
		int number;

		if (!(out->tables & TABLE_BIT(kind)))
			continue;
		number = sqlite_table(d->sqlite, &out->o->fields[kind].shape);
		if (number < 0)
			return database_fail(out, number);
		d->numbers[kind] = (unsigned int)number;
	}
	return 0;
}

/* path NULL: in memory */
static int begin(struct output *out, const char *path)
{
	struct database *d = calloc(1, sizeof(*d));
	int err;

	out->own = d;
	if (!d)
		return -ENOMEM;
	err = sqlite_open(&d->sqlite, path, out->o->rows.schema);
	if (err)
		return database_fail(out, err);
	sqlite_stop_when(d->sqlite, out->o->stop, out->o->stop_bits);
	return create_tables(out, d);
}

int database_begin_in_memory(struct output *out)
{
	return begin(out, NULL);
}

int database_begin(struct output *out)
{
	if (out->file.place.part)
		return begin(out, out->file.place.part);
	msg_warn("cannot write %s: a database needs a regular file",
		 out->path);
	return -EINVAL;
}

int database_row(struct output *out, enum table_kind kind,
		 const struct cell *cells)
{
	struct database *d = out->own;
	int err = sqlite_row(d->sqlite, d->numbers[kind], cells);

	return UNLIKELY(err) ? database_fail(out, err) : 0;
}

/* A database cannot be read before its end. */
int database_quiet(struct output *out)
{
	(void)out;
	return 0;
}

int database_end(struct output *out)
{
	struct database *d = out->own;
	int err = sqlite_end(d->sqlite, sql_sqlite_views);

	if (err)
		return database_fail(out, err);
	/* this completes the file */
	sqlite_free(d->sqlite);
	d->sqlite = NULL;
	return 0;
}

void database_free(struct output *out)
{
	struct database *d = out->own;

	if (d)
		sqlite_free(d->sqlite);
	free(d);
	out->own = NULL;
}
