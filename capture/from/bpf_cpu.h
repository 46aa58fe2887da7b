/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tap on one CPU's BPF ring: numbers records, and names each process before
 * its first record.
 */
#ifndef CAPTURE_FROM_BPF_CPU_H
#define CAPTURE_FROM_BPF_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf;			/* bpf/bpf.h */
struct tap;			/* capture/tap.h */

struct bpf_cpu_plan {
	struct bpf *bpf;	/* not attached yet */
	uint32_t cpu;
	size_t ring;		/* its bytes */
	const uint32_t *devices;	/* the run's, as in records */
	unsigned int count;
	bool all_to_first;	/* other devices' records go to the first */
	bool stamps;		/* this CPU notes the start of tracing */
};

/* in the CPU's thread; 0 or -errno */
int bpf_cpu_open(struct tap **t, const struct bpf_cpu_plan *plan);

#endif
