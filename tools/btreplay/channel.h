/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The I/Os of a replay file that are under way: what the thread that submits
 * them and the thread that reaps them share.
 *
 * A slot is an I/O in flight.  Free ones lie on a stack that one thread takes
 * from and the other gives back to, without a lock; the one that was used
 * last is used first, as its memory is warm.
 *
 * How it ends: the submitting thread counts an I/O as sent before the kernel
 * has it, and sets complete after the last.  The reaping thread ends when as
 * many have come back.  It knows from the beginning how many there will be, so
 * that it need not be woken for the last one; if fewer are sent, because of a
 * fault or an interrupt, it notices that within 0.1 s.
 */
#ifndef TOOLS_BTREPLAY_CHANNEL_H
#define TOOLS_BTREPLAY_CHANNEL_H

#include <libaio.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/btreplay/memory.h"

struct packet;			/* replay/bunch.h */

/* ns that either thread sleeps at most before it checks for the end */
enum { CHANNEL_LOOK = 100000000 };

struct slot {
	struct iocb iocb;
	uint64_t sector;
	uint32_t bytes;
	uint32_t number;
	_Atomic uint32_t below;	/* next on the stack of free ones */
};

/* I/Os of one direction that came back whole; the reaping thread's */
struct channel_sums {
	uint64_t ios, bytes;
};

struct channel_options {
	int fd;			/* of the device */
	unsigned int depth;
	bool write;		/* else writes are sent as reads */
	uint32_t longest_read, longest_write;	/* bytes, as recorded */
	uint64_t expected;	/* I/Os, unless it ends early */
	const atomic_bool *stop;
};

struct channel {
	struct channel_options o;
	io_context_t context;
	struct slot *slots;
	struct memory memory;
	sem_t room;		/* free slots */
	_Atomic uint32_t top;	/* of the stack of them */
	atomic_ullong sent, back;
	atomic_bool complete;	/* nothing more is sent */
	atomic_int threads;	/* that have not left */
	/* the submitting thread's */
	uint64_t deepest;
	/* the reaping thread's */
	struct channel_sums read, written;
	uint64_t failed;
};

/* 0 or -errno: -EAGAIN means the machine's limit, fs.aio-max-nr */
int channel_init(struct channel *c, const struct channel_options *o);

/*
 * Gets count free slots, or as many as there are; waits for the first.  Returns
 * how many; 0: it was stopped.
 */
unsigned int channel_get(struct channel *c, struct slot **slots,
			 unsigned int count);

/* returns a slot to the free ones; either thread may do so */
void channel_put(struct channel *c, struct slot *s);

/* makes the I/O of p, which is possible, ready in s */
void channel_prepare(struct channel *c, struct slot *s,
		     const struct packet *p);

/*
 * Called by each of the two threads when it ends; the second call destroys the
 * kernel's context.  That takes some 30 ms, so all channels do it in parallel.
 */
void channel_close(struct channel *c);

/* frees all, closed or not */
void channel_free(struct channel *c);

#endif
