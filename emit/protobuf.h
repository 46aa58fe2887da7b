/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Protobuf's encoding: a message is fields, each a number with the kind of its
 * value, then the value: a varint, eight bytes, or a length with as many bytes,
 * which may be a message again.
 *
 * Each function writes at p, where the caller has made room, and returns the
 * end of what it wrote.  Fields are below 2,048.
 */
#ifndef EMIT_PROTOBUF_H
#define EMIT_PROTOBUF_H

#include <stdint.h>

#include "base/varint.h"

enum {
	PROTOBUF_TAG = 2,	/* bytes of a field's number */
	PROTOBUF_NUMBER = PROTOBUF_TAG + VARINT_BYTES,	/* a field's at most */
	PROTOBUF_LENGTH = 5,	/* of a length below 4 GiB */
	/* what a text or a message may take beside its bytes */
	PROTOBUF_HEAD = PROTOBUF_TAG + PROTOBUF_LENGTH,
};

enum protobuf_kind {
	PROTOBUF_VARINT,
	PROTOBUF_FIXED64,
	PROTOBUF_BYTES
};

static inline uint8_t *protobuf_tag(uint8_t *p, unsigned int field,
				    enum protobuf_kind kind)
{
	return varint_put(p, field << 3 | kind);
}

/* Not negative: those of int64 have ten bytes, as these of uint64. */
static inline uint8_t *protobuf_number(uint8_t *p, unsigned int field,
				       uint64_t v)
{
	return varint_put(protobuf_tag(p, field, PROTOBUF_VARINT), v);
}

static inline uint8_t *protobuf_fixed64(uint8_t *p, unsigned int field,
					uint64_t v)
{
	p = protobuf_tag(p, field, PROTOBUF_FIXED64);
	for (int i = 0; i < 8; i++)
		*p++ = (uint8_t)(v >> 8 * i);
	return p;
}

/* len bytes, below 4 GiB */
uint8_t *protobuf_bytes(uint8_t *p, unsigned int field, const void *bytes,
			uint32_t len);

/* the same of a text with its NUL, which is not written */
uint8_t *protobuf_text(uint8_t *p, unsigned int field, const char *text);

/*
 * A message begins: its fields are written where this returns, and nothing
 * else is before protobuf_close().
 */
static inline uint8_t *protobuf_open(uint8_t *p, unsigned int field)
{
	/* most are below 128 bytes: a length of one byte */
	return protobuf_tag(p, field, PROTOBUF_BYTES) + 1;
}

/* slow path of protobuf_close() */
uint8_t *protobuf_close_long(uint8_t *begin, uint8_t *end);

/*
 * It has ended: begin is what protobuf_open() returned.  Up to
 * PROTOBUF_LENGTH - 1 bytes behind end are needed, as it may have to move.
 */
static inline uint8_t *protobuf_close(uint8_t *begin, uint8_t *end)
{
	if (end - begin >= 0x80)
		return protobuf_close_long(begin, end);
	begin[-1] = (uint8_t)(end - begin);
	return end;
}

#endif
