/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that btreport writes of what was read. */
#ifndef TOOLS_BTREPORT_PAGES_H
#define TOOLS_BTREPORT_PAGES_H

#include <stdbool.h>

#include "report/making.h"

struct btreport_options;	/* tools/btreport/options.h */
struct comparison;		/* compare/comparison.h */
struct side;			/* tools/btreport/side.h */

/* What was asked for of one side, which loses what there is no room for;
 * whether all went well, else it has been reported. */
bool pages_write(const struct btreport_options *o, const struct side *s);

enum { PAGE_HOST_MAX = 256 };

/* a side of two, which is ready for its page */
struct page_side {
	struct making making;
	char host[PAGE_HOST_MAX];
};

/* *p stays where it is; the side loses what the page does not need */
void pages_make_side(struct page_side *p, const struct btreport_options *o,
		     const struct side *s);

/* As pages_write() of two of these, which it frees, and comparisons of
 * side_measures, which have ended. */
bool pages_write_pair(const struct btreport_options *o, const struct side *s,
		      struct page_side *p,
		      struct comparison *const *comparisons);

#endif
