/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's records out of its ring: a tap.  Records get their numbers here,
 * and each process its name before its first record.
 */
#ifndef CAPTURE_FROM_BPF_CPU_H
#define CAPTURE_FROM_BPF_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf;			/* bpf/bpf.h */
struct tap;			/* capture/tap.h */

struct bpf_cpu_plan {
	struct bpf *bpf;	/* with records to be attached later */
	uint32_t cpu;
	size_t ring;		/* its bytes */
	const uint32_t *devices;	/* the run's, as records call them */
	unsigned int count;
	bool all_to_first;	/* other devices' records go to the first */
	bool stamps;		/* note when tracing began: one CPU does */
};

/* to be called in the CPU's thread; 0 or -errno */
int bpf_cpu_open(struct tap **t, const struct bpf_cpu_plan *plan);

#endif
