/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF programs of blktrace --via=bpf --joined: loads and attaches them.  They
 * keep an I/O's times in slots and write one record of all.
 *
 *	joined_load
 *	joined_trace_device	what to trace
 *	joined_wake_open	for every CPU: what wakes its reader
 *	joined_attach		starts
 *	joined_detach		stops
 *	joined_free
 *
 * Slots, rings and counters are the kernel's memory, live.  A CPU's ring is read
 * on that CPU, or after joined_detach().  Functions return 0 or -errno.
 */
#ifndef BPF_JOINED_H
#define BPF_JOINED_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/bpf.h"
#include "bpf/joined_layout.h"

struct bpf_ring;		/* bpf/ring.h */

struct joined {
	struct joined_programs *programs;
	struct joined_slot *slots;	/* joined_slot_count() */
	struct joined_cpu *cpus;	/* by number */
	struct joined_record *records;	/* of all rings */
	uint32_t cpu_count;
	unsigned int bits;	/* a ring has two to this power records */
	struct bpf_ring *spare;	/* to change the map of rings */
	int *links;
	unsigned int link_count;
	bool seconds;		/* second programs are attached */
	char why[BPF_WHY];	/* the reason of the last failure */
};

/* rings for CPUs below that number, of two to the power BITS records, which is at
 * least JOINED_RING_MIN; on failure, only j->why is left */
int joined_load(struct joined *j, uint32_t cpus, unsigned int bits);

/* detaches, unmaps and closes all */
void joined_free(struct joined *j);

/* -EEXIST: the disk, or a partition of it, is traced already */
int joined_trace_device(struct joined *j, uint32_t disk,
			const struct joined_device *device);

/* what programs on the CPU fill when its ring has many records */
int joined_wake_open(struct joined *j, uint32_t cpu, struct bpf_ring **wake);

/* events of these categories, bits of blktrace.h, and maybe others */
int joined_attach(struct joined *j, uint32_t mask);
void joined_detach(struct joined *j);

/* Once programs have been missed as they ran already (see bpf_missed()):
 * attaches second ones for those that interrupts bring.  Not at the same time as
 * joined_detach(). */
int joined_attach_seconds(struct joined *j);

uint32_t joined_slot_count(void);

/* Waits until no program is running that was before the call. */
int joined_wait(struct joined *j);

/* a CPU's record, the number it has since the start, or NULL: not written yet */
static inline const struct joined_record *
joined_record_get(const struct joined *j, uint32_t cpu, uint64_t number)
{
	const struct joined_record *r = j->records +
		((uint64_t)cpu << j->bits) +
		(number & ((UINT64_C(1) << j->bits) - 1));

	return __atomic_load_n(&r->lap, __ATOMIC_ACQUIRE) ==
		JOINED_LAP(number, j->bits) ? r : NULL;
}

/* Events that a ring had no room for, and an upper bound of those whose program did
 * not run, as it ran already (see bpf_missed()). */
uint64_t joined_lost(struct joined *j);

#endif
