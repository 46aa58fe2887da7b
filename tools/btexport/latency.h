/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table latency: I/Os by how long they took, for each minute, device,
 * operation, and class of process.  A row is a cell of base/histogram.h with its
 * I/Os' sums and extremes, so sums over any rows are exact, those of several
 * hosts too, and percentiles are btstat's.
 *
 * Counted is what btstat measures: I/Os that completed with no records lost
 * meanwhile, without parts and the kernel's own flush requests.
 *
 * An I/O counts in the minute in which it ends.  Two minutes are kept; if it
 * leaves the joiner after others that end later than these, in the older one.
 * Rows of a minute are made when a third begins, or at the end.
 */
#ifndef TOOLS_BTEXPORT_LATENCY_H
#define TOOLS_BTEXPORT_LATENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "emit/row.h"
#include "tools/btexport/naming.h"

struct device;			/* run/device.h */
struct io;			/* request/io.h */

extern const struct row_table latency_table;	/* tools/btexport/row_table.h */

enum { LATENCY_COLUMNS = 16 };

/* of a trace without a time of day, before any other */
#define LATENCY_NO_MINUTE INT64_MIN

struct latency_disk {
	const struct device *device;	/* NULL: no I/Os */
	uint32_t number;	/* of its first I/O */
};

struct latency_minute {
	int64_t start;		/* ns since 1970 */
	struct hash by_key;	/* numbers in list */
	struct latency_cell *list;
	size_t count, size, next;	/* next: the row to make */
};

/* starts as all zeros */
struct latency {
	bool begun;
	struct latency_minute minutes[2];	/* the older, the newest */
	struct latency_disk *disks;	/* by the device's id */
	uint32_t disk_count;
	int32_t segment;	/* in rows */
	char dev[NAMING_DEV];
};

/* the start of the minute of a time of day, ns since 1970 */
int64_t latency_minute_of(int64_t ended);

/* whether rows of a minute must be made, by latency_next(), before one more
 * minute is counted */
static inline bool latency_due(const struct latency *l, int64_t minute)
{
	return minute > l->minutes[1].start && l->minutes[0].count;
}

/*
 * Counts an I/O that ended in a minute, or in LATENCY_NO_MINUTE.  0 or -ENOMEM.
 */
int latency_add(struct latency *l, const struct io *io,
		struct naming_class class, int64_t minute);

/* The start of the oldest minute with rows to be made, or LATENCY_NO_MINUTE; false:
 * there is none. */
bool latency_oldest(const struct latency *l, int64_t *minute);

/* whether rows of the older minute should be made at a time of day: no I/O that
 * ended then is expected any more */
bool latency_over(const struct latency *l, int64_t now);

/* drops the rows that latency_next() would make, all: of both minutes */
void latency_drop(struct latency *l, bool all);

/*
 * Stores the next row in cells, in the order of the table's columns; false: no
 * more.  all: of both minutes, else of the older one.  Texts are n's.
 */
bool latency_next(struct latency *l, struct naming *n, bool all,
		  struct cell cells[LATENCY_COLUMNS]);

void latency_free(struct latency *l);

#endif
