/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pieces of HTML: ours as it is, text from outside escaped.
 */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

#include "report/figure.h"

struct buf;			/* base/buf.h: keeps errors of writing */

/* ours, with numbers and our own words in it */
void markup(struct buf *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* text from outside, in an element or in quotes */
void markup_text(struct buf *b, const char *text);

/* a cell of a table */
void markup_cell(struct buf *b, struct figure f);

#endif
