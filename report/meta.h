/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of a page besides its columns, as JSON: doc/report.md. */
#ifndef REPORT_META_H
#define REPORT_META_H

#include <stdbool.h>

struct json;			/* base/json.h */
struct report_page;		/* report/page.h */
struct buf;			/* base/buf.h */

/* appends one object to b, which stores a write error; page: for a page that
 * people read, base/json.h */
void report_meta_write(const struct report_page *p, struct buf *b, bool page);

/* the same, as a value of j */
void report_meta_put(const struct report_page *p, struct json *j);

#endif
