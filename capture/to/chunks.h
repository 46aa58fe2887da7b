/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last records of a run, in memory: one pool of chunks for the lanes of all
 * devices and CPUs.
 *
 * A chunk has whole records of one lane and is written by the thread of its CPU
 * only.  It grows by the length that it has released: whoever reads along, by
 * capture/to/chunk_reader, sees whole records and needs no lock for them.  A
 * lock is taken to change to another chunk, not for records.
 *
 * When none is free the chunk goes whose last event is the oldest of all, so
 * that all CPUs reach equally far back.  One that is being written does not go,
 * nor does one that is pinned, nor one that a window is waiting for, as long as
 * windows wait for no more than half of the pool.
 *
 * Chunks that the reader has left behind can be packed (capture/to/sink_ring):
 * then one chunk has the pieces of several that follow each other, and stands
 * for them.  None is added while somebody reads it.
 */
#ifndef CAPTURE_TO_CHUNKS_H
#define CAPTURE_TO_CHUNKS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- piece ---------------------------------------------------------------- */

/*
 * The records of a full chunk, packed: a gzip member behind a head.  Pieces
 * follow each other in memory; files have their members only, unchanged.
 */

struct z_stream_s;		/* zlib.h */

struct piece {
	const uint8_t *member;	/* whose pieces they are owns it */
	size_t len;		/* bytes of it */
	uint64_t newest;	/* ns: none of its events is newer */
	size_t end;		/* where the next one is, if there is one */
};

/* a stream for piece_pack(), which is deflateEnd()'s when that is over; level:
 * of gzip, 1 to 9; 0 or -ENOMEM */
int piece_begin(struct z_stream_s *z, int level);

/* packs len bytes of whole records into room bytes at out; how many it took; 0:
 * there is not enough room */
size_t piece_pack(struct z_stream_s *z, const void *records, size_t len,
		  uint64_t newest, uint8_t *out, size_t room);

/* the piece at that place of used bytes; 0, or -EINVAL: there is none */
int piece_at(const uint8_t *pieces, size_t used, size_t at, struct piece *p);

/* len bytes of records to out, which has that room; 0; -ENOMEM; -EINVAL: that
 * is not packed, or is more */
int piece_unpack(const struct piece *p, uint8_t *out, size_t room,
		 size_t *len);

/* --- chunks --------------------------------------------------------------- */

enum {
	CHUNK_MIN = 16 << 10,	/* bytes of one */
	CHUNK_MAX = 256 << 10,
	CHUNKS_A_LANE = 8,	/* if that can be had with these */
	CHUNKS_LEAST = 4,	/* a lane has to have */
};

struct chunk {
	uint8_t *bytes;
	atomic_uint used;	/* bytes released */
	atomic_ullong last;	/* ns, of its newest event; 0: it has none */
	uint64_t after;		/* ns: none of its events is older */
	uint64_t serial;	/* in its lane, from 1; of its last piece */
	uint64_t first;		/* the same, of its first one */
	struct chunk *older, *newer;	/* of its lane; newer also of free
					 * ones */
	unsigned int pins;	/* who reads it */
	bool full;		/* no records are added any more */
	bool packed;		/* it has pieces, not records */
	bool stays;		/* packed it would not be smaller */
};

struct chunk_lane {
	const char *name;	/* of the device; the caller's */
	unsigned int device;	/* of the run's, from 0 */
	uint32_t cpu;
	unsigned int number;	/* in the pool, from 0 */
	/* ns: all events older than this are in chunks */
	atomic_ullong drained;
	struct chunk *oldest, *newest;	/* by the lock */
	uint64_t serial;	/* of the newest; the same */
	uint64_t passed;	/* what is before this one has been read; the
				 * same */
	/* of the lane's thread: */
	struct chunk *open;	/* which it writes, or NULL */
	uint64_t time;		/* ns, of the newest event */
	uint64_t looked;	/* ns, when its CPU's buffer was last empty */
	uint64_t left_out;	/* records without a place */
};

/* times that have to stay until they are written somewhere */
struct chunk_window {
	uint64_t from, to;	/* ns, both inclusive */
	/* what is before this lane, and in it before this chunk, may go */
	unsigned int lane;
	uint64_t serial;
	/* ns: what is older has gone; 0: nothing has */
	uint64_t whole;
	struct chunk_window *next;
};

struct chunks {
	pthread_mutex_t lock;	/* of all below but the atomics */
	uint8_t *memory;
	size_t size;
	struct chunk *all, *unused;
	unsigned int count;	/* of all */
	uint32_t each;		/* bytes of one */
	struct chunk_lane **lanes;	/* owned */
	unsigned int lane_count, lanes_max;
	struct chunk_window *windows;	/* the callers' */
	atomic_ullong gone;	/* ns, of the newest event that has gone */
};

/* bytes of a pool that is large enough for so many lanes */
size_t chunks_least(unsigned int lanes);

/*
 * A pool of size bytes, which are there when they are first written.  0 and *c;
 * -ENOMEM; -EINVAL: chunks_least() is more.
 */
int chunks_new(struct chunks **c, size_t size, unsigned int lanes);

/* *l, copied, empty, the pool's; in the thread of its CPU.  NULL: there is no
 * memory, or there are as many as were announced */
struct chunk_lane *chunks_add(struct chunks *c, const struct chunk_lane *l);

/* room in the lane's chunk for whole records; 0: there is none at all */
size_t chunks_room(const struct chunks *c, const struct chunk_lane *l);

/* len bytes of whole records, for which there is room; newest: ns, of the
 * events in them, or 0 */
void chunks_put(struct chunk_lane *l, const void *records, size_t len,
		uint64_t newest);

/* nothing is added any more to the chunk that is written */
void chunks_close(struct chunks *c, struct chunk_lane *l);

/* another chunk to write; false: all are needed */
bool chunks_open(struct chunks *c, struct chunk_lane *l);

/* the lane's chunks without events from that time on are not kept */
void chunks_expire(struct chunks *c, struct chunk_lane *l, uint64_t time);

/*
 * The lane's oldest chunk that can be packed, which others have left behind; it
 * stays as it is until chunks_packed().  NULL: there is none now.
 */
struct chunk *chunks_to_pack(struct chunks *c, struct chunk_lane *l);

/* len bytes, its piece, take the place of k if that can be now; 0: there is no
 * piece, it would not be smaller */
void chunks_packed(struct chunks *c, struct chunk_lane *l, struct chunk *k,
		   const void *piece, size_t len);

/* ns: all events of all lanes that are older than this are in chunks */
uint64_t chunks_drained(const struct chunks *c);

/*
 * From here on what is in the window stays; *w stays where it is until it is
 * dropped.  from becomes a time from which on nothing has gone.  All else but to
 * is chunks_wrote()'s.
 */
void chunks_keep(struct chunks *c, struct chunk_window *w);
void chunks_drop(struct chunks *c, struct chunk_window *w);

/* of the window's lanes this one and this chunk come next; returns whole */
uint64_t chunks_wrote(struct chunks *c, struct chunk_window *w,
		      unsigned int lane, uint64_t serial);

/* frees c with its lanes; NULL is fine */
void chunks_free(struct chunks *c);

#endif
