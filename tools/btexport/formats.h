/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The formats that there are, by name and by the endings of files.
 */
#ifndef TOOLS_BTEXPORT_FORMATS_H
#define TOOLS_BTEXPORT_FORMATS_H

struct output_ops;		/* tools/btexport/output.h */

/* what --format takes; tests/btexport.t compares it with the table */
#define FORMAT_NAMES "csv|tsv|jsonl|parquet|sqlite|perfetto|fio|prometheus"

/* the format of that name; NULL: there is none */
const struct output_ops *format_named(const char *name);

/* the one that files with the ending of path have; NULL: none has it */
const struct output_ops *format_by_ending(const char *path);

#endif
