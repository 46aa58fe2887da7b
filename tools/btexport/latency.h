/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table latency: histograms of how long ios took, by device and operation.
 * A row is a cell of one, as base/histogram.h has them, so rows of several
 * hosts need only be added up.
 *
 * The phase total is every I/O's total_ns, d2c its d2c_ns, where they are there.
 * I/Os are counted as btstat does: no parts, and no kernel's own flush requests.
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

/* all zeros: no ios */
struct latency {
	struct latency_disk **disks;	/* by the device's id, NULL: no ios */
	uint32_t count;
};

/* one more io, which may be none that counts; 0, -ENOMEM, or -EOVERFLOW as a histogram has it */
int latency_add(struct latency *l, const struct io *io);

/* where one is in the table; all zeros: before the first row */
struct latency_place {
	uint32_t disk, series;
	int cell;		/* plus 1 */
};

/*
 * The next row's cells, in the order of the table's columns: true; false: there
 * are no more.  Texts are n's.
 */
bool latency_next(const struct latency *l, struct naming *n,
		  struct latency_place *at,
		  struct cell cells[LATENCY_COLUMNS]);

void latency_free(struct latency *l);

#endif
