/* SPDX-License-Identifier: GPL-2.0-only */
/* What each device can do, on a page: throughput and latency by depth, as HTML with
 * pictures, and as JSON. */
#ifndef REPORT_KNEES_H
#define REPORT_KNEES_H

struct buf;			/* base/buf.h */
struct json;			/* base/json.h */
struct report_page;		/* report/page.h */

/* a section, if anything is known; the buffer keeps errors */
void knees_write(const struct report_page *p, struct buf *b);

/* the member "capacity" */
void knees_put(const struct report_page *p, struct json *j);

#endif
