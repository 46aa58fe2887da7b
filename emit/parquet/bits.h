/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers side by side, each in as few bits as the widest of them needs. */
#ifndef EMIT_PARQUET_BITS_H
#define EMIT_PARQUET_BITS_H

#include <stdint.h>

enum { BITS_BEYOND = 8 };	/* bytes that may be written past the end */

/* bits that v needs; 0 needs none */
static inline unsigned int bits_width(uint64_t v)
{
	return v ? 64 - (unsigned int)__builtin_clzll(v) : 0;
}

/*
 * Packs count numbers, a multiple of 8, below 2^width each (width up to 64),
 * the first in the lowest bits of the first byte.  Returns the end: count *
 * width / 8 bytes further.
 */
uint8_t *bits_pack(uint8_t *to, const uint64_t *numbers, unsigned int count,
		   unsigned int width);

#endif
