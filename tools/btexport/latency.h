/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table latency: histograms of latencies by device and operation.  A row is
 * a cell of base/histogram.h, so that rows of several hosts can be summed.
 *
 * The phase total is total_ns of I/Os, d2c their d2c_ns, if not null.  I/Os are
 * counted as in btstat: without parts and the kernel's own flush requests.
 */
#ifndef TOOLS_BTEXPORT_LATENCY_H
#define TOOLS_BTEXPORT_LATENCY_H

#include <stdint.h>

#include "emit/row.h"

struct io;			/* request/io.h */
struct latency_disk;
struct naming;			/* tools/btexport/naming.h */

extern const struct row_table latency_table;	/* tools/btexport/row_table.h */

enum { LATENCY_COLUMNS = 8 };

/* empty if all zero */
struct latency {
	struct latency_disk **disks;	/* by the device's id; NULL: no I/Os */
	uint32_t count;
};

/* 0, -ENOMEM, or -EOVERFLOW as from histogram_add() */
int latency_add(struct latency *l, const struct io *io);

/* a position in the table; all zeros: before the first row */
struct latency_place {
	uint32_t disk, series;
	int cell;		/* plus 1 */
};

/*
 * Stores the next row in cells, in the order of the table's columns; false: no
 * more rows.  Texts are n's.
 */
bool latency_next(const struct latency *l, struct naming *n,
		  struct latency_place *at,
		  struct cell cells[LATENCY_COLUMNS]);

void latency_free(struct latency *l);

#endif
