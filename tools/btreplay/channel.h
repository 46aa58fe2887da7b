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
 * fault or an interrupt, or the last is a call, it notices that within 0.1 s.
 *
 * An I/O may have to wait for others of the device (order), also of other
 * files: it counts as sent while it is held.  Whose I/O was waited for sends
 * it, so that the submitting thread goes on with what need not wait.
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
 * Memory that I/Os read into and write from.
 *
 * Every I/O in flight has a place of its own to read into, up to 1 MiB: some
 * devices check or decrypt data in place, which two I/Os at once would spoil.
 * Longer ones are rare and share a place.  Writes write zeros, and share them.
 *
 * The kernel allocates pages when they are first used, so a depth that is never
 * reached costs nothing.
 */

struct memory {
	uint8_t *places;	/* of each I/O in flight */
	size_t place;		/* bytes of one */
	unsigned int count;
	uint8_t *longest;	/* where longer ones are read to, or NULL */
	size_t longest_size;
	uint8_t *zeros;		/* what is written, or NULL */
	size_t zeros_size;
};

/* where I/O number i reads so many bytes to */
static inline void *memory_get(const struct memory *m, unsigned int i,
			       uint32_t bytes)
{
	return bytes <= m->place ? m->places + i * m->place : m->longest;
}

void memory_free(struct memory *m);

/* --- channel -------------------------------------------------------------- */

struct fault;			/* tools/btreplay/fault.h */
struct packet;			/* replay/bunch.h */

/* ns that either thread sleeps at most before it checks for the end */
enum { CHANNEL_LOOK = 100000000 };

struct slot {
	struct iocb iocb;
	struct call call;	/* instead of iocb, of some kinds */
	struct order_item place;
	bool ordered;		/* it has a place */
	enum kind kind;		/* that was recorded */
	struct channel *channel;
	uint64_t sector;
	uint32_t bytes;
	uint32_t number;
	_Atomic uint32_t below;	/* next on the stack of free ones */
};

/* I/Os of a kind that came back whole, and those that have not */
struct channel_sums {
	atomic_ullong ios, bytes, failed;
};

struct channel_options {
	int fd;			/* of the device */
	unsigned int depth;
	bool write;		/* else writes are sent as reads */
	enum kind sent_as[KINDS];
	struct order *order;	/* or NULL: all are sent at their time */
	struct calls *calls;	/* or NULL: there are none */
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
	atomic_bool complete;	/* nothing more is sent */
	atomic_int threads;	/* that have not left */
	/* the submitting thread's */
	uint64_t deepest;
	struct channel_sums sums[KINDS];
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

/*
 * Makes the I/O of p, which is possible and not left out, ready in s, with its
 * place in the order or NULL.
 */
void channel_prepare(struct channel *c, struct slot *s, const struct packet *p,
		     const struct order_item *place);

/*
 * Whether the caller is to submit s; else it is a call, and has been made one,
 * or it is held (*held) and will be sent later.
 */
bool channel_admit(struct channel *c, struct slot *s, bool *held);

/* s has come back with result, or was not accepted; frees the slot */
void channel_back(struct channel *c, struct slot *s, long result,
		  long result2);

/* drops what is held of the device, for all of its channels: it halts */
void channel_abandon(struct channel *c);

/* what an order releases, and what calls have done, when they are of slots */
void channel_release(struct order_item *place);
void channel_called(struct call *call, int result);

/*
 * Called by each of the two threads when it ends; the second call destroys the
 * kernel's context.  That takes some 30 ms, so all channels do it in parallel.
 */
void channel_close(struct channel *c);

/* frees all, closed or not */
void channel_free(struct channel *c);

#endif
