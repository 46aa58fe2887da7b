/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a page above its graphs, as HTML. */
#ifndef EMIT_REPORT_TILES_H
#define EMIT_REPORT_TILES_H

struct buf;			/* base/buf.h */
struct report_page;		/* emit/report/page.h */

/* below the title: host, time of day, events */
void tiles_write_sub(const struct report_page *p, struct buf *b);

/* nine tiles of one number each */
void tiles_write(const struct report_page *p, struct buf *b);

/* a list of remarks */
void tiles_write_findings(const struct report_page *p, struct buf *b);

#endif
