/* SPDX-License-Identifier: GPL-2.0-only */
/* What is different between two runs, in btstat's words, as HTML. */
#ifndef REPORT_PAIR_VERDICTS_H
#define REPORT_PAIR_VERDICTS_H

struct buf;			/* base/buf.h */
struct report_pair;		/* report/pair.h */

/* a section: what verdicts are about, and a table of them */
void pair_verdicts_write(const struct report_pair *pair, struct buf *b);

#endif
