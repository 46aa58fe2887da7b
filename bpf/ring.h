/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's ring: the kernel's programs write lines or records into it, we
 * read them out of its memory.
 */
#ifndef BPF_RING_H
#define BPF_RING_H

#include <stddef.h>
#include <stdint.h>

struct bpf;			/* bpf/bpf.h */
struct bpf_ring;

/*
 * The ring of a CPU, which is full with that many bytes: a power of two, not
 * less than a page.  The programs use it from now on.  0 or -errno.
 */
int bpf_ring_open(struct bpf_ring **r, struct bpf *b, uint32_t cpu,
		  size_t bytes);

/* readable when a good part of it is full; not before */
int bpf_ring_fd(const struct bpf_ring *r);

/* one of what was put in; nothing of it stays after the call.  0 or -errno */
typedef int bpf_ring_take(void *ctx, const void *data, size_t len);

/* hands out all there is: how many, or the first -errno of take() */
int bpf_ring_drain(struct bpf_ring *r, bpf_ring_take *take, void *ctx);

void bpf_ring_close(struct bpf_ring *r);

/* bytes of a ring for each of so many CPUs that hold a burst, and not much */
size_t bpf_ring_size(unsigned int cpus);

#endif
