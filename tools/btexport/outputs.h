/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All outputs of a run: one, which takes all tables that are wanted, or, in a
 * directory, one for each table.
 */
#ifndef TOOLS_BTEXPORT_OUTPUTS_H
#define TOOLS_BTEXPORT_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btexport/output.h"
#include "tools/btexport/tables.h"

/* --- partition ------------------------------------------------------------ */

/*
 * Where the files of -o DIR/ are: DIR/TABLE/host=HOST/date=DATE/START-DISKS,
 * with the format's ending.  Engines take host= and date= for columns, and
 * read only the folders that a query is about.
 *
 * START is when the trace began, in ns since 1970, DATE the day of that by UTC:
 * the same trace has the same file, so that exporting it again replaces it.
 */

struct opener;			/* base/opener.h */
struct reader;			/* run/reader.h */

struct partition {
	const struct opener *opener;	/* makes folders, or NULL */
	const char *directory;
	const char *host;	/* only [A-Za-z0-9._-] */
	const struct reader *reader;	/* knows the disks */
	const char *ending;	/* ".csv" */
	bool has_start;		/* else its START is 0, its DATE unknown */
	int64_t start;
};

/* --- outputs -------------------------------------------------------------- */

struct ios;			/* request/ios.h */
struct partition;		/* tools/btexport/outputs.h */

struct outputs {
	const struct export_options *o;
	const struct ios *ios;	/* see output.h */
	bool open;
	struct output list[TABLES];
	char *paths[TABLES];	/* in a directory: ours */
	unsigned int count;
	struct output *of[TABLES];	/* where rows go; NULL: nowhere */
	uint64_t rows, bytes;	/* of all, at the end */
};

/*
 * Opens them: of one file or standard output; or, where p is not NULL, in its
 * directory.  Whether that could be done; else it has been reported, and
 * nothing is left of it.  *s, all zeros before but for outputs_from(), stays
 * where it is.
 */
bool outputs_begin(struct outputs *s, const struct export_options *o,
		  const struct partition *p);

/* Ios come from there from now on; NULL: no more come.  Before it is gone. */
void outputs_from(struct outputs *s, const struct ios *ios);

/* as output_quiet(), output_finish() and output_discard(), of all */
bool outputs_quiet(struct outputs *s);
bool outputs_finish(struct outputs *s);
void outputs_discard(struct outputs *s);

#endif
