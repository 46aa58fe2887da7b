/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What CPUs did over time, in percent, from whatever measured it: records of
 * some seconds, each with a row for each CPU.  Kept are the mean over all CPUs,
 * and those that stand out.
 */
#ifndef TOOLS_IOWATCHER_CPU_TIMES_H
#define TOOLS_IOWATCHER_CPU_TIMES_H

#include <stdbool.h>
#include <stddef.h>

enum cpu_kind { CPU_IO, CPU_SYS, CPU_IRQ, CPU_SOFT, CPU_USER, CPU_KINDS };

/* so many CPUs, and records, are believed */
enum { CPU_TIMES_CPUS = 65536, CPU_TIMES_RECORDS = 1 << 20 };

/* numbers at times */
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

	/* the record that is being made */
	double from, to;
	struct cpu_row all, *rows;
	size_t count, size;	/* of rows */
	bool open, has_all;
};

/* An all-zero one has no records.  What is there is closed, and a record
 * begins, about the time from here to there in seconds.  0, or -ENOMEM. */
int cpu_times_record(struct cpu_times *c, double from, double to);

/* a row of it: of all CPUs, else of the next one; the same */
int cpu_times_row(struct cpu_times *c, bool all, const struct cpu_row *row);

/* no more come; the same */
int cpu_times_close(struct cpu_times *c);

void cpu_times_free(struct cpu_times *c);

#endif
