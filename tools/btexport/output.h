/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where exported rows go: a file, or standard output, in one of the formats.
 *
 * A format is a row in formats.c: what it can, and the functions which make
 * it.  The loop knows no format, and a format neither loop nor options but
 * those that are for it.
 */
#ifndef TOOLS_BTEXPORT_OUTPUT_H
#define TOOLS_BTEXPORT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/outfile.h"
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
	OUTPUT_BINARY = 1,	/* no terminal gets it */
	OUTPUT_FILE = 2,	/* nor does standard output: a library opens
				 * it by its name, while it is written */
	OUTPUT_FOLDER = 4,	/* -o DIR/: a file per trace and table */
	OUTPUT_FIELDS = 8,	/* --fields */
	OUTPUT_HEADER = 16,	/* --no-header, --null */
	OUTPUT_PACKED = 32,	/* --compress */
	OUTPUT_SEVERAL = 64,	/* several tables in one file */
	OUTPUT_OWN_FILE = 128,	/* it opens its files itself, and as often as
				 * it wants to */
	OUTPUT_REPLAYED = 256,	/* --at, --target */
};

/* bits of tables */
#define TABLE_BIT(kind) (1u << (kind))

/*
 * All functions but io, or row, and leave_out are there.  They return 0, or
 * -ENOMEM; what else fails they have reported, as any other -errno.  What they
 * write through file.buf is checked by the caller.
 */
struct output_ops {
	const char *name;	/* --format */
	const char *endings[2];	/* of -o, or NULL */
	unsigned int able;	/* bits of enum output_ability */
	unsigned int tables;	/* that it can take; 0: it takes ios by io() */
	unsigned int usual;	/* of them those without --table */
	const struct row_ops *rows;	/* of tools/btexport/formats.h */

	int (*begin)(struct output *out);
	/* a cell for each column that is wanted of the table */
	int (*row)(struct output *out, enum table_kind kind,
		   const struct cell *cells);
	int (*io)(struct output *out, const struct named_io *io);
	/* one that is not wanted, for a format that counts ids; or NULL */
	int (*leave_out)(struct output *out, const struct io *io);
	/* a pipe is silent, or all has been read: what can be written now
	 * should be */
	int (*quiet)(struct output *out);
	int (*end)(struct output *out);
	/* whether ended or not */
	void (*free)(struct output *out);
};

struct output {
	const struct output_ops *ops;	/* NULL: it is not open */
	const struct output_options *o;
	unsigned int tables;	/* bits: those that come here */
	struct outfile file;
	const char *path;	/* NULL: standard output */
	const struct ios *ios;	/* where they come from; NULL: no more come */
	uint64_t rows, bytes;	/* bytes: when it has ended */
	void *own;		/* the format's */
};

/* path and o stay.  Whether it could be opened; else that has been reported,
 * and *out is not open.  */
bool output_begin(struct output *out, const struct output_options *o,
		  const char *path, unsigned int tables);

/* whether a row, or an io, could be taken; failures have been reported */
bool output_row(struct output *out, enum table_kind kind,
		const struct cell *cells);
bool output_io(struct output *out, const struct named_io *io);
bool output_leave_out(struct output *out, const struct io *io);

/* the same of what can be written now */
bool output_quiet(struct output *out);

/* the end: a file takes its place.  Whether all went well. */
bool output_finish(struct output *out);

/* Frees what is not ended: a file is removed, what was there before stands.
 * One that is not open is fine. */
void output_discard(struct output *out);

#endif
