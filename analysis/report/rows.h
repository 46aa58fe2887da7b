/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows that are kept, each of an io. */
#ifndef ANALYSIS_REPORT_ROWS_H
#define ANALYSIS_REPORT_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/report/row.h"

struct report_rows {
	struct report_row *list;
	size_t count, size;
};

/* an all-zero struct report_rows has none; 0 or -ENOMEM */
int report_rows_add(struct report_rows *r, const struct report_row *row);

/*
 * Rows get the numbers that map has for their streams, those without one are
 * left out, and what stays is put in order: of time, then of the trace.
 */
void report_rows_end(struct report_rows *r, const uint32_t *map);

void report_rows_free(struct report_rows *r);

#endif
