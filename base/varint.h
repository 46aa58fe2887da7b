/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of variable length (LEB128), as in thrift and Parquet: seven bits a
 * byte, lowest first, the top bit set if more follow.
 */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

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

#endif
