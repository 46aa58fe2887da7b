/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The formats that there are, by name and by the endings of files.
 */
#ifndef TOOLS_BTEXPORT_FORMATS_H
#define TOOLS_BTEXPORT_FORMATS_H

#include "tools/btexport/output.h"

/* --- rows ----------------------------------------------------------------- */

/*
 * Formats that are a stream of rows of one table (emit/row.h) as outputs: the
 * functions of their struct output_ops, whose rows says which format it is.
 */

/* --- fio ------------------------------------------------------------------ */

/*
 * An iolog of fio (emit/iolog.h) as an output: the functions of its struct
 * output_ops.
 */

/* --- textfile ------------------------------------------------------------- */

/*
 * Counters for Prometheus (emit/prometheus.h) as an output: the functions of
 * its struct output_ops.  A file is written anew every so often, each time as a
 * whole, so that node_exporter's textfile collector never sees half of it.
 */

/* --- timeline ------------------------------------------------------------- */

/*
 * A trace of Perfetto's as an output: the functions of its struct output_ops.
 */

/* more ios than these may be too many for a browser: the end says so */
enum { TIMELINE_IOS = 2000000 };

int timeline_begin(struct output *out);
int timeline_end(struct output *out);
void timeline_free(struct output *out);

/* --- formats -------------------------------------------------------------- */

struct output_ops;		/* tools/btexport/output.h */

/* what --format takes; tests/btexport.t compares it with the table */
#define FORMAT_NAMES "csv|tsv|jsonl|parquet|sqlite|perfetto|fio|prometheus"

/* the format of that name; NULL: there is none */
const struct output_ops *format_named(const char *name);

/* the one that files with the ending of path have; NULL: none has it */
const struct output_ops *format_by_ending(const char *path);

#endif
