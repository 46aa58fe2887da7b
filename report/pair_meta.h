/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of a page of two runs, as JSON: doc/report.md. */
#ifndef REPORT_PAIR_META_H
#define REPORT_PAIR_META_H

#include <stdbool.h>

struct buf;			/* base/buf.h */
struct report_pair;		/* report/pair.h */

/* appends one object to b, which stores a write error; page: for a page that
 * people read, base/json.h */
void pair_meta_write(const struct report_pair *pair, struct buf *b,
		     bool page);

#endif
