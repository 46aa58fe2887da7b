/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One record of a trace: from bytes to a native struct and back.
 *
 * Eight layouts have been written since 2005, in both byte orders; all become
 * the same struct event, whose first 48 bytes are version 7's record as the
 * kernel holds it, so that the usual record is one copy.  Nothing is judged
 * here: lengths, CPUs and order are the stream's to check.
 *
 * Layouts: doc/blktrace.5, sections THE RECORD and HISTORIC VERSIONS.
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "blktrace.h"

struct lane;			/* run/device.h */

struct event {
	uint32_t magic;		/* BLK_MAGIC | 7 whatever the record had */
	uint32_t sequence;	/* per device and CPU from version 6 on */
	uint64_t time;		/* ns, the tracing machine's clock */
	uint64_t sector;	/* 512-byte units */
	uint32_t bytes;
	uint32_t action;	/* number, cgroup flag, categories 0 to 15 */
	uint32_t pid;
	uint32_t device;	/* major << 20 | minor; 0 if never recorded */
	uint32_t cpu;
	uint16_t error;
	uint16_t pdu_len;	/* bytes at payload */

	uint32_t zone;		/* categories 16 and up, bit 0 is number 16 */
	uint8_t version;	/* as recorded, 2 to 8 */
	bool swapped;		/* recorded in the other byte order */
	uint16_t origin;	/* which host it was recorded on */
	const uint8_t *payload;	/* as recorded; good until the next event */
	struct lane *lane;	/* the device and CPU it counts for */
};

/*
 * Where a field is in a version 7 header at raw, for what reads or changes one
 * field without decoding the record.
 */
#define FIELD(raw, member) ((raw) + offsetof(struct event, member))

/* where a version keeps its fields; the same up to the action for 2 to 7 */
struct layout {
	uint8_t version;
	uint8_t size;		/* bytes of the header */
	uint8_t pid, device, cpu, error, pdu_len, comm;	/* 0: has none */
	uint8_t cpu_bytes;	/* 2 or 4 */
};

/* no known version has more layouts than this */
enum { LAYOUTS_PER_VERSION = 3 };

/*
 * The n-th layout that version has been written with, NULL past the last.
 * Only 3 and 4 have more than one: compilers padded them differently, and the
 * first of 4 still had a device.
 */
const struct layout *record_layout(unsigned int version, unsigned int n);

/*
 * Whether the four bytes at raw are a record's magic of a version we know;
 * then its version, and whether the bytes are the other way round.
 */
bool record_magic(const uint8_t *raw, unsigned int *version, bool *swapped);

/*
 * The first place from there on, before end, where record_magic() holds; if
 * there is none, the first that has less than four bytes before end.
 */
const uint8_t *record_find(const uint8_t *from, const uint8_t *end);

/* header at raw to *ev; payload, lane and origin are the caller's to set */
void record_decode(const struct layout *l, bool swapped, const uint8_t *raw,
		   struct event *ev);

/* the process name in a header of versions 4 to 6 (16 bytes), or NULL */
const char *record_comm(const struct layout *l, const uint8_t *raw);

/*
 * *ev as a version 7 or 8 header, native order; bytes written to raw, which
 * has room for BLK_HEADER_MAX.  0: version 7 cannot express this record.
 */
size_t record_encode(const struct event *ev, unsigned int version,
		     uint8_t *raw);

static inline uint32_t get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint16_t get16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t get64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/*
 * What a host's numbers are known by, be they pids or devices: those of
 * different hosts do not meet.
 */
static inline uint64_t origin_key(uint16_t origin, uint32_t number)
{
	return (uint64_t)origin << 32 | number;
}

/* all categories of an event, bit n for category n */
static inline uint32_t event_categories(const struct event *ev)
{
	return ev->action >> 16 | ev->zone << 16;
}

static inline bool event_is_note(const struct event *ev)
{
	return ev->action & BLK_TC_ACT(BLK_TC_NOTIFY);
}

/* a note's or action's number without the cgroup flag */
static inline uint32_t event_number(const struct event *ev)
{
	return ev->action & BLK_ACTION_MASK & ~BLK_CGROUP_FLAG;
}

static inline bool event_is_message(const struct event *ev)
{
	return event_is_note(ev) && event_number(ev) == BLK_TN_MESSAGE;
}

/* the action field of a note other than a message: it acts when it is read */
static inline bool action_is_noted(uint32_t field)
{
	return field & BLK_TC_ACT(BLK_TC_NOTIFY) &&
	       (field & BLK_ACTION_MASK & ~BLK_CGROUP_FLAG) != BLK_TN_MESSAGE;
}

static inline bool event_is_write(const struct event *ev)
{
	return ev->action & BLK_TC_ACT(BLK_TC_WRITE);
}

static inline bool event_is_pc(const struct event *ev)
{
	return ev->action & BLK_TC_ACT(BLK_TC_PC);
}

/* All that the letters of an event's action, and of RWBS, depend on.  Never
 * UINT64_MAX: there are few categories from 16 on. */
static inline uint64_t event_kind(const struct event *ev)
{
	return (uint64_t)ev->zone << 33 | (uint64_t)ev->action << 1 |
	       (ev->bytes != 0);
}

#endif
