/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A number as a symbol, which can be compressed, and bits, which cannot.
 *
 * Numbers below 4 are their own symbols.  Others are as a float would have
 * them: the symbol is the exponent with the two bits below the first one, the
 * other bits, at most 61, follow in the column of bits.
 */
#ifndef PACK_NUMBER_H
#define PACK_NUMBER_H

#include "base/little.h"

enum {
	NUMBER_BITS_MAX = 61,
	NUMBER_BESIDE = 16,	/* bytes that may be written or read after the
				 * end of the bits */
};

/* bits in order, the lowest bit of a byte first */
struct bits_out {
	uint8_t *at;
	uint64_t held;		/* not written yet, fewer than 32 */
	unsigned int count;
};

struct bits_in {
	const uint8_t *bytes;
	uint64_t at;		/* in bits */
};

static inline unsigned int number_rest(unsigned int symbol)
{
	return symbol < 8 ? 0 : (symbol >> 2) - 1;
}

static inline void bits_put32(struct bits_out *b, uint64_t v, unsigned int n)
{
	b->held |= v << b->count;
	b->count += n;
	if (b->count >= 32) {
		put_le32(b->at, (uint32_t)b->held);
		b->at += 4;
		b->held >>= 32;
		b->count -= 32;
	}
}

/* Appends v's bits and returns its symbol. */
static inline uint8_t number_put(struct bits_out *b, uint64_t v)
{
	unsigned int exponent, rest;

	if (v < 4)
		return (uint8_t)v;
	exponent = 63 - (unsigned int)__builtin_clzll(v);
	rest = exponent - 2;
	if (rest <= 32) {
		bits_put32(b, v & ((UINT64_C(1) << rest) - 1), rest);
	} else {
		bits_put32(b, (uint32_t)v, 32);
		bits_put32(b, v >> 32 & ((UINT64_C(1) << (rest - 32)) - 1),
			   rest - 32);
	}
	return (uint8_t)((exponent - 1) << 2 | (v >> rest & 3));
}

/* Writes what is held; returns the end of the bits. */
static inline uint8_t *bits_end(struct bits_out *b)
{
	put_le64(b->at, b->held);
	return b->at + (b->count + 7) / 8;
}

static inline uint64_t bits_take(struct bits_in *b, unsigned int n)
{
	const uint8_t *p = b->bytes + b->at / 8;
	unsigned int skip = b->at % 8;
	uint64_t v = get_le64(p) >> skip;

	if (n > 56)
		v |= (uint64_t)p[8] << 1 << (63 - skip);
	b->at += n;
	return v & ((UINT64_C(1) << n) - 1);
}

/* The number of a symbol; symbols above 251 have none that means anything. */
static inline uint64_t number_take(struct bits_in *b, unsigned int symbol)
{
	unsigned int rest = number_rest(symbol);
	uint64_t top = symbol < 4 ? symbol : 4 | (symbol & 3);

	return (top << rest) + bits_take(b, rest);
}

/* signed: 0 -1 1 -2 become 0 1 2 3 */
static inline uint64_t number_fold(uint64_t v)
{
	return v << 1 ^ -(v >> 63);
}

static inline uint64_t number_unfold(uint64_t v)
{
	return v >> 1 ^ -(v & 1);
}

#endif
