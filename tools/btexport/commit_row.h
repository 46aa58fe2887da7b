/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table commits: a row for each call that waited for the disk, or in a trace
 * without calls each journal commit and flush, and what it waited for
 * (commit/commit.h).
 */
#ifndef TOOLS_BTEXPORT_COMMIT_ROW_H
#define TOOLS_BTEXPORT_COMMIT_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "emit/row.h"
#include "request/ios.h"
#include "tools/btexport/naming.h"

struct commit;			/* commit/commit.h */
struct commits;			/* commit/commits.h */
struct window;			/* run/window.h */

extern const struct row_table commit_table;	/* tools/btexport/row_table.h */

enum { COMMIT_COLUMNS = 22 };

/* an all-zero one is not wanted */
struct commit_rows {
	struct ios_watcher watcher;
	struct commits *commits;
	struct commit *list;	/* whose rows are to be made */
	size_t count, size, next;
	char dev[NAMING_DEV];
	int failed;		/* -ENOMEM, of an event */
};

/* Before the first I/O; r stays where it is.  0 or -ENOMEM. */
int commit_rows_init(struct commit_rows *r, struct ios *ios);

/* each I/O, and the end; 0 or -ENOMEM */
int commit_rows_add(struct commit_rows *r, const struct io *io);
int commit_rows_end(struct commit_rows *r);

/* Stores the next row of one that returned in the window in cells, in the order of
 * the table's columns; unix_ns is left to the caller, and its time is in *time.
 * false: no more for now.  Texts are n's, and r's until the next I/O. */
bool commit_rows_next(struct commit_rows *r, struct naming *n,
		      const struct window *w, struct cell cells[COMMIT_COLUMNS],
		      uint64_t *time);

/* the column of its time of day */
enum { COMMIT_UNIX = 5 };

void commit_rows_free(struct commit_rows *r);

#endif
