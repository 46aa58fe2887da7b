/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sample as text: a head and a table, in lines of at most the look's width.
 * Names must be escaped already.
 */
#ifndef TOOLS_BLKTOP_TEXT_H
#define TOOLS_BLKTOP_TEXT_H

#include <stdint.h>

#include "tools/blktop/sample.h"

struct buf;			/* base/buf.h */
struct look;			/* base/look.h */

enum { TEXT_TITLE = 256, TEXT_HEAD_LINES = 5 };

struct text {
	const struct look *look;
	char title[TEXT_TITLE];	/* inputs and state */
	enum group_key by;
	enum sample_order sort;
	const char *where;	/* the expression, or NULL */
	uint64_t interval;	/* ns */
	uint64_t total;		/* the trace's length, ns; 0: unknown */
	int64_t own;		/* our share of a CPU in the interval, in
				 * hundredths of a percent; -1: unknown */
};

/* sets the title: "NAME NAME (state)", escaped */
void text_set_title(struct text *t, const char *const *names, int count,
		    const char *state);

/* TEXT_HEAD_LINES lines; late: in flight at the interval's end, or now */
void text_head(const struct text *t, struct buf *b, const struct sample *s,
	       const struct late *late);

/* Appends the heading and at most rows rows, from first on, of the table (may
 * be NULL).  0 or -ENOMEM. */
int text_table(const struct text *t, struct buf *b, const struct sample *s,
	       const struct sample_table *table, unsigned int first,
	       unsigned int rows);

#endif
