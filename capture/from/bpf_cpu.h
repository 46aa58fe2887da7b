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

#include "bpf/layout.h"

struct bpf;			/* bpf/bpf.h */
struct tap;			/* capture/tap.h */

enum { BPF_MESSAGE_TEXT = 8192 };

/* to be recorded as a message, after its task's name */
struct bpf_message {
	uint64_t time;		/* ns; 0: that of the record before */
	uint32_t pid;		/* the thread's; 0: none, nor a name */
	uint32_t device;
	const char *comm;	/* its name, BPF_COMM bytes */
	char text[BPF_MESSAGE_TEXT];
};

/* Makes a message of a ring's entry that is no record: 1; 0: there is none to be
 * made; or -errno. */
typedef int bpf_cpu_message(void *ctx, const void *entry, size_t len,
			    struct bpf_message *m);

struct bpf_cpu_plan {
	struct bpf *bpf;	/* not attached yet */
	uint32_t cpu;
	size_t ring;		/* its bytes */
	const uint32_t *devices;	/* the run's, as in records */
	unsigned int count;
	bool all_to_first;	/* other devices' records go to the first */
	bool stamps;		/* this CPU notes the start of tracing, and: */
	const char *const *texts;	/* messages, then NULL; or NULL */
	bpf_cpu_message *message;	/* called in the CPU's thread; NULL: all
					 * entries are records */
	void *ctx;		/* its */
};

/* in the CPU's thread; 0 or -errno */
int bpf_cpu_open(struct tap **t, const struct bpf_cpu_plan *plan);

#endif
