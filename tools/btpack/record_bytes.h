/* SPDX-License-Identifier: GPL-2.0-only */
/* A record in the version and the byte order in which it was recorded, of which
 * fields are changed. */
#ifndef TOOLS_BTPACK_RECORD_BYTES_H
#define TOOLS_BTPACK_RECORD_BYTES_H

#include <string.h>

#include "record/record.h"

/* offsets in all versions */
enum { RECORD_SEQUENCE = 4, RECORD_SECTOR = 16 };

struct record_bytes {
	uint8_t bytes[BLK_HEADER_MAX + BLK_PAYLOAD_MAX];
	size_t len;		/* payload included */
	const struct layout *layout;
	struct event ev;	/* decoded, payload included */
};

/* the payload, ev.pdu_len bytes */
static inline uint8_t *record_payload(struct record_bytes *r)
{
	return r->bytes + r->layout->size;
}

static inline void record_set16(struct record_bytes *r, size_t at, uint16_t v)
{
	v = r->ev.swapped ? __builtin_bswap16(v) : v;
	memcpy(r->bytes + at, &v, sizeof(v));
}

static inline void record_set32(struct record_bytes *r, size_t at, uint32_t v)
{
	v = r->ev.swapped ? __builtin_bswap32(v) : v;
	memcpy(r->bytes + at, &v, sizeof(v));
}

static inline void record_set64(struct record_bytes *r, size_t at, uint64_t v)
{
	v = r->ev.swapped ? __builtin_bswap64(v) : v;
	memcpy(r->bytes + at, &v, sizeof(v));
}

#endif
