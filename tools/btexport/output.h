/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The output of rows or I/Os: a file or standard output, in one of the formats.
 *
 * A format is a row in formats.c: its abilities and functions.  The main loop
 * knows no format, and a format only its own options.
 */
#ifndef TOOLS_BTEXPORT_OUTPUT_H
#define TOOLS_BTEXPORT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/outfile.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/tables.h"

struct cell;			/* emit/row.h */
struct io;			/* request/io.h */
struct ios;			/* request/ios.h */
struct named_io;		/* emit/named_io.h */
struct output;
struct output_options;		/* tools/btexport/output_options.h */
struct row_ops;			/* emit/row.h */

enum { OUTPUT_BUFFER = 65536 };	/* bytes, before a file */

enum output_ability {
	OUTPUT_BINARY = 1,	/* not for a terminal */
	OUTPUT_FILE = 2,	/* not for standard output: a library opens the
				 * file by its name */
	OUTPUT_FOLDER = 4,	/* -o DIR/: a file per trace and table */
	OUTPUT_FIELDS = 8,	/* --fields */
	OUTPUT_HEADER = 16,	/* --no-header, --null */
	OUTPUT_PACKED = 32,	/* --compress */
	OUTPUT_SEVERAL = 64,	/* several tables in one file */
	OUTPUT_OWN_FILE = 128,	/* opens its files, repeatedly */
	OUTPUT_REPLAYED = 256,	/* --at, --target */
};

#define TABLE_BIT(kind) (1u << (kind))

/*
 * Only leave_out and one of I/O and row may be NULL.  Functions return 0,
 * -ENOMEM, or another -errno, which they have reported.  The caller checks
 * file.buf for write errors.
 */
struct output_ops {
	const char *name;	/* --format */
	const char *endings[2];	/* of -o, or NULL */
	unsigned int able;	/* bits of enum output_ability */
	bool open;		/* it asks for open I/Os between others */
	unsigned int tables;	/* which it supports; 0: it takes I/Os */
	unsigned int usual;	/* those without --table */
	const struct row_ops *rows;	/* for streams of rows */

	int (*begin)(struct output *out);
	/* a cell for each selected column of the table */
	int (*row)(struct output *out, enum table_kind kind,
		   const struct cell *cells);
	int (*io)(struct output *out, const struct named_io *io);
	/* an I/O that is not selected, for a format that counts ids */
	int (*leave_out)(struct output *out, const struct io *io);
	/* a pipe is silent, or all has been read: writes what it can */
	int (*quiet)(struct output *out);
	int (*end)(struct output *out);
	/* whether ended or not */
	void (*free)(struct output *out);
};

struct output {
	const struct output_ops *ops;	/* NULL: not open */
	const struct output_options *o;
	unsigned int tables;	/* bits: those written here */
	struct outfile file;
	const char *path;	/* NULL: standard output */
	const struct ios *ios;	/* the source of I/Os; NULL: no more come */
	uint64_t rows, bytes;	/* bytes: after output_end() */
	/* by which a folder's rows are verified, of output_sum(): */
	bool summed;
	unsigned int sum_count, sum_at[ROW_TABLE_SUMS];	/* among the cells */
	uint64_t sums[ROW_TABLE_SUMS];
	uint32_t checksum;	/* CRC-32 of the file, after output_end() */
	void *own;		/* the format's */
};

/* path and o must outlive *out.  false: not open, and reported */
bool output_begin(struct output *out, const struct output_options *o,
		  const char *path, unsigned int tables);

/* From now on sums of its table are kept, and its file is not replaced by one of
 * the same bytes. */
void output_sum(struct output *out, const struct row_table *t);

/* false: failed, and reported */
bool output_row(struct output *out, enum table_kind kind,
		const struct cell *cells);
bool output_io(struct output *out, const struct named_io *io);
bool output_leave_out(struct output *out, const struct io *io);

/* writes what it can; false: failed, and reported */
bool output_quiet(struct output *out);

/* ends it, and its file is complete; false: failed, and reported */
bool output_end(struct output *out);

/* after output_end(), renames its file into place; false: failed, and reported */
bool output_place(struct output *out);

/* removes an unfinished file, and keeps the old one; fine if not open */
void output_discard(struct output *out);

#endif
