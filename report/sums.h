/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums over ended ios: of a stream, or of a row of a table.
 */
#ifndef REPORT_SUMS_H
#define REPORT_SUMS_H

#include <stdint.h>

#include "base/histogram.h"
#include "base/wide.h"
#include "report/row.h"

struct report_sums {
	uint64_t count, blocks;
	uint64_t data_count, data_blocks;	/* of ios that move data */
	uint64_t errors, merged;
	struct wide phases[REPORT_PHASES];
	struct histogram spans[REPORT_SPANS];
};

/* an ended io and its times; all-zero sums are empty; 0 or -ENOMEM, as both */
int report_sums_add(struct report_sums *s, const struct report_row *row,
		    const struct report_times *t);
int report_sums_merge(struct report_sums *to, const struct report_sums *from);

void report_sums_free(struct report_sums *s);

#endif
