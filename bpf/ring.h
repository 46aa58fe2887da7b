/* SPDX-License-Identifier: GPL-2.0-only */
/* One CPU's ring, which the BPF programs write lines or records to. */
#ifndef BPF_RING_H
#define BPF_RING_H

#include <stddef.h>
#include <stdint.h>

struct bpf;			/* bpf/bpf.h */
struct bpf_ring;

/* makes a CPU's ring of that many bytes, a power of two of at least a page,
 * which the programs use from now on; 0 or -errno */
int bpf_ring_open(struct bpf_ring **r, struct bpf *b, uint32_t cpu,
		  size_t bytes);

/* the same for programs that have their rings in another map of rings */
int bpf_ring_open_in(struct bpf_ring **r, int rings, uint32_t cpu,
		     size_t bytes);

/* puts it into a CPU's place of a map of rings; 0 or -errno */
int bpf_ring_set(const struct bpf_ring *r, int rings, uint32_t cpu);

/* readable once a good part of it is full */
int bpf_ring_fd(const struct bpf_ring *r);

/* takes an entry, valid during the call; 0 or -errno */
typedef int bpf_ring_take(void *ctx, const void *data, size_t len);

/* passes all entries to take(): their number, or take()'s first -errno */
int bpf_ring_drain(struct bpf_ring *r, bpf_ring_take *take, void *ctx);

void bpf_ring_close(struct bpf_ring *r);

/* bytes of a ring for each of that many CPUs, enough for a burst */
size_t bpf_ring_size(unsigned int cpus);

#endif
