/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All outputs of a run: one with all selected tables, or, in a directory, one
 * for each table.
 */
#ifndef TOOLS_BTEXPORT_OUTPUTS_H
#define TOOLS_BTEXPORT_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/btexport/output.h"
#include "tools/btexport/tables.h"

/* --- partition ------------------------------------------------------------ */

/*
 * The files of -o DIR/: DIR/TABLE/host=HOST/date=DATE/START-DISKS and the
 * format's ending.  Engines use host= and date= as columns, and read only the
 * folders that a query needs.
 *
 * START is the trace's start in ns since 1970, DATE its day in UTC: exporting a
 * trace again replaces its file, unless that has the same bytes.  Then comes the
 * trace's manifest (manifest.h).
 */

struct opener;			/* base/opener.h */
struct reader;			/* run/reader.h */

struct partition {
	const struct opener *opener;	/* makes folders, or NULL */
	const char *directory;
	const char *host;	/* only [A-Za-z0-9._-] */
	const struct reader *reader;	/* for DISKS */
	const char *ending;	/* ".csv" */
	bool has_start;		/* else START is 0, DATE "unknown" */
	int64_t start;
	/* of a segment, the name is HH-TRACE-NUMBER: */
	const char *trace;	/* or NULL */
	unsigned int segment;
};

/* the length of a directory's name without the / at its end */
size_t outputs_folder_length(const char *directory);

/* the length of a segment's path up to the end of its hour, HH */
size_t outputs_hour_length(const char *path);

/* --- outputs -------------------------------------------------------------- */

struct ios;			/* request/ios.h */
struct manifest;		/* tools/btexport/manifest.h */

struct outputs {
	const struct export_options *o;
	const struct ios *ios;	/* see output.h */
	bool open;
	struct output list[TABLES];
	char *paths[TABLES];	/* owned; in a directory */
	char *manifest;		/* the path of the manifest, owned; or NULL */
	size_t skipped;		/* of paths: the directory */
	unsigned int count;
	struct output *of[TABLES];	/* of each table; NULL: none */
	uint64_t rows, bytes;	/* of all, after outputs_finish() */
};

/*
 * Opens one file or standard output, or, if p is not NULL, files in its
 * directory.  *s starts as all zeros except for outputs_from(), and must not
 * move.  false: none is open, and reported.
 */
bool outputs_begin(struct outputs *s, const struct export_options *o,
		  const struct partition *p);

/* sets the source of I/Os; must be called with NULL before it is freed */
void outputs_from(struct outputs *s, const struct ios *ios);

/* output_quiet() of all */
bool outputs_quiet(struct outputs *s);

/*
 * Ends all, and renames their files into place; in a directory then calls placed,
 * if it is not NULL, with the path of the manifest, and writes that: *m and the
 * tables.  false: failed, also in placed, and reported.
 */
bool outputs_finish(struct outputs *s, const struct manifest *m,
		    bool (*placed)(void *ctx, const char *manifest),
		    void *ctx);

/* output_discard() of all */
void outputs_discard(struct outputs *s);

#endif
