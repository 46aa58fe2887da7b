/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table capacity: a row for each depth that a device had, with what is known of
 * the device's capacity in each.
 */
#ifndef TOOLS_BTEXPORT_CAPACITY_ROW_H
#define TOOLS_BTEXPORT_CAPACITY_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "capacity/capacity.h"
#include "emit/row.h"
#include "tools/btexport/naming.h"

struct reader;			/* run/reader.h */

extern const struct row_table capacity_table_rows;	/* tools/btexport/row_table.h */

enum { CAPACITY_COLUMNS = 23 };

/* a device whose rows are made */
struct capacity_row {
	const struct capacity_device *of;
	struct capacity_facts facts;
	struct cell cells[CAPACITY_COLUMNS];
	char dev[NAMING_DEV];
};

/* false: the device has no rows */
bool capacity_row_begin(struct capacity_row *r, const struct capacity *c,
		       const struct reader *reader, struct naming *n,
		       uint32_t device);

/* The cells of a row, from 0 to LEVELS_ROWS - 1, valid until the next call; NULL:
 * the device never had that depth. */
const struct cell *capacity_row_make(struct capacity_row *r, unsigned int row);

#endif
