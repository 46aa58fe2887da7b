/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces devices until a program has ended, or until a signal comes, and
 * samples what CPUs do meanwhile.
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
 * What this machine's CPUs do, from /proc/stat, written as mpstat -P ALL writes
 * it: so that a trace that is drawn again has it, by 1.3.0 too.
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

/* --- live ----------------------------------------------------------------- */

struct live_plan {
	const char *const *devices;	/* paths */
	unsigned int count;
	const char *directory;	/* files go there, which is made; NULL: here */
	const char *base;	/* and are called so, of one device */
	const char *cpu_path;	/* CPU times go there */
	char *const *program;	/* with its arguments, NULL behind the last;
				 * NULL: until a signal */
	const volatile sig_atomic_t *stop;	/* which has come, or 0 */
};

/* 0; or -errno, reported: then there may be files that are not whole */
int live_run(const struct live_plan *plan);

#endif
