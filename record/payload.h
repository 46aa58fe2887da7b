/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What follows a record's header: queue depths, sectors, devices, commands,
 * text.  On newer kernels a cgroup id may stand in front of any of them.
 * Every function accepts payloads that are too short.
 */
#ifndef RECORD_PAYLOAD_H
#define RECORD_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blk_seal;		/* blktrace.h */
struct event;			/* record/record.h */

/* the payload without its cgroup id; *len is its length, maybe 0 */
const uint8_t *payload_body(const struct event *ev, size_t *len);

/* the two words of the cgroup id, of a little-endian trace the same everywhere;
 * false: it has none */
bool payload_cgroup(const struct event *ev, uint32_t *ino, uint32_t *gen);

/*
 * The big-endian number of unplugs (queue depth) and splits (new sector).
 * Without one *value is 0 and the result false.
 */
bool payload_number(const struct event *ev, uint64_t *value);

struct remap {
	uint32_t from, to;	/* devices */
	uint64_t sector;	/* on the device it came from */
};

/* what was remapped; all 0, and false, if the payload is too short */
bool payload_remap(const struct event *ev, struct remap *r);

/* wall clock of a time stamp note; false unless it is 8 bytes long */
bool payload_clock(const struct event *ev, uint32_t *sec, uint32_t *nsec);

/*
 * What blktrace's own message says, "blktrace: N dropped since S.NS": the
 * kernel has lost N events of this device since the trace began, and those
 * that were not in the message before it behind that time.  *since is in ns
 * of the clock of the machine that recorded, whatever a reader has made of the
 * times of events.  0: the message does not tell, as those of release 1.0.0 do
 * not.  false: another message.
 */
bool payload_dropped(const struct event *ev, uint64_t *n, uint64_t *since);

/*
 * What the audit of a capture says, "blktrace: N events missing since S.NS": so
 * many events of this device, about, were not recorded since the trace began,
 * beside those that payload_dropped() tells of.  *since as there.  false:
 * another message.
 */
bool payload_missing(const struct event *ev, uint64_t *n, uint64_t *since);

/*
 * A seal: how much of a CPU's stream there is by then.  Longer payloads than we
 * know are fine.  false: no seal.
 */
bool payload_seal(const struct event *note, struct blk_seal *s);

#endif
