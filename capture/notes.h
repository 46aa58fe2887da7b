/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a tap adds to the records it reads, where the kernel leaves that to us:
 * the number of each event, the name of each process before its first event,
 * and when tracing began.  Relay files have all this from the kernel.
 *
 * A tap has one struct notes, and in it a lane for each of the run's devices:
 * what this CPU has recorded of the device, and what of it waits for delivery.
 */
#ifndef CAPTURE_NOTES_H
#define CAPTURE_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checksum.h"
#include "base/hash.h"
#include "blktrace.h"
#include "capture/tap.h"

enum {
	NOTES_NAME = 16,	/* bytes of a process' name, as in the kernel */
	NOTES_NAMED = 16,	/* pids that a lane knows at once: a power of 2 */
	NOTES_DROPS = 144,	/* bytes of a note about drops, at most */
	NOTES_MISSING = 288,	/* of one about what an audit found */
	NOTES_SEAL = BLK_HEADER_MAX + sizeof(struct blk_seal),
};

struct tap_lane {
	uint32_t device;
	uint32_t sequence;	/* of the last event */
	uint32_t named[NOTES_NAMED];	/* pids, in slot pid % NOTES_NAMED */
	uint8_t *out;		/* records that wait for delivery */
	size_t len, size;	/* bytes of them, and of room */
	struct tap_sums sums;	/* to be delivered next, counted by the tap */
};

struct notes {
	uint32_t cpu;
	struct tap_lane *lanes;	/* by device, in the run's order */
	unsigned int count;
	struct hash pids;	/* lane and pid: its name has been added */
};

/* one moment in the two clocks that a TIMESTAMP note compares */
struct notes_stamp {
	uint64_t time;		/* the records' clock, nanoseconds */
	uint32_t seconds;	/* the wall clock */
	uint32_t nanoseconds;
};

struct notes_stamp notes_stamp_now(void);

/* Functions that return an int return 0 or -errno, unless they have more. */

/* devices are BLK_DEVICE() numbers; to be freed even after a failure */
int notes_init(struct notes *n, uint32_t cpu, const uint32_t *devices,
	       unsigned int count);
void notes_free(struct notes *n);

/* the lane of a device, or NULL */
struct tap_lane *notes_find(const struct notes *n, uint32_t device);

/* adds bytes of whole records to what waits; the caller counts records */
int tap_lane_add(struct tap_lane *l, const void *bytes, size_t len);

/* makes room for len more bytes; 0 or -ENOMEM */
int tap_lane_grow(struct tap_lane *l, size_t len);

/*
 * Where the next record of len bytes belongs, to be written there before
 * anything else is added; NULL: no memory.
 */
static inline uint8_t *tap_lane_room(struct tap_lane *l, size_t len)
{
	if (l->size - l->len < len && tap_lane_grow(l, len))
		return NULL;
	l->len += len;
	return l->out + l->len - len;
}

/* whether the name of pid has been added; false also if that is not known */
static inline bool tap_lane_knows(const struct tap_lane *l, uint32_t pid)
{
	return l->named[pid % NOTES_NAMED] == pid;
}

/*
 * For a pid that tap_lane_knows() not.  1: its name has to be added before its
 * event; 0: it has been added before; -ENOMEM.
 */
int notes_add_pid(struct notes *n, struct tap_lane *l, uint32_t pid);

/* a PROCESS note of a device, which need not be the lane's */
int notes_add_name(struct notes *n, struct tap_lane *l, uint64_t time,
		   uint32_t pid, uint32_t device,
		   const char name[NOTES_NAME]);

/* a TIMESTAMP note for each device */
int notes_add_stamp(struct notes *n, const struct notes_stamp *stamp);

/* hands over all that waits; after a failure nothing more is of use */
int notes_deliver(struct notes *n, tap_deliver *deliver, void *ctx);

/* what a look at the kernel's count of drops has found */
struct notes_drops {
	uint32_t device, cpu;	/* of the note */
	uint64_t dropped;	/* events of the device so far */
	uint64_t since;		/* ns, the records' clock: the look before */
};

/*
 * A MESSAGE note of that, as payload_dropped() reads it, as a record of that
 * version to raw; its bytes.
 */
size_t notes_encode_drops(uint8_t raw[NOTES_DROPS], unsigned int version,
			  const struct notes_drops *d);

/* what an audit has found to be missing of a device so far */
struct notes_missing {
	uint32_t device, cpu;	/* of the note */
	uint64_t events;	/* about, which nothing else reports */
	uint64_t since, until;	/* ns, the records' clock */
	uint64_t ios, completed;	/* missing, of those */
};

/* a MESSAGE note of that, as payload_missing() reads it, like the one above */
size_t notes_encode_missing(uint8_t raw[NOTES_MISSING], unsigned int version,
			    const struct notes_missing *m);

/* what a CPU's stream of a device has had so far, for its seals */
struct notes_account {
	unsigned int version;	/* of its records, 7 or 8; 0: it has none */
	uint32_t device, cpu;	/* as its records have them */
	uint64_t records;	/* so far */
	struct checksum sum;	/* since the last seal */
};

/* by a stream's first record, native */
void notes_account_begin(struct notes_account *a, const void *record);

/*
 * A seal of that kind, with what is not the account's in *rest, as a record of
 * that time to raw; its bytes.  The checksum begins anew.
 */
size_t notes_encode_seal(uint8_t raw[NOTES_SEAL], struct notes_account *a,
			 uint64_t time, const struct blk_seal *rest);

#endif
