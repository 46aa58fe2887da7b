/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a cache in front of each device would serve, as sections of a page: a curve
 * with the band of its error, the sentence that it amounts to, and a table.  They
 * need no script.
 */
#ifndef REPORT_CACHE_PANEL_H
#define REPORT_CACHE_PANEL_H

struct buf;			/* base/buf.h */
struct json;			/* base/json.h */
struct report_page;		/* report/page.h */

/* appends nothing to b if the page has no caches */
void cache_panel_write(const struct report_page *p, struct buf *b);

/* the member "caches", if it has them */
void cache_panel_meta(const struct report_page *p, struct json *j);

#endif
