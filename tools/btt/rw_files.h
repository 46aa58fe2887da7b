/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Three files of the same lines: for reads, for writes, and for both.
 */
#ifndef TOOLS_BTT_RW_FILES_H
#define TOOLS_BTT_RW_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct datafile;		/* tools/btt/datafile.h */
struct opener;			/* base/opener.h */

struct rw_files {
	bool wanted;		/* else there are no files */
	struct datafile *reads, *writes, *both;
};

/* prefix_label + stem + "_r.dat", "_w.dat", "_c.dat"; none if prefix is NULL */
void rw_files_open(struct rw_files *t, const struct opener *by,
		   const char *prefix, const char *label, const char *stem);

/* a line of a read or a write */
void rw_files_write(struct rw_files *t, bool read, const char *line,
		    size_t len);

/* false: not all is in the files, after a warning */
bool rw_files_close(struct rw_files *t);

#endif
