/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small numbers as Parquet's hybrid of runs.  A run is a varint of twice a
 * count and a value repeated count times, or of twice a count plus one and
 * count groups of eight packed numbers.
 */
#ifndef EMIT_PARQUET_HYBRID_H
#define EMIT_PARQUET_HYBRID_H

#include <stdint.h>

/* --- bits ----------------------------------------------------------------- */

enum { BITS_BEYOND = 8 };	/* bytes that may be written past the end */

/* bits that v needs; 0 needs none */
static inline unsigned int bits_width(uint64_t v)
{
	return v ? 64 - (unsigned int)__builtin_clzll(v) : 0;
}

/*
 * Packs count numbers, a multiple of 8, below 2^width each (width up to 64),
 * the first in the lowest bits of the first byte.  Returns the end, to +
 * count * width / 8.
 */
uint8_t *bits_pack(uint8_t *to, const uint64_t *numbers, unsigned int count,
		   unsigned int width);

/* --- hybrid --------------------------------------------------------------- */

struct chain;			/* emit/parquet/chain.h */

/*
 * Appends count bits, the lowest of the first word first; the rest of the last
 * word must repeat the last bit.  0 or -ENOMEM.
 */
int hybrid_bits(struct chain *to, const uint64_t *words, uint32_t count);

/* appends numbers below 2^width, width from 1 to 32; 0, or -ENOMEM */
int hybrid_numbers(struct chain *to, const uint32_t *numbers, uint32_t count,
		   unsigned int width);

#endif
