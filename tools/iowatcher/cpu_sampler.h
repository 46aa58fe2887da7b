/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this machine's CPUs do, from /proc/stat, written as mpstat -P ALL writes
 * it: so that a trace that is drawn again has it, by 1.3.0 too.
 */
#ifndef TOOLS_IOWATCHER_CPU_SAMPLER_H
#define TOOLS_IOWATCHER_CPU_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* in the order of /proc/stat */
enum cpu_counter {
	CPU_COUNTS_USER, CPU_COUNTS_NICE, CPU_COUNTS_SYSTEM, CPU_COUNTS_IDLE,
	CPU_COUNTS_IOWAIT, CPU_COUNTS_IRQ, CPU_COUNTS_SOFTIRQ,
	CPU_COUNTS_STEAL, CPU_COUNTS_GUEST, CPU_COUNTS_GUEST_NICE,
	CPU_COUNTERS
};

/* of a line of /proc/stat, since the machine started */
struct cpu_counts {
	int cpu;		/* -1: all of them */
	uint64_t n[CPU_COUNTERS];
};

/* whether text is such a line: older kernels have fewer numbers */
bool cpu_counts_parse(struct cpu_counts *c, const char *text);

struct cpu_sampler {
	FILE *out;
	struct cpu_counts *last;	/* lines of the sample before */
	size_t count;
};

/* Writes what comes first to out, which stays the caller's, and takes a sample
 * to begin with.  0 or -errno. */
int cpu_sampler_init(struct cpu_sampler *s, FILE *out);

/* writes what has been since the last sample; 0 or -errno */
int cpu_sampler_next(struct cpu_sampler *s);

void cpu_sampler_free(struct cpu_sampler *s);

#endif
