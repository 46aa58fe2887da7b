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
	unsigned int numbers[TABLES];	/* the library's, of each table */
};

/* no memory is the caller's to report */
static COLD int fail(const struct output *out, const struct database *d,
		     int err)
{
	if (err != -ENOMEM)
		msg_warn("cannot write %s: %s", out->path,
			 sqlite_error(d->sqlite));
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
			return fail(out, d, number);
		d->numbers[kind] = (unsigned int)number;
	}
	return 0;
}

int database_begin(struct output *out)
{
	struct database *d = calloc(1, sizeof(*d));
	int err;

	out->own = d;
	if (!d)
		return -ENOMEM;
	if (!out->file.place.part) {
		msg_warn("cannot write %s: a database needs a regular file",
			 out->path);
		return -EINVAL;
	}
	err = sqlite_open(&d->sqlite, out->file.place.part,
			  out->o->rows.schema);
	return err ? fail(out, d, err) : create_tables(out, d);
}

int database_row(struct output *out, enum table_kind kind,
		 const struct cell *cells)
{
	struct database *d = out->own;
	int err = sqlite_row(d->sqlite, d->numbers[kind], cells);

	return UNLIKELY(err) ? fail(out, d, err) : 0;
}

/* Nothing of a database can be read before its end. */
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
		return fail(out, d, err);
	/* only then is the file complete */
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
