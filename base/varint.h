/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of variable length (LEB128), as in thrift and Parquet: seven bits a
 * byte, lowest first, the top bit set if more follow.
 */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

#include <stdbool.h>
#include <stdint.h>

enum { VARINT_BYTES = 10 };	/* of any number at most */

/* writes v at p, with room for VARINT_BYTES; returns the end */
static inline uint8_t *varint_put(uint8_t *p, uint64_t v)
{
	while (v >= 0x80) {
		*p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

/* signed: 0 -1 1 -2 become 0 1 2 3 */
static inline uint64_t varint_zigzag(int64_t v)
{
	return ((uint64_t)v << 1) ^ -(uint64_t)(v < 0);
}

static inline int64_t varint_unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1 ^ -(v & 1));
}

/* Reads one at *p, before end, and moves *p past it; false: it does not end
 * there, or is longer than VARINT_BYTES. */
static inline bool varint_get(const uint8_t **p, const uint8_t *end,
			      uint64_t *v)
{
	*v = 0;
	for (unsigned int shift = 0; *p < end && shift < 70; shift += 7) {
		uint8_t byte = *(*p)++;

		*v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

#endif
