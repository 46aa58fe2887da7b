/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pieces of HTML; text from outside is escaped.
 */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

#include <stdint.h>

/* --- figure --------------------------------------------------------------- */

/*
 * Numbers as a page shows them: three significant digits at most, thin spaces,
 * which break no line, between thousands and before the unit, which fits; "56%"
 * has none.  All is UTF-8.
 */

#define THIN "\xe2\x80\xaf"
#define AT_LEAST "\xe2\x89\xa5" THIN	/* >= */
#define AT_MOST "\xe2\x89\xa4" THIN
#define DASH "\xe2\x80\x93"

enum { FIGURE_VALUE_MAX = 64, FIGURE_UNIT_MAX = 16 };

struct figure {
	char value[FIGURE_VALUE_MAX];
	char unit[FIGURE_UNIT_MAX];	/* "": none */
};

/* "12 345" */
struct figure figure_count(uint64_t n);
/* "0.31", "48.1", "1 234" */
struct figure figure_decimal(double v);
/* a span: ns, µs, ms, s */
struct figure figure_time(double ns);
/* bytes: B, KiB, ... TiB */
struct figure figure_size(double bytes);
/* part of whole in %; none of 0 */
struct figure figure_share(double part, double whole);
/* a missing value */
struct figure figure_none(void);

enum { FIGURE_TEXT_MAX = 96 };

/* both in one text, which is returned */
const char *figure_text(char text[FIGURE_TEXT_MAX], struct figure f);

/* --- markup --------------------------------------------------------------- */

struct buf;			/* base/buf.h: stores write errors */

/* our own text */
void markup(struct buf *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* our own text or number, as it is */
void markup_plain(struct buf *b, const char *text);
void markup_number(struct buf *b, uint64_t n);

/* text from outside, in an element or in quotes */
void markup_text(struct buf *b, const char *text);

/* a cell of a table */
void markup_cell(struct buf *b, struct figure f);

#endif
