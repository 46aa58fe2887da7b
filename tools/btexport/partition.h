/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the files of -o DIR/ are: DIR/TABLE/host=HOST/date=DATE/START-DISKS,
 * with the format's ending.  Engines take host= and date= for columns, and
 * read only the folders that a query is about.
 *
 * START is when the trace began, in ns since 1970, DATE the day of that by UTC:
 * the same trace has the same file, so that exporting it again replaces it.
 */
#ifndef TOOLS_BTEXPORT_PARTITION_H
#define TOOLS_BTEXPORT_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

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

/*
 * The path of a table's file, all of whose folders are there then: 0 and
 * *path, the caller's to free; -ENOMEM; or another -errno: *path is the folder
 * that could not be made.
 */
int partition_path(const struct partition *p, const char *table, char **path);

#endif
