/* SPDX-License-Identifier: GPL-2.0-only */
/* The exported tables; see tables.h. */
#include <string.h>

#include "tools/btexport/cache_row.h"
#include "tools/btexport/capacity_row.h"
#include "tools/btexport/commit_row.h"
#include "tools/btexport/covered.h"
#include "tools/btexport/event_row.h"
#include "tools/btexport/io_row.h"
#include "tools/btexport/latency.h"
#include "tools/btexport/meta.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/tables.h"

static const struct row_table *const tables[TABLES] = {
	[TABLE_IOS] = &ios_table,
	[TABLE_EVENTS] = &events_table,
	[TABLE_LATENCY] = &latency_table,
	[TABLE_META] = &meta_table,
	[TABLE_SEGMENTS] = &covered_table,
	[TABLE_COMMITS] = &commit_table,
	[TABLE_CAPACITY] = &capacity_table_rows,
	[TABLE_CACHE] = &cache_rows_table,
};

const struct row_table *tables_get(enum table_kind kind)
{
	return tables[kind];
}

enum table_kind tables_find(const char *name)
{
	enum table_kind kind = 0;

	while (kind < TABLES && strcmp(tables[kind]->name, name))
		kind++;
	return kind;
}
