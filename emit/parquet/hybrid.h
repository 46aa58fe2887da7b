/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small numbers as Parquet's hybrid of runs: a run is a varint, and a value
 * that stands for many numbers (the varint is twice their number), or groups
 * of eight numbers side by side (twice the number of groups, plus one).
 */
#ifndef EMIT_PARQUET_HYBRID_H
#define EMIT_PARQUET_HYBRID_H

#include <stdint.h>

struct chain;			/* emit/parquet/chain.h */

/*
 * Appends count bits, the lowest of the first word first; what is behind the
 * last one in its word repeats it.  0, or -ENOMEM.
 */
int hybrid_bits(struct chain *to, const uint64_t *words, uint32_t count);

/* appends numbers below 2^width, width from 1 to 32; 0, or -ENOMEM */
int hybrid_numbers(struct chain *to, const uint32_t *numbers, uint32_t count,
		   unsigned int width);

#endif
