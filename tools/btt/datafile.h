/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of data lines for plotting.  All functions accept NULL, for a file not
 * requested or not opened, and write nothing.
 */
#ifndef TOOLS_BTT_DATAFILE_H
#define TOOLS_BTT_DATAFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* --- rw files ------------------------------------------------------------- */

/* Three files of the same lines: for reads, for writes, and for both. */

struct datafile;		/* tools/btt/datafile.h */
struct opener;			/* base/opener.h */

struct rw_files {
	bool wanted;		/* else no files */
	struct datafile *reads, *writes, *both;
};

/* prefix_label + stem + "_r.dat", "_w.dat", "_c.dat"; none if prefix is NULL */
void rw_files_open(struct rw_files *t, const struct opener *by,
		   const char *prefix, const char *label, const char *stem);

void rw_files_write(struct rw_files *t, bool read, const char *line,
		    size_t len);

/* false: a write failed, after a warning */
bool rw_files_close(struct rw_files *t);

/* --- datafile ------------------------------------------------------------- */

struct datafile {
	struct buf buf;
	const struct opener *opener;
	char *path;
	bool used;		/* has a line */
};

/* Creates or truncates the file.  by must outlive it, or is NULL.  NULL after a
 * warning: failed. */
struct datafile *datafile_open(const struct opener *by, const char *path);

/* the same for "prefix_label" + suffix; NULL if prefix is NULL */
struct datafile *datafile_open_for(const struct opener *by, const char *prefix,
				   const char *label, const char *suffix);

/* the same for "label" + suffix, in the working directory */
struct datafile *datafile_open_here(const struct opener *by, const char *label,
				    const char *suffix);

enum datafile_end {
	DATAFILE_DROP_EMPTY,	/* delete a file without a line */
	DATAFILE_KEEP,
};

/* Writes out, closes and frees.  false: a write failed, after a warning. */
bool datafile_close(struct datafile *f, enum datafile_end end);

/* truncates the file */
void datafile_restart(struct datafile *f);

/* room for need bytes of a line, as buf_room(), or NULL */
static inline char *datafile_room(struct datafile *f, size_t need)
{
	return f ? buf_room(&f->buf, need) : NULL;
}

static inline void datafile_commit(struct datafile *f, const char *end)
{
	f->used = true;
	buf_commit(&f->buf, end);
}

/* a formatted line; too slow for every event */
void datafile_printf(struct datafile *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
