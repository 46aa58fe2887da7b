/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of a report: ended ios, in total and by group.  All but the table by
 * device leave out devices that do not count, and all but the table by
 * operation flushes.
 */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "report/sums.h"

struct report;			/* report/report.h */

enum report_table_kind {
	REPORT_ALL,		/* one row */
	REPORT_BY_OP,		/* enum report_op */
	REPORT_BY_PROCESS,	/* report_pids' number, or REPORT_OTHERS */
	REPORT_BY_DISK,		/* report_disks' number */
	REPORT_BY_CGROUP,	/* as in stat/group_row; without ios that
				 * have none */
	REPORT_TABLES
};

enum { REPORT_PERCENTILES = 4 };

/* 50, 90, 99 and 99.9, for histogram_rank() */
extern const uint32_t report_percentiles[REPORT_PERCENTILES];

struct report_table_row {
	uint64_t key;
	struct report_sums sums;
	/* read and written, and by how many ios; by operation, all bytes of
	 * its ios */
	uint64_t bytes, bytes_ios;
	uint64_t sequential;	/* ios that continue the previous one */
	bool has_sequential;	/* known */
	uint64_t percentiles[REPORT_SPANS][REPORT_PERCENTILES];	/* ns */
};

struct report_table {
	struct report_table_row *rows;	/* in order of their keys */
	uint32_t count;
};

struct report_tables {
	bool exact;		/* percentiles are exact, not of cells */
	struct report_table of[REPORT_TABLES];
};

/* of an ended report; 0 or -ENOMEM */
int report_tables_make(struct report_tables *t, const struct report *r);

void report_tables_free(struct report_tables *t);

#endif
