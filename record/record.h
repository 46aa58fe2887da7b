/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes and encodes a record of a trace.
 *
 * Since 2005 there were eight layouts, in both byte orders; all become a struct
 * event, whose first 48 bytes are version 7's record, so that this is one copy.
 * Streams check lengths, CPUs and order.
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
	uint32_t magic;		/* always BLK_MAGIC | 7 */
	uint32_t sequence;	/* per device and CPU since version 6 */
	uint64_t time;		/* ns, the tracing machine's clock */
	uint64_t sector;	/* 512-byte units */
	uint32_t bytes;
	uint32_t action;	/* number, cgroup flag, categories 0 to 15 */
	uint32_t pid;
	uint32_t device;	/* major << 20 | minor; 0: not recorded */
	uint32_t cpu;
	uint16_t error;
	uint16_t pdu_len;	/* bytes at payload */

	uint32_t zone;		/* categories 16 and up, bit 0 is number 16 */
	uint8_t version;	/* as recorded, 2 to 8 */
	bool swapped;		/* recorded in the other byte order */
	uint16_t origin;	/* the recording host */
	const uint8_t *payload;	/* as recorded; valid until the next event */
	struct lane *lane;	/* its device and CPU */
};

/* a field of a version 7 header at raw */
#define FIELD(raw, member) ((raw) + offsetof(struct event, member))

/* offsets of fields; from 2 to 7 the same up to the action */
struct layout {
	uint8_t version;
	uint8_t size;		/* bytes of the header */
	uint8_t pid, device, cpu, error, pdu_len, comm;	/* 0: has none */
	uint8_t cpu_bytes;	/* 2 or 4 */
};

/* the most layouts of a version */
enum { LAYOUTS_PER_VERSION = 3 };

/*
 * The n-th layout of a version, or NULL.  Only 3 and 4 have more than one:
 * compilers padded them differently, and the first of 4 still had a device.
 */
const struct layout *record_layout(unsigned int version, unsigned int n);

/* Whether four bytes are the magic of a known version, in either byte order. */
bool record_magic(const uint8_t *raw, unsigned int *version, bool *swapped);

/* The first place where record_magic() holds, or the first with less than four
 * bytes before end. */
const uint8_t *record_find(const uint8_t *from, const uint8_t *end);

/* Decodes the header at raw; the caller sets payload, lane and origin. */
void record_decode(const struct layout *l, bool swapped, const uint8_t *raw,
		   struct event *ev);

/* the process name in a header of versions 4 to 6 (16 bytes), or NULL */
const char *record_comm(const struct layout *l, const uint8_t *raw);

/* Encodes a version 7 or 8 header in native order to raw, which has room for
 * BLK_HEADER_MAX; returns its size.  0: it needs version 8. */
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

/* a key for a host's pid or device number */
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

/* a note's or action's number, without the cgroup flag */
static inline uint32_t event_number(const struct event *ev)
{
	return ev->action & BLK_ACTION_MASK & ~BLK_CGROUP_FLAG;
}

static inline bool event_is_message(const struct event *ev)
{
	return event_is_note(ev) && event_number(ev) == BLK_TN_MESSAGE;
}

/* whether an action field is that of a note other than a message, which acts
 * when it is read */
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

/* All that the letters of its action and RWBS depend on; never UINT64_MAX, as
 * there are few categories from 16 on. */
static inline uint64_t event_kind(const struct event *ev)
{
	return (uint64_t)ev->zone << 33 | (uint64_t)ev->action << 1 |
	       (ev->bytes != 0);
}

#endif
