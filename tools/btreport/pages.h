/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that btreport writes of what was read. */
#ifndef TOOLS_BTREPORT_PAGES_H
#define TOOLS_BTREPORT_PAGES_H

#include <stdbool.h>

struct btreport_options;	/* tools/btreport/options.h */
struct comparison;		/* emit/comparison.h */
struct side;			/* tools/btreport/side.h */

/* What was asked for of one side, which loses what there is no room for;
 * whether all went well, else it has been reported. */
bool pages_write(const struct btreport_options *o, const struct side *s);

/* the same of two, with comparisons of side_measures, which have ended */
bool pages_write_pair(const struct btreport_options *o, const struct side *s,
		      struct comparison *const *comparisons);

#endif
