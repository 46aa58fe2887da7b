/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A ring of the kernel's BPF ring buffer; see ring.h.
 *
 * Its descriptor maps to a page with our read position, which we write, a page
 * with the write position, and the data twice, so that no entry is cut at the
 * end.  Each entry has a word with its length and two flags, another word, and
 * is padded to eight bytes.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/bpf.h"
#include "bpf/ring.h"
#include "bpf/syscall.h"

enum {
	RING_MIN = 512 << 10,
	RING_MAX = 4 << 20,
	ALL_RINGS = 64 << 20,
};

struct bpf_ring {
	int fd;
	int wakes;		/* an epoll of fd: see watch_wakes() */
	size_t page, bytes;
	uint64_t *consumer;	/* ours */
	const uint8_t *producer;	/* the kernel's page, and the data */
};

size_t bpf_ring_size(unsigned int cpus)
{
	size_t bytes = RING_MAX;

	while (bytes > RING_MIN && bytes * cpus > ALL_RINGS)
		bytes /= 2;
	return bytes;
}

static int map_ring(struct bpf_ring *r)
{
	void *p = mmap(NULL, r->page, PROT_READ | PROT_WRITE, MAP_SHARED,
		       r->fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	r->consumer = p;
	p = mmap(NULL, r->page + 2 * r->bytes, PROT_READ, MAP_SHARED, r->fd,
		 (off_t)r->page);
	if (p == MAP_FAILED)
		return -errno;
	r->producer = p;
	return 0;
}

/* poll(2) would return for any data; edges come when the programs have enough.
 * */
static int watch_wakes(struct bpf_ring *r)
{
	struct epoll_event want = { .events = EPOLLIN | EPOLLET };

	r->wakes = epoll_create1(EPOLL_CLOEXEC);
	if (r->wakes < 0 || epoll_ctl(r->wakes, EPOLL_CTL_ADD, r->fd, &want))
		return -errno;
	return 0;
}

int bpf_ring_set(const struct bpf_ring *r, int rings, uint32_t cpu)
{
	return bpf_map_set(rings, &cpu, &r->fd);
}

int bpf_ring_open(struct bpf_ring **out, struct bpf *b, uint32_t cpu,
		  size_t bytes)
{
	return bpf_ring_open_in(out, b->maps[BPF_MAP_RINGS], cpu, bytes);
}

int bpf_ring_open_in(struct bpf_ring **out, int rings, uint32_t cpu,
		     size_t bytes)
{
	struct bpf_ring *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	r->page = (size_t)sysconf(_SC_PAGESIZE);
	r->bytes = bytes;
	r->fd = bpf_map_new(BPF_MAP_TYPE_RINGBUF, 0, 0, (uint32_t)bytes, 0);
	r->wakes = -1;
	err = r->fd < 0 ? r->fd : map_ring(r);
	if (!err)
		err = watch_wakes(r);
	if (!err)
		err = bpf_ring_set(r, rings, cpu);
	if (err)
		bpf_ring_close(r);
	else
		*out = r;
	return err;
}

int bpf_ring_fd(const struct bpf_ring *r)
{
	return r->wakes;
}

int bpf_ring_drain(struct bpf_ring *r, bpf_ring_take *take, void *ctx)
{
	uint64_t at = __atomic_load_n(r->consumer, __ATOMIC_RELAXED), end;
	const uint8_t *data = r->producer + r->page;
	int taken = 0, err = 0;
	struct epoll_event seen;

	epoll_wait(r->wakes, &seen, 1, 0);
	end = __atomic_load_n((const uint64_t *)r->producer, __ATOMIC_ACQUIRE);
	while (at < end && !err) {
		const uint8_t *entry = data + (at & (r->bytes - 1));
		uint32_t head = __atomic_load_n((const uint32_t *)entry,
						__ATOMIC_ACQUIRE);
		size_t len = head & ~(BPF_RINGBUF_BUSY_BIT |
				      BPF_RINGBUF_DISCARD_BIT);

		/* not written yet; later ones wait, too */
		if (head & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(head & BPF_RINGBUF_DISCARD_BIT)) {
			err = take(ctx, entry + BPF_RINGBUF_HDR_SZ, len);
			taken++;
		}
		at += (len + BPF_RINGBUF_HDR_SZ + 7) / 8 * 8;
		__atomic_store_n(r->consumer, at, __ATOMIC_RELEASE);
	}
	return err ? err : taken;
}

void bpf_ring_close(struct bpf_ring *r)
{
	if (!r)
		return;
	if (r->consumer)
		munmap(r->consumer, r->page);
	if (r->producer)
		munmap((void *)r->producer, r->page + 2 * r->bytes);
	if (r->wakes >= 0)
		close(r->wakes);
	if (r->fd >= 0)
		close(r->fd);
	free(r);
}
