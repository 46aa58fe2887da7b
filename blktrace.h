/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbers of the block layer's trace protocol: what the kernel writes
 * and what it is asked with.  Facts only, no types of ours; the layouts and
 * their history are in doc/blktrace.5.
 */
#ifndef BLKTRACE_H
#define BLKTRACE_H

#include <linux/ioctl.h>
#include <stdint.h>

/* a record's first word is the magic with the version in its low byte */
#define BLK_MAGIC 0x65617400u
#define BLK_MAGIC_MASK 0xffffff00u

enum {
	BLK_VERSION_MIN = 2,
	BLK_VERSION_7 = 7,
	BLK_VERSION_8 = 8,
	BLK_HEADER_7 = 48,	/* bytes of a version 7 header */
	BLK_HEADER_8 = 64,
	BLK_HEADER_MIN = 40,	/* version 2's, the shortest ever */
	BLK_HEADER_MAX = 64,
	BLK_PAYLOAD_MAX = 65535,
	BLK_CPU_MAX = 8192,	/* CPU numbers are below; the kernel's limit */
	BLK_CGROUP_SIZE = 8,	/* id in front of a flagged payload */
};

/* categories: bit n of a mask, bit 16 + n of a record's action word */
enum blk_category {
	BLK_TC_READ,
	BLK_TC_WRITE,
	BLK_TC_FLUSH,		/* named BARRIER until 2011 */
	BLK_TC_SYNC,
	BLK_TC_QUEUE,
	BLK_TC_REQUEUE,
	BLK_TC_ISSUE,
	BLK_TC_COMPLETE,
	BLK_TC_FS,
	BLK_TC_PC,
	BLK_TC_NOTIFY,
	BLK_TC_AHEAD,
	BLK_TC_META,
	BLK_TC_DISCARD,
	BLK_TC_DRV_DATA,
	BLK_TC_FUA,
	/* version 8 only; a version 7 action word has no room for them */
	BLK_TC_ZONE_APPEND,
	BLK_TC_ZONE_RESET,
	BLK_TC_ZONE_RESET_ALL,
	BLK_TC_ZONE_FINISH,
	BLK_TC_ZONE_OPEN,
	BLK_TC_ZONE_CLOSE,
	BLK_TC_WRITE_ZEROES,
	BLK_TC_COUNT
};

#define BLK_TC_BIT(c) (1u << (c))
#define BLK_TC_ACT(c) (1u << (16 + (c)))	/* categories 0 to 15 only */

/* the action number proper, without categories and cgroup flag */
#define BLK_ACTION_MASK 0xffffu
#define BLK_CGROUP_FLAG 0x100u	/* the payload starts with a cgroup id */

/*
 * The kernel's actions, in the order of their numbers, from 1.  A new one is a
 * row here, and a test of it.
 *
 *	X(NAME, letters, pc, rest, count, join, fresh)
 *
 * letters	in lines; NULL: it has no line of its own
 * pc		PC: packet commands have it, too; CMD: and joining takes it for
 *		a command then; NO
 * rest		of a line, after RWBS: rest_... in emit/line_rest.c
 * count	what it adds to: the effects in stats.c
 * join		what it does to I/Os: action_... in request/actions.h
 * fresh	it knows the I/O that was queued just before (joining): YES or NO
 */
#define BLK_ACTIONS(X)                                                  \
	X(QUEUE,        "Q",  CMD, request,  QUEUED,    queue,       YES)\
	X(BACKMERGE,    "M",  NO,  generic,  MERGED,    merge_back,  YES)\
	X(FRONTMERGE,   "F",  NO,  generic,  MERGED,    merge_front, YES)\
	X(GETRQ,        "G",  CMD, generic,  NOTHING,   get,         YES)\
	X(SLEEPRQ,      "S",  PC,  generic,  NOTHING,   sleep,       NO)\
	X(REQUEUE,      "R",  CMD, complete, REQUEUED,  requeue,     NO)\
	X(ISSUE,        "D",  CMD, request,  ISSUED,    issue,       NO)\
	X(COMPLETE,     "C",  CMD, complete, COMPLETED, complete,    NO)\
	X(PLUG,         "P",  NO,  plug,     NOTHING,   plug,        YES)\
	X(UNPLUG_IO,    "U",  NO,  unplug,   UNPLUGS,   unplug,      YES)\
	X(UNPLUG_TIMER, "UT", NO,  unplug,   TIMERS,    unplug,      YES)\
	X(INSERT,       "I",  CMD, request,  NOTHING,   insert,      NO)\
	X(SPLIT,        "X",  NO,  split,    NOTHING,   split,       NO)\
	X(BOUNCE,       "B",  NO,  request,  NOTHING,   sleep,       NO)\
	X(REMAP,        "A",  NO,  remap,    NOTHING,   remap,       NO)\
	X(ABORT,        NULL, NO,  nothing,  NOTHING,   leave_out,   YES)\
	X(DRV_DATA,     NULL, NO,  nothing,  NOTHING,   leave_out,   YES)\
	X(ZONE_PLUG,    "ZP", NO,  plug,     NOTHING,   zone_plug,   NO)\
	X(ZONE_UNPLUG,  "ZU", NO,  unplug,   UNPLUGS,   zone_unplug, NO)

enum blk_action {
	BLK_TA_NONE,
#define BLK_ACTION_NUMBER(name, ...) BLK_TA_##name,
	BLK_ACTIONS(BLK_ACTION_NUMBER)
#undef BLK_ACTION_NUMBER
	BLK_TA_COUNT
};

/* notes: records of category NOTIFY */
enum blk_note {
	BLK_TN_PROCESS,		/* payload: the name of the header's pid */
	BLK_TN_TIMESTAMP,	/* payload: wall clock, seconds, nanoseconds */
	BLK_TN_MESSAGE,		/* payload: text */
	/*
	 * Written by blktrace, not by the kernel, into each CPU's stream: how
	 * much of it there is.  Release 1.3.0 skips notes it does not know.
	 */
	BLK_TN_SEAL = 0x53,	/* payload: struct blk_seal */
};

/* what a seal is about */
enum blk_seal_kind {
	BLK_SEAL_OPEN,		/* the stream's first record */
	BLK_SEAL_ON,		/* once a second */
	BLK_SEAL_END,		/* the stream's last record: the capture ended */
};

/*
 * A seal's payload, in the record's byte order.  The record's own time: all
 * that this CPU recorded of the device before then is in front of the seal.
 */
struct blk_seal {
	uint32_t kind;
	uint32_t streams;	/* CPUs that have recorded something so far */
	uint64_t records;	/* of this stream so far: events and notes, but
				 * neither seals nor what begins a segment */
	uint64_t dropped;	/* of the device, on all CPUs, so far */
	uint64_t checksum;	/* of all bytes since the last seal: the sum of
				 * their little-endian 64-bit words */
	uint64_t end;		/* ns: when the capture ended; 0: it goes on */
};

/* what a trace is asked for with; the kernel fills in the name */
struct blk_user_trace_setup {
	char name[32];		/* directory under debugfs' block/ */
	uint16_t act_mask;	/* categories; 0: all */
	uint32_t buf_size;	/* bytes of a sub-buffer */
	uint32_t buf_nr;	/* sub-buffers per CPU */
	uint64_t start_lba, end_lba;	/* 0: no limit */
	uint32_t pid;		/* 0: every process */
};

/* the same for version 8, since Linux 6.19 */
struct blk_user_trace_setup2 {
	char name[64];
	uint64_t act_mask;
	uint32_t buf_size;
	uint32_t buf_nr;
	uint64_t start_lba, end_lba;
	uint32_t pid;
	uint32_t flags;		/* none so far */
	uint64_t reserved[11];
};

#define BLKTRACESETUP _IOWR(0x12, 115, struct blk_user_trace_setup)
#define BLKTRACESTART _IO(0x12, 116)
#define BLKTRACESTOP _IO(0x12, 117)
#define BLKTRACETEARDOWN _IO(0x12, 118)
#define BLKTRACESETUP2 _IOWR(0x12, 142, struct blk_user_trace_setup2)

#define BLK_MAJOR(dev) ((dev) >> 20)
#define BLK_MINOR(dev) ((dev) & 0xfffffu)
#define BLK_DEVICE(major, minor) ((uint32_t)(major) << 20 | (minor))

#endif
