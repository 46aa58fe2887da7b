/* SPDX-License-Identifier: GPL-2.0-only */
/* The exported tables. */
#ifndef TOOLS_BTEXPORT_TABLES_H
#define TOOLS_BTEXPORT_TABLES_H

struct row_table;		/* tools/btexport/row_table.h */

enum table_kind {
	TABLE_IOS,
	TABLE_EVENTS,
	TABLE_LATENCY,
	TABLE_META,
	TABLE_SEGMENTS,
	TABLE_COMMITS,
	TABLE_CAPACITY,
	TABLE_CACHE,
	TABLES
};

const struct row_table *tables_get(enum table_kind kind);

/* TABLES: no table has this name */
enum table_kind tables_find(const char *name);

#endif
