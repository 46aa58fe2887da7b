/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs of joined.bpf.c share with us: I/Os that are in flight, each
 * in a slot, and the records of their events, in one ring a CPU.  All are maps
 * that we see as memory.
 *
 * A slot has the events of an I/O that no record has yet.  Whoever writes these
 * into a record empties the slot, so that each event is in one record: at a
 * completion, a requeue or a merge; when the next event does not fit beside the
 * earlier ones; and once a second we take those of I/Os that are open for longer.
 */
#ifndef BPF_JOINED_LAYOUT_H
#define BPF_JOINED_LAYOUT_H

#include <linux/types.h>

#include "bpf/layout.h"

enum {
	JOINED_SLOT_BITS = 14,
	JOINED_SLOTS = 1 << JOINED_SLOT_BITS,
	JOINED_PROBES = 4,	/* slots, one after the other, that may have an I/O */
	JOINED_NAMED = 32,	/* tasks that a CPU has named last */
	JOINED_RING_MIN = 64,	/* records of a CPU's ring, a power of two */
};

/* the bits of `events` */
enum {
	JOINED_QUEUE = 1 << 0,	/* at `first`, if it is there */
	JOINED_GETRQ = 1 << 1,
	JOINED_INSERT = 1 << 2,
	JOINED_ISSUE = 1 << 3,
	/* the last event, at `end`: at most one of these */
	JOINED_COMPLETE = 1 << 4,
	JOINED_REQUEUE = 1 << 5,
	JOINED_BACKMERGE = 1 << 6,
	JOINED_FRONTMERGE = 1 << 7,
	JOINED_RQ_MERGE = 1 << 8,
	JOINED_BIO_COMPLETE = 1 << 9,	/* of a bio that had no request */
	/* these are alone in a record, at `first` */
	JOINED_REMAP = 1 << 10,
	JOINED_RQ_REMAP = 1 << 11,
	JOINED_SPLIT = 1 << 12,
	JOINED_NAME = 1 << 13,	/* no event: a task's name */
};

/* Times but the first are nanoseconds after that. */
struct joined_times {
	__u32 getrq, insert, issue, end;
};

/* of the records that are alone, in place of the times */
struct joined_origin {
	__u64 sector;		/* before the remap, or after the split */
	__u32 from, to;		/* devices of a remap */
};

/* of an I/O in flight, and of records */
struct joined_io {
	__u64 first;		/* ns, of the first event; 0: not written yet */
	__u64 sector;
	__u32 queued;		/* bytes, when it was queued or got its request */
	__u32 bytes;		/* later */
	__u32 flags;		/* operation and flags */
	__u32 pid;		/* that of the first event */
	union {
		struct joined_times times;
		__u32 offsets[4];	/* the same, by their order */
		struct joined_origin origin;
		char comm[BPF_COMM];
		__u64 pair[2];
	};
	union {
		struct {
			__u16 events;
			__u16 device;	/* its number in the run */
			__u16 cpu;	/* of the events before issue */
			__u16 issue_cpu;
		};
		__u64 word;	/* all four, the first lowest */
	};
};

struct joined_slot {
	struct joined_io io;
	__u64 key;		/* the kernel's bio or request; 0: free */
};

/* the lap of record AT in a ring of two to the power BITS records */
#define JOINED_LAP(at, bits) ((__u16)(((at) >> (bits)) + 1))

#define JOINED_TAKEN 1ull	/* in a key: its slot is being emptied by us */

struct joined_record {
	struct joined_io io;	/* the last event's CPU is the ring's */
	__u16 status;		/* the block layer's */
	__u16 lap;		/* of the ring, from 1; written last */
	__u32 lost;		/* the CPU's lost events before it */
};

/* of one CPU */
struct joined_cpu {
	/* ours, before the programs run */
	__u64 limit;		/* records that its ring has, two to the power */
	__u64 bits;
	__u64 place;		/* of its ring's first record among all */
	__u64 wake;		/* records, a power of two: wakes the reader */
	/* theirs */
	__u64 head;		/* records ever written */
	__u64 lost;		/* events that the ring had no room for */
	__u64 seconded;		/* runs that a second program took over */
	__u32 busy[2];		/* the program of issues, of completions runs */
	/* the kernel's queues that it has looked up last: of a whole disk that
	 * is traced, and of one that is not */
	__u64 queue, other;
	__u32 device;		/* number of that disk in the run */
	__u32 zero;
	__u64 zeros[5];
	__u64 tail;		/* ours: records read */
	__u64 more_zeros[7];
	__u32 named[JOINED_NAMED];	/* by the number modulo their count */
};

/* of the map `devices`, by the disk's number */
struct joined_device {
	__u32 device;		/* number in the run */
	__u32 whole;		/* it is no partition */
	__u64 start, end;
};

#endif
