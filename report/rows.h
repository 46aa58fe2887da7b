/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows that are kept, each of an io. */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "report/row.h"

struct report_rows {
	struct report_row *list;
	size_t count, size;
};

/* an all-zero struct report_rows has none; 0 or -ENOMEM */
int report_rows_add(struct report_rows *r, const struct report_row *row);

/*
 * Rows get the numbers that map has for their streams; those without one are
 * left out.
 */
void report_rows_map(struct report_rows *r, const uint32_t *map);

/* Puts them in order: of time, then of the trace.  0 or -ENOMEM. */
int report_rows_sort(struct report_rows *r);

/*
 * Their numbers in the order in which they ended; one that did not counts as
 * it began.  The caller frees them; NULL: no memory.
 */
uint32_t *report_rows_by_end(const struct report_rows *r);

void report_rows_free(struct report_rows *r);

#endif
