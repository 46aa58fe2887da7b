/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A courier's state, and its connection; for capture/to/courier's own files.
 *
 * The thread owns the connection, and the lock protects the lanes and the
 * backlog, into which capturing threads put their blocks.  A connection starts
 * with what was acknowledged of each lane, and the server tells what it has beyond:
 * blocks that the last one has brought are not sent again.
 */
#ifndef CAPTURE_TO_COURIER_IMPL_H
#define CAPTURE_TO_COURIER_IMPL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "capture/to/backlog.h"
#include "capture/to/courier.h"
#include "capture/to/wire.h"
#include "net.h"
#include "transport/conn.h"

enum {
	MEMORY = 16 << 20,	/* of the backlog, unless its file is smaller */
	ROOM = MEMORY / 8,	/* free again, before a thread goes on */
	OUT = 1 << 20,	/* bytes gathered for a write, or one block */
	IN = CONN_READ_MIN,
	/* ms to the second attempt to connect */
	PAUSE_FIRST_MS = 100,
	STEP_MS = 100,		/* between looks at *stop */
};

struct lane {
	struct net_header h;
	/* of offsets: of the next block, and after the last acknowledged one */
	uint64_t offset, acknowledged;
	uint64_t stored;	/* bytes, acknowledged */
	uint64_t extra;		/* more that the server has, not sent again yet */
	uint64_t records, bytes;	/* of these, those that count */
	struct frame_totals totals;
	uint32_t drops;
};

struct courier {
	struct courier_options o;
	struct wire_options wire_options;
	uint8_t token[FRAME_TOKEN];
	struct random random;
	pthread_t thread;
	bool started;
	atomic_bool abandon;	/* no more is delivered */
	int wake;		/* an eventfd, if the thread sleeps */

	pthread_mutex_t lock;	/* of all up to the blank line */
	pthread_cond_t changed;
	struct lane *lanes;
	size_t count, size;
	struct backlog *backlog;
	bool asleep;		/* the thread waits for blocks */
	bool ending;		/* the lanes are closed */
	bool over;		/* the server has ended the run */
	bool linked;		/* the server takes blocks */
	unsigned int waiters;	/* threads that wait for room */
	bool full;		/* reported since the last acknowledgement */
	uint64_t forgotten, reported_forgotten;

	/* the thread's */
	struct wire *wire;	/* NULL: not connected */
	bool connected;		/* false: the loss was reported */
	bool end_sent;
	bool heard;		/* that something has arrived, by this connection */
	uint64_t sent, acks;	/* blocks, by this connection */
	int64_t ack_due, lost_at;	/* ms */
	unsigned int pause;	/* ms to the next attempt */
	struct frame_packing *packing;	/* NULL: all blocks are sent plain */
	bool takes_packed;	/* the server of this connection does */
	bool told_plain;	/* that another one does not */
	uint8_t *spare;		/* of out_size bytes, for packing; or NULL */
	uint8_t *out;
	size_t out_len, out_done, out_size;
	uint8_t in[IN];
	size_t in_len;
	char refusal[FRAME_TEXT];	/* the last one */
	char reported[FRAME_TEXT];	/* why it is not connected */
};

/* connects, and is welcome; 0; or -errno and why or "" */
int courier_connect(struct courier *c, char why[CONN_WHY]);

/* that failure in words, valid until the next call with c */
const char *courier_words(const struct courier *c, int err, const char *why);

/* the thread: until the run is over or the courier abandoned */
void *courier_deliver(void *courier);

#endif
