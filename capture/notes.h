/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a tap adds to its records where the kernel does not: event numbers, a
 * process' name before its first event, and the start time.  Relay files have
 * all this from the kernel.
 *
 * A tap has one struct notes with a lane for each device of the run: the CPU's
 * records of the device that wait for delivery.
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
	NOTES_NAMED = 16,	/* recent pids of a lane: a power of 2 */
	NOTES_DROPS = 144,	/* bytes of a note about drops, at most */
	NOTES_MISSING = 288,	/* of one about what an audit found */
	NOTES_SEAL = BLK_HEADER_MAX + sizeof(struct blk_seal),
};

struct tap_lane {
	uint32_t device;
	uint32_t sequence;	/* of the last event */
	uint32_t named[NOTES_NAMED];	/* pids, in slot pid % NOTES_NAMED */
	uint8_t *out;		/* records waiting for delivery */
	size_t len, size;	/* bytes used, and in all */
	struct tap_sums sums;	/* of these, counted by the tap */
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

/* Functions that return an int return 0 or -errno, unless stated otherwise. */

/* devices are BLK_DEVICE() numbers; free n even after a failure */
int notes_init(struct notes *n, uint32_t cpu, const uint32_t *devices,
	       unsigned int count);
void notes_free(struct notes *n);

/* the lane of a device, or NULL */
struct tap_lane *notes_find(const struct notes *n, uint32_t device);

/* appends whole records; the caller counts them */
int tap_lane_add(struct tap_lane *l, const void *bytes, size_t len);

/* makes room for len more bytes; 0 or -ENOMEM */
int tap_lane_grow(struct tap_lane *l, size_t len);

/* where the caller must write the next record, of len bytes; NULL: no memory */
static inline uint8_t *tap_lane_room(struct tap_lane *l, size_t len)
{
	if (l->size - l->len < len && tap_lane_grow(l, len))
		return NULL;
	l->len += len;
	return l->out + l->len - len;
}

/* true: the name of pid has been added; false: perhaps not */
static inline bool tap_lane_knows(const struct tap_lane *l, uint32_t pid)
{
	return l->named[pid % NOTES_NAMED] == pid;
}

/* For a pid that tap_lane_knows() does not know: 1: add its name before its
 * event; 0: it has been added; or -ENOMEM. */
int notes_add_pid(struct notes *n, struct tap_lane *l, uint32_t pid);

/* adds a PROCESS note; device need not be the lane's */
int notes_add_name(struct notes *n, struct tap_lane *l, uint64_t time,
		   uint32_t pid, uint32_t device,
		   const char name[NOTES_NAME]);

/* adds a MESSAGE note; device need not be the lane's */
int notes_add_message(struct notes *n, struct tap_lane *l, uint64_t time,
		      uint32_t pid, uint32_t device, const char *text);

/* adds a TIMESTAMP note for each device */
int notes_add_stamp(struct notes *n, const struct notes_stamp *stamp);

/* delivers all waiting records, or drops them after a failure */
int notes_deliver(struct notes *n, tap_deliver *deliver, void *ctx);

/* the kernel's count of drops */
struct notes_drops {
	uint32_t device, cpu;	/* of the note */
	uint64_t dropped;	/* events of the device so far */
	uint64_t since;		/* ns, the records' clock: the previous count */
	uint64_t time;		/* of the note, ns; 0: now */
};

/* writes a MESSAGE note of it for payload_dropped() to raw, as a record of that
 * version; returns its bytes */
size_t notes_encode_drops(uint8_t raw[NOTES_DROPS], unsigned int version,
			  const struct notes_drops *d);

/* a device's events that an audit has found missing */
struct notes_missing {
	uint32_t device, cpu;	/* of the note */
	uint64_t time;		/* its, ns; 0: now */
	uint64_t events;	/* estimated, not reported otherwise */
	uint64_t since, until;	/* ns, the records' clock */
	uint64_t ios, completed;	/* I/Os missing, and in all */
};

/* like notes_encode_drops(), for payload_missing() */
size_t notes_encode_missing(uint8_t raw[NOTES_MISSING], unsigned int version,
			    const struct notes_missing *m);

/* a CPU's stream of a device so far, for its seals */
struct notes_account {
	unsigned int version;	/* of its records, 7 or 8; 0: no records */
	uint32_t device, cpu;	/* in its records */
	uint64_t records;	/* so far */
	struct checksum sum;	/* since the last seal */
};

/* fills *a from a stream's first record, in native byte order */
void notes_account_begin(struct notes_account *a, const void *record);

/* writes a seal, with the other fields from *rest, as a record of that time to
 * raw, and resets the checksum; returns its bytes */
size_t notes_encode_seal(uint8_t raw[NOTES_SEAL], struct notes_account *a,
			 uint64_t time, const struct blk_seal *rest);

#endif
