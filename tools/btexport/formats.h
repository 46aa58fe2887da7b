/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The export formats, by name and by file ending.
 */
#ifndef TOOLS_BTEXPORT_FORMATS_H
#define TOOLS_BTEXPORT_FORMATS_H

#include "tools/btexport/output.h"

/* --- timeline ------------------------------------------------------------- */

/* timeline_end() warns of more I/Os, which browsers may not handle */
enum { TIMELINE_IOS = 2000000 };

/* functions of struct output_ops for a Perfetto trace */
int timeline_begin(struct output *out);
int timeline_end(struct output *out);
void timeline_free(struct output *out);

/* --- formats -------------------------------------------------------------- */

struct output_ops;		/* tools/btexport/output.h */

/* values of --format; tests/btexport.t compares it with the table */
#define FORMAT_NAMES "csv|tsv|jsonl|parquet|rowbinary|sqlite|perfetto|fio|prometheus"

/* NULL: no such format */
const struct output_ops *format_named(const char *name);

/* the format of path's ending, or NULL */
const struct output_ops *format_by_ending(const char *path);

#endif
