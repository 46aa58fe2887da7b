/* SPDX-License-Identifier: GPL-2.0-only */
/* The formats that there are; see formats.h. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "emit/csv.h"
#include "emit/jsonl.h"
#include "emit/parquet.h"
#include "tools/btexport/database.h"
#include "tools/btexport/fio.h"
#include "tools/btexport/formats.h"
#include "tools/btexport/output.h"
#include "tools/btexport/rows.h"
#include "tools/btexport/textfile.h"
#include "tools/btexport/timeline.h"

#define ALL_TABLES ((1u << TABLES) - 1)

/* of a format that is a stream of rows */
#define ROWS(row_ops) \
	.tables = ALL_TABLES, .usual = TABLE_BIT(TABLE_IOS), \
	.rows = &row_ops, .begin = rows_begin, .row = rows_row, \
	.quiet = rows_quiet, .end = rows_end, .free = rows_free

static const struct output_ops formats[] = {
	{ "csv", { ".csv" }, OUTPUT_FOLDER | OUTPUT_FIELDS | OUTPUT_HEADER,
	  ROWS(csv_ops) },
	{ "tsv", { ".tsv" }, OUTPUT_FOLDER | OUTPUT_FIELDS | OUTPUT_HEADER,
	  ROWS(tsv_ops) },
	{ "jsonl", { ".jsonl" }, OUTPUT_FOLDER | OUTPUT_FIELDS,
	  ROWS(jsonl_ops) },
	{ "parquet", { ".parquet" },
	  OUTPUT_BINARY | OUTPUT_FOLDER | OUTPUT_FIELDS | OUTPUT_PACKED,
	  ROWS(parquet_ops) },
	{ "sqlite", { ".sqlite", ".db" },
	  OUTPUT_BINARY | OUTPUT_FILE | OUTPUT_FIELDS | OUTPUT_SEVERAL,
	  .tables = ALL_TABLES,
	  .usual = TABLE_BIT(TABLE_IOS) | TABLE_BIT(TABLE_LATENCY) |
		   TABLE_BIT(TABLE_META),
	  .begin = database_begin, .row = database_row,
	  .quiet = database_quiet, .end = database_end,
	  .free = database_free },
	{ "perfetto", { ".pftrace" }, OUTPUT_BINARY,
	  .begin = timeline_begin, .io = timeline_io,
	  .leave_out = timeline_leave_out, .quiet = timeline_quiet,
	  .end = timeline_end, .free = timeline_free },
	{ "fio", { ".iolog" }, OUTPUT_REPLAYED,
	  .begin = fio_begin, .io = fio_io, .quiet = fio_quiet,
	  .end = fio_end, .free = fio_free },
	{ "prometheus", { ".prom" }, OUTPUT_OWN_FILE,
	  .begin = textfile_begin, .io = textfile_io,
	  .quiet = textfile_quiet, .end = textfile_end,
	  .free = textfile_free },
};

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

const struct output_ops *format_named(const char *name)
{
	for (int i = 0; i < FORMATS; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

static bool ends_with(const char *path, const char *ending)
{
	size_t len = strlen(path), n = ending ? strlen(ending) : 0;

	return n && len > n && !strcmp(path + len - n, ending);
}

const struct output_ops *format_by_ending(const char *path)
{
	for (int i = 0; i < FORMATS; i++)
		if (ends_with(path, formats[i].endings[0]) ||
		    ends_with(path, formats[i].endings[1]))
			return &formats[i];
	return NULL;
}
