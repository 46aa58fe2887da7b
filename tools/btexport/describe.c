/* SPDX-License-Identifier: GPL-2.0-only */
/* What is printed in place of an export; see describe.h. */
#include <string.h>

#include "cli/outfile.h"
#include "emit/ddl.h"
#include "tools/btexport/describe.h"
#include "tools/btexport/options.h"
#include "tools/btexport/queries.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/schema.h"
#include "tools/btexport/schema_sql.h"

enum { BUFFER = 65536 };

/* the engine of that name; the row of the option has checked that it is one */
static enum ddl_engine engine_named(const char *name)
{
	enum ddl_engine e = DDL_SQLITE;

	while (e + 1 < DDL_ENGINES && strcmp(ddl_engine_name(e), name))
		e++;
	return e;
}

static void print_text(struct buf *b, const struct row_table *const *tables,
		       unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		if (i)
			buf_append(b, "\n", 1);
		schema_text(b, tables[i]);
	}
}

static void print_schema(struct buf *b, const struct export_options *o)
{
	const struct row_table *tables[TABLES];
	struct row_shape shapes[TABLES];
	unsigned int count = 0;

	for (int kind = 0; kind < TABLES; kind++) {
		if (o->tables && !export_wants(o, (enum table_kind)kind))
			continue;
		tables[count] = tables_get((enum table_kind)kind);
		shapes[count++] = o->out.fields[kind].shape;
	}
	if (!strcmp(o->schema, "json"))
		schema_json(b, tables, count);
	else if (!strcmp(o->schema, "text"))
		print_text(b, tables, count);
	else
		schema_sql(b, engine_named(o->schema), shapes, count);
}

bool describe(const struct export_options *o)
{
	struct outfile out;
	const char *text;

	outfile_open(&out, NULL, BUFFER);
	if (o->schema)
		print_schema(&out.buf, o);
	if (o->queries) {
		text = queries_text(engine_named(o->queries));
		buf_append(&out.buf, text, strlen(text));
	}
	if (o->query)
		queries_list(&out.buf);
	outfile_flush(&out, "");
	return outfile_close(&out);
}
