/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table segments: what a trace covers of each device, and sums by which the
 * rows of its other tables can be verified.  Of a trace that is exported
 * segment by segment (--follow) each has its rows; else the trace is one.
 */
#ifndef TOOLS_BTEXPORT_COVERED_H
#define TOOLS_BTEXPORT_COVERED_H

#include <stdbool.h>
#include <stdint.h>

#include "emit/row.h"
#include "tools/btexport/naming.h"

struct device;			/* run/device.h */
struct io;			/* request/io.h */
struct reader;			/* run/reader.h */

extern const struct row_table covered_table;	/* tools/btexport/row_table.h */

enum { COVERED_COLUMNS = 17 };

/* of a device, in a segment; dropped and missing: at its start */
struct covered_device {
	uint32_t number;	/* of an I/O; 0: none so far */
	uint64_t rows, ios, bytes, total, errors;
	uint64_t open, oldest;	/* oldest: ns */
	uint64_t dropped, missing;
};

/* starts as all zeros */
struct covered {
	struct covered_device *list;	/* by the device's id */
	uint32_t count;
	char dev[NAMING_DEV];
};

/* counts a row of the table ios, and if it is open its age; 0 or -ENOMEM */
int covered_add(struct covered *s, const struct io *io);

/* counts an I/O in flight at the end of a segment, ns old; 0 or -ENOMEM */
int covered_add_open(struct covered *s, const struct io *io, uint64_t age);

struct covered_span {
	int32_t segment;
	bool known;		/* the time of day: */
	int64_t from, to;	/* ns since 1970 */
};

/*
 * Stores the row of a device of r, from 0, in cells, in the order of the table's
 * columns, valid until the next call; false: there is none.
 */
bool covered_row(struct covered *s, const struct reader *r, struct naming *n,
		  uint32_t device, const struct covered_span *span,
		  struct cell cells[COVERED_COLUMNS]);

/* Begins the next segment, with what r has lost so far; 0 or -ENOMEM. */
int covered_next(struct covered *s, const struct reader *r);

void covered_free(struct covered *s);

#endif
