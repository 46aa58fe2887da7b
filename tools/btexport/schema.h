/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptions of tables, for people and programs: --schema.
 */
#ifndef TOOLS_BTEXPORT_SCHEMA_H
#define TOOLS_BTEXPORT_SCHEMA_H

struct buf;			/* base/buf.h */
struct row_table;			/* tools/btexport/row_table.h */

/* a table as aligned lines: name, type, whether null may be, unit, meaning */
void schema_text(struct buf *b, const struct row_table *t);

/*
 * Tables t[0] to t[count - 1] as a JSON object, with a newline: schema
 * (the number), tables: [{name, meaning, columns: [{name, type ("text",
 * "int32", "int64"), null (a boolean), unit (a text, or null), meaning}]}]
 */
void schema_json(struct buf *b, const struct row_table *const *t,
		 unsigned int count);

#endif
