/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of two runs as one file of HTML. */
#ifndef REPORT_PAIR_HTML_H
#define REPORT_PAIR_HTML_H

struct buf;			/* base/buf.h */
struct report_pair;		/* report/pair.h */

/* to b, which keeps the error of writing */
void pair_html_write(const struct report_pair *pair, struct buf *b);

#endif
