/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of phases: a row for each, with mean, percentiles, greatest, and
 * the share of the time; and rows of what lost records leave of these.
 */
#ifndef TOOLS_BTSTAT_PHASE_TABLE_H
#define TOOLS_BTSTAT_PHASE_TABLE_H

#include <stdint.h>

#include "emit/table.h"
#include "stat/bounds.h"
#include "stat/measure.h"
#include "tools/btstat/lists.h"

struct phase_table {
	struct table table;
	struct percentile_list percentiles;
	char names[PERCENTILES_MAX][16];	/* of their columns */
};

/* the measures in the order of rows: the whole first, then its parts */
extern const unsigned int phase_table_order[MEASURES];

/* an empty table with this heading, which stays the caller's; percentiles:
 * count 0: the usual ones */
void phase_table_init(struct phase_table *t, const char *heading,
		      const struct percentile_list *percentiles);

/* time: the sum that its share is of */
void phase_table_row(struct phase_table *t, unsigned int measure,
		     const struct histogram *h, struct wide time);

/* two rows: the least and greatest values when ios are in doubt */
void phase_table_bounds(struct phase_table *t, const struct histogram *h,
			struct doubt d);

#endif
