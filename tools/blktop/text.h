/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sample as text for people: a head of lines about all of it, and a table.
 * No line is longer than the look's width; names are harmless already.
 */
#ifndef TOOLS_BLKTOP_TEXT_H
#define TOOLS_BLKTOP_TEXT_H

#include <stdint.h>

#include "tools/blktop/sample.h"

struct buf;			/* base/buf.h */
struct look;			/* base/look.h */

enum { TEXT_TITLE = 256, TEXT_HEAD_LINES = 3 };

struct text {
	const struct look *look;
	char title[TEXT_TITLE];	/* what is looked at, and how */
	enum group_key by;
	enum sample_order sort;
	const char *where;	/* the expression, or NULL */
	uint64_t interval;	/* ns */
	uint64_t total;		/* how long the trace is, ns; 0: not known */
	int64_t own;		/* our share of a CPU in the interval, in
				 * hundredths of a percent; -1: not known */
};

/* "NAME NAME (state)", made harmless, to t->title */
void text_set_title(struct text *t, const char *const *names, int count,
		    const char *state);

/* TEXT_HEAD_LINES lines */
void text_head(const struct text *t, struct buf *b, const struct sample *s);

/*
 * The heading of the columns and at most so many rows, from the first on, in
 * their order, of the table (NULL: none).  0 or -ENOMEM.
 */
int text_table(const struct text *t, struct buf *b, const struct sample *s,
	       const struct sample_table *table, unsigned int first,
	       unsigned int rows);

#endif
