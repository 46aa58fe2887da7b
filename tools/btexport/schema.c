/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptions of tables; see schema.h.  No text needs JSON's escapes. */
#include <string.h>

#include "base/buf.h"
#include "emit/row.h"
#include "tools/btexport/schema.h"
#include "tools/btexport/row_table.h"

static const char *const types[COLUMN_TYPES] = {
	[COLUMN_TEXT] = "text",
	[COLUMN_INT32] = "int32",
	[COLUMN_INT64] = "int64",
};

/* --- for people ----------------------------------------------------------- */

static int max(int a, size_t b)
{
	return a > (int)b ? a : (int)b;
}

void schema_text(struct buf *b, const struct row_table *t)
{
	int name = 4, unit = 4;

	for (unsigned int i = 0; i < t->count; i++) {
		name = max(name, strlen(row_table_column(t, i)->name));
		unit = max(unit, strlen(row_table_column(t, i)->unit));
	}
	buf_printf(b, "%s: %s\n\n%-*s  type   null  %-*s  meaning\n", t->name,
		   t->words, name, "name", unit, "unit");
	for (unsigned int i = 0; i < t->count; i++) {
		const struct column *c = row_table_column(t, i);

		buf_printf(b, "%-*s  %-5s  %-4s  %-*s  %s\n", name, c->name,
			   types[c->type], c->may_be_null ? "yes" : "no", unit,
			   c->unit, c->words);
	}
}

/* --- for programs --------------------------------------------------------- */

static void json_column(struct buf *b, const struct column *c)
{
	const char *quote = *c->unit ? "\"" : "";

	buf_printf(b, "{\"name\":\"%s\",\"type\":\"%s\",\"null\":%s,"
		   "\"unit\":%s%s%s,\"meaning\":\"%s\"}", c->name,
		   types[c->type], c->may_be_null ? "true" : "false", quote,
		   *c->unit ? c->unit : "null", quote, c->words);
}

static void json_table(struct buf *b, const struct row_table *t)
{
	buf_printf(b, "{\"name\":\"%s\",\"meaning\":\"%s\",\"columns\":[\n",
		   t->name, t->words);
	for (unsigned int i = 0; i < t->count; i++) {
		json_column(b, row_table_column(t, i));
		buf_printf(b, i + 1 < t->count ? ",\n" : "]}");
	}
}

void schema_json(struct buf *b, const struct row_table *const *t,
		 unsigned int count)
{
	buf_printf(b, "{\"schema\":%d,\"tables\":[", ROW_TABLE_SCHEMA);
	for (unsigned int i = 0; i < count; i++) {
		json_table(b, t[i]);
		buf_printf(b, i + 1 < count ? ",\n" : "]}\n");
	}
}
