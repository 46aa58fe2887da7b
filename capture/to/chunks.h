/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run's last records in memory: one pool of chunks for the lanes of all
 * devices and CPUs.
 *
 * A chunk has whole records of one lane, written only by its CPU's thread,
 * which releases them by the chunk's length.  So a capture/to/chunk_reader sees
 * whole records without a lock, which is only taken to change to another
 * chunk.
 *
 * If no chunk is free, the one with the oldest last event is reused, so that
 * all CPUs reach equally far back.  Chunks that are being written, are pinned,
 * or are in a window stay, as long as windows need at most half of the pool.
 *
 * Chunks that the reader has passed can be packed (capture/to/sink_ring): one
 * chunk then has the pieces (capture/to/piece) of several consecutive ones.  No piece is added
 * while somebody reads it.
 */
#ifndef CAPTURE_TO_CHUNKS_H
#define CAPTURE_TO_CHUNKS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CHUNK_MIN = 16 << 10,	/* bytes of one */
	CHUNK_MAX = 256 << 10,
	CHUNKS_A_LANE = 8,	/* if possible within these sizes */
	CHUNKS_LEAST = 4,	/* required per lane */
};

struct chunk {
	uint8_t *bytes;
	atomic_uint used;	/* bytes released */
	atomic_ullong last;	/* ns, of its newest event; 0: none */
	uint64_t after;		/* ns: no older event in it */
	uint64_t serial;	/* in its lane, from 1; of its last piece */
	uint64_t first;		/* serial of its first piece */
	struct chunk *older, *newer;	/* of its lane; newer: also of free
					 * chunks */
	unsigned int pins;	/* readers */
	bool full;		/* takes no more records */
	bool packed;		/* has pieces, not records */
	bool stays;		/* packing does not make it smaller */
};

struct chunk_lane {
	const char *name;	/* of the device; the caller's */
	unsigned int device;	/* of the run's, from 0 */
	uint32_t cpu;
	unsigned int number;	/* in the pool, from 0 */
	/* ns: all older events are in chunks */
	atomic_ullong drained;
	/* with the lock: */
	struct chunk *oldest, *newest;
	uint64_t serial;	/* of the newest */
	uint64_t passed;	/* chunks before this serial have been read */
	/* of the lane's thread: */
	struct chunk *open;	/* being written, or NULL */
	uint64_t time;		/* ns, of the newest event */
	uint64_t looked;	/* ns, when its CPU's buffer was last empty */
	uint64_t left_out;	/* records without room */
};

/* an interval to keep until it is written */
struct chunk_window {
	uint64_t from, to;	/* ns, both inclusive */
	/* earlier lanes, and earlier chunks of this lane, may go */
	unsigned int lane;
	uint64_t serial;
	/* ns: older events have gone; 0: none */
	uint64_t whole;
	struct chunk_window *next;
};

struct chunks {
	pthread_mutex_t lock;	/* of all below except atomics */
	uint8_t *memory;
	size_t size;
	struct chunk *all, *unused;
	unsigned int count;	/* of all */
	uint32_t each;		/* bytes of a chunk */
	struct chunk_lane **lanes;	/* owned */
	unsigned int lane_count, lanes_max;
	struct chunk_window *windows;	/* the callers' */
	atomic_ullong gone;	/* ns, of the newest event gone */
};

/* bytes that a pool for that many lanes needs */
size_t chunks_least(unsigned int lanes);

/* a pool of size bytes, allocated on first use; 0 and *c; -ENOMEM; -EINVAL:
 * less than chunks_least() */
int chunks_new(struct chunks **c, size_t size, unsigned int lanes);

/* adds a copy of *l, empty, which the pool owns; in its CPU's thread.  NULL: no
 * memory, or more lanes than chunks_new() was told */
struct chunk_lane *chunks_add(struct chunks *c, const struct chunk_lane *l);

/* room in the lane's chunk for whole records; 0: none */
size_t chunks_room(const struct chunks *c, const struct chunk_lane *l);

/* adds len bytes of whole records, within chunks_room(); newest: ns, of their
 * events, or 0 */
void chunks_put(struct chunk_lane *l, const void *records, size_t len,
		uint64_t newest);

/* closes the chunk being written */
void chunks_close(struct chunks *c, struct chunk_lane *l);

/* opens another chunk to write; false: all are needed */
bool chunks_open(struct chunks *c, struct chunk_lane *l);

/* drops the lane's chunks with only older events */
void chunks_expire(struct chunks *c, struct chunk_lane *l, uint64_t time);

/* the lane's oldest chunk that readers have passed and that can be packed,
 * which does not change until chunks_packed(); NULL: none now */
struct chunk *chunks_to_pack(struct chunks *c, struct chunk_lane *l);

/* replaces k by its piece of len bytes, if that is possible now; len 0: no
 * piece, as it would not be smaller */
void chunks_packed(struct chunks *c, struct chunk_lane *l, struct chunk *k,
		   const void *piece, size_t len);

/* ns: all older events of all lanes are in chunks */
uint64_t chunks_drained(const struct chunks *c);

/*
 * Keeps the window's chunks from now on; *w must stay valid until it is
 * dropped.  Sets w->from to a time since which nothing has gone; members other
 * than from and to are chunks_wrote()'s.
 */
void chunks_keep(struct chunks *c, struct chunk_window *w);
void chunks_drop(struct chunks *c, struct chunk_window *w);

/* the next to write are this lane of the window's and this chunk; returns whole
 * */
uint64_t chunks_wrote(struct chunks *c, struct chunk_window *w,
		      unsigned int lane, uint64_t serial);

/* frees c with its lanes; c may be NULL */
void chunks_free(struct chunks *c);

#endif
