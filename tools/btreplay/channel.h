/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A replay file's I/Os in flight, shared by the thread that submits them and
 * the thread that reaps them.
 *
 * A slot is an I/O in flight.  Free slots are on a stack without a lock, which
 * one thread pops and the other pushes; the last used is used first, as its
 * memory is cached.
 *
 * The submitting thread counts an I/O as sent before it submits it, and sets
 * complete after the last.  The reaping thread ends when as many have come
 * back.  It knows their expected number, so it needs no wake-up for the last
 * one; if fewer are sent, after a fault or an interrupt, or if the last is a
 * call, it notices within 0.1 s.
 *
 * An I/O that must wait for others of the device (order), also of other files,
 * counts as sent while held.  The thread whose I/O it waits for sends it, so
 * that the submitting thread can continue.
 */
#ifndef TOOLS_BTREPLAY_CHANNEL_H
#define TOOLS_BTREPLAY_CHANNEL_H

#include <libaio.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/btreplay/calls.h"
#include "tools/btreplay/kind.h"
#include "tools/btreplay/order.h"

/* --- memory --------------------------------------------------------------- */

/*
 * The I/Os' memory.  Each read in flight up to 1 MiB has its own, as some
 * devices check or decrypt data in place; longer reads, which are rare, share
 * one.  All writes share zeros.  Pages are allocated at first use, so an unused
 * depth costs nothing.
 */

struct memory {
	uint8_t *places;	/* of each I/O in flight */
	size_t place;		/* bytes of one */
	unsigned int count;
	uint8_t *longest;	/* of longer reads, or NULL */
	size_t longest_size;
	uint8_t *zeros;		/* of writes, or NULL */
	size_t zeros_size;
};

/* the memory of I/O number i for a read of that many bytes */
static inline void *memory_get(const struct memory *m, unsigned int i,
			       uint32_t bytes)
{
	return bytes <= m->place ? m->places + i * m->place : m->longest;
}

void memory_free(struct memory *m);

/* --- channel -------------------------------------------------------------- */

struct fault;			/* tools/btreplay/fault.h */
struct packet;			/* replay/bunch.h */

/* ns that either thread sleeps at most between checks for the end */
enum { CHANNEL_LOOK = 100000000 };

struct slot {
	struct iocb iocb;
	struct call call;	/* of some kinds, instead of iocb */
	struct order_item place;
	bool ordered;		/* has a place in the order */
	enum kind kind;		/* as recorded */
	struct channel *channel;
	uint64_t sector;
	uint32_t bytes;
	uint32_t number;
	_Atomic uint32_t below;	/* next on the stack */
};

/* I/Os of a kind that succeeded, and that failed */
struct channel_sums {
	atomic_ullong ios, bytes, failed;
};

struct channel_options {
	int fd;			/* of the device */
	unsigned int depth;
	bool write;		/* else writes are sent as reads */
	enum kind sent_as[KINDS];
	struct order *order;	/* NULL: sends all at their time */
	struct calls *calls;	/* or NULL */
	struct fault *fault;
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
	atomic_bool complete;	/* all are sent */
	atomic_int threads;	/* running */
	/* the submitting thread's */
	uint64_t deepest;
	struct channel_sums sums[KINDS];
};

/* 0 or -errno: -EAGAIN means the machine's limit, fs.aio-max-nr */
int channel_init(struct channel *c, const struct channel_options *o);

/* waits for a free slot, and takes up to count; returns their number; 0:
 * stopped */
unsigned int channel_get(struct channel *c, struct slot **slots,
			 unsigned int count);

/* frees a slot; in either thread */
void channel_put(struct channel *c, struct slot *s);

/* prepares the I/O of p, which must be possible and not left out, in s, with
 * its place in the order or NULL */
void channel_prepare(struct channel *c, struct slot *s, const struct packet *p,
		     const struct order_item *place);

/* whether the caller must submit s; else it was queued as a call, or is held
 * (*held) and will be sent later */
bool channel_admit(struct channel *c, struct slot *s, bool *held);

/* s has completed with result, or was not accepted; frees the slot */
void channel_back(struct channel *c, struct slot *s, long result,
		  long result2);

/* at a halt: drops all held I/Os of the device, of all its channels */
void channel_abandon(struct channel *c);

/* callbacks of order and calls, for slots */
void channel_release(struct order_item *place);
void channel_called(struct call *call, int result);

/* called by both threads at their end; the second call destroys the kernel's
 * context, which takes some 30 ms, in parallel for all channels */
void channel_close(struct channel *c);

/* frees all, closed or not */
void channel_free(struct channel *c);

#endif
