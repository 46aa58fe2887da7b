/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces devices until a program ends or a signal comes, and samples CPU times.
 */
#ifndef TOOLS_IOWATCHER_LIVE_H
#define TOOLS_IOWATCHER_LIVE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* --- cpu sampler ---------------------------------------------------------- */

/*
 * This machine's CPU times from /proc/stat, in the format of mpstat -P ALL, for
 * later pictures of the trace, also by 1.3.0.
 */

/* in the order of /proc/stat */
enum cpu_counter {
	CPU_COUNTS_USER, CPU_COUNTS_NICE, CPU_COUNTS_SYSTEM, CPU_COUNTS_IDLE,
	CPU_COUNTS_IOWAIT, CPU_COUNTS_IRQ, CPU_COUNTS_SOFTIRQ,
	CPU_COUNTS_STEAL, CPU_COUNTS_GUEST, CPU_COUNTS_GUEST_NICE,
	CPU_COUNTERS
};

/* of a line of /proc/stat, since the machine started */
struct cpu_counts {
	int cpu;		/* -1: all */
	uint64_t n[CPU_COUNTERS];
};

/* whether text is such a line; older kernels have fewer numbers */
bool cpu_counts_parse(struct cpu_counts *c, const char *text);

struct cpu_sampler {
	FILE *out;
	struct cpu_counts *last;	/* lines of the last sample */
	size_t count;
};

/* Writes the heading to out, which stays the caller's, and takes the first
 * sample.  0 or -errno. */
int cpu_sampler_init(struct cpu_sampler *s, FILE *out);

/* writes the times since the last sample; 0 or -errno */
int cpu_sampler_next(struct cpu_sampler *s);

void cpu_sampler_free(struct cpu_sampler *s);

/* --- live ----------------------------------------------------------------- */

struct live_plan {
	const char *const *devices;	/* paths */
	unsigned int count;
	const char *directory;	/* of files, made if missing; NULL: here */
	const char *base;	/* name of files, of one device */
	const char *cpu_path;	/* file of CPU times */
	char *const *program;	/* with its arguments, NULL after the last;
				 * NULL: until a signal */
	const volatile sig_atomic_t *stop;	/* the signal, or 0 */
};

/* 0; or -errno after a message: files may be incomplete */
int live_run(const struct live_plan *plan);

#endif
