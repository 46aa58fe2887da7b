/* SPDX-License-Identifier: GPL-2.0-only */
/* A page as one file of HTML. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdint.h>

struct buf;			/* base/buf.h */
struct report_page;		/* report/page.h */

/* to b, which keeps the error of writing */
void report_html_write(const struct report_page *p, struct buf *b);

/* its blocks, as elements whose ids begin with a prefix */
void report_html_blocks(const struct report_page *p, const char *prefix,
			struct buf *b);

/* *bytes: how many of the file are not its blocks' text; 0 or -ENOMEM */
int report_html_beside(const struct report_page *p, uint64_t *bytes);

#endif
