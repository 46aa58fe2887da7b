/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU times in percent over time: records of some seconds, each with a row per
 * CPU.  Kept are the mean of all CPUs, and outliers.
 */
#ifndef TOOLS_IOWATCHER_CPU_TIMES_H
#define TOOLS_IOWATCHER_CPU_TIMES_H

#include <stdbool.h>
#include <stddef.h>

enum cpu_kind { CPU_IO, CPU_SYS, CPU_IRQ, CPU_SOFT, CPU_USER, CPU_KINDS };

/* most CPUs and records */
enum { CPU_TIMES_CPUS = 65536, CPU_TIMES_RECORDS = 1 << 20 };

/* points of a line */
struct cpu_points {
	double *x, *y;		/* seconds; percent */
	size_t count, size;
};

/* of one CPU, or of all */
struct cpu_row {
	double percent[CPU_KINDS];
};

struct cpu_times {
	struct cpu_points mean[CPU_KINDS];
	/* 1.3.0: CPUs far above the mean, or busy with this alone */
	struct cpu_points high[CPU_KINDS];
	double end;		/* of the last record, seconds */

	/* the current record */
	double from, to;
	struct cpu_row all, *rows;
	size_t count, size;	/* of rows */
	bool open, has_all;
};

/* Closes the current record and starts one from from to to, in seconds; an
 * all-zero struct has none.  0, or -ENOMEM. */
int cpu_times_record(struct cpu_times *c, double from, double to);

/* a row of it: of all CPUs, else of the next one; the same */
int cpu_times_row(struct cpu_times *c, bool all, const struct cpu_row *row);

/* no more; the same */
int cpu_times_close(struct cpu_times *c);

void cpu_times_free(struct cpu_times *c);

#endif
