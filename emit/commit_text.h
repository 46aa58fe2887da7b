/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that waited for the disk, as text. */
#ifndef EMIT_COMMIT_TEXT_H
#define EMIT_COMMIT_TEXT_H

#include <stdint.h>

struct buf;			/* base/buf.h */
struct commit;			/* commit/commit.h */
struct commit_names;		/* commit/commit_sums.h */
struct commit_sums;
struct look;			/* base/look.h */

/*
 * "fsync of wal/0001 by postgres 14.1ms: 304us own data, 8.00ms flush": a line
 * with its newline; parts that are 0 are left out.
 */
void commit_text_line(struct buf *b, const struct commit *c,
		      const struct commit_names *names);

/* All of them, by file and by process, most time first, and the slowest; sums are
 * sorted.  0, or -ENOMEM: rows are missing. */
int commit_text_sums(struct buf *b, const struct commit_sums *s,
		     const struct look *look);

#endif
