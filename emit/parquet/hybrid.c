/* SPDX-License-Identifier: GPL-2.0-only */
/* Small numbers as runs; see hybrid.h. */
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/varint.h"
#include "emit/parquet/chain.h"
#include "emit/parquet/hybrid.h"

/* --- bits ----------------------------------------------------------------- */

static void store(uint8_t *to, uint64_t word)
{
	word = htole64(word);
	memcpy(to, &word, sizeof(word));
}

/* output, with a word that is not full yet */
struct packer {
	uint8_t *to;
	uint64_t word;
	unsigned int filled;	/* bits of it, below 64 */
};

/* width from 1 to 64 */
static inline void put(struct packer *p, uint64_t bits, unsigned int width)
{
	p->word |= bits << p->filled;
	p->filled += width;
	if (p->filled < 64)
		return;
	store(p->to, p->word);
	p->to += sizeof(p->word);
	p->filled -= 64;
	/* a shift by 64 bits is undefined */
	p->word = p->filled ? bits >> (width - p->filled) : 0;
}

/* Narrow numbers are put four or two at once, as each put is expensive. */
uint8_t *bits_pack(uint8_t *to, const uint64_t *numbers, unsigned int count,
		   unsigned int width)
{
	struct packer p = { .to = to };
	const uint64_t *n = numbers, *end = numbers + count;

	if (!width)
		return to;
	if (width <= 16) {
		for (; n < end; n += 4)
			put(&p, (n[0] | n[1] << width) |
			    (n[2] | n[3] << width) << 2 * width, 4 * width);
	} else if (width <= 32) {
		for (; n < end; n += 2)
			put(&p, n[0] | n[1] << width, 2 * width);
	} else {
		for (; n < end; n++)
			put(&p, *n, width);
	}
	store(p.to, p.word);
	return p.to + p.filled / 8;
}

/* --- hybrid --------------------------------------------------------------- */

enum {
	GROUP = 8,
	/* groups side by side under one varint */
	GROUPS = 63,
	/* A repeated value splits the packed run around it, which pays if
	 * packing took more bytes than this. */
	RUN_COST = 5
};

/* One value count times, in as many bytes as width bits need. */
static int repeat(struct chain *to, uint32_t value, uint32_t count,
		  unsigned int width)
{
	uint8_t *p = chain_room(to, VARINT_BYTES + sizeof(value));

	if (!p)
		return -ENOMEM;
	p = varint_put(p, (uint64_t)count << 1);
	value = htole32(value);
	memcpy(p, &value, sizeof(value));
	chain_commit(to, p + (width + 7) / 8);
	return 0;
}

/* --- runs of bits --------------------------------------------------------- */

static bool is_flat(uint64_t word)
{
	return word == 0 || word == UINT64_MAX;
}

/* The number of first words that are all flat and equal, or all not flat. */
static uint32_t alike_words(const uint64_t *words, uint32_t count)
{
	uint32_t n = 1;

	while (n < count && (is_flat(words[0]) ? words[n] == words[0] :
			     !is_flat(words[n])))
		n++;
	return n;
}

static int pack_words(struct chain *to, const uint64_t *words, uint32_t count)
{
	uint32_t groups = (count + GROUP - 1) / GROUP;
	uint8_t *p = chain_room(to, VARINT_BYTES + groups + sizeof(*words));

	if (!p)
		return -ENOMEM;
	p = varint_put(p, (uint64_t)groups << 1 | 1);
	for (uint32_t i = 0; i < groups; i += sizeof(*words)) {
		uint64_t word = htole64(*words++);

		memcpy(p + i, &word, sizeof(word));
	}
	chain_commit(to, p + groups);
	return 0;
}

int hybrid_bits(struct chain *to, const uint64_t *words, uint32_t count)
{
	while (count) {
		uint32_t left = (count + 63) / 64;
		uint32_t n = alike_words(words, left);
		uint32_t bits = n == left ? count : n * 64;
		int err = is_flat(*words) ? repeat(to, *words & 1, bits, 1) :
			pack_words(to, words, bits);

		if (err)
			return err;
		words += n;
		count -= bits;
	}
	return 0;
}

/* --- runs of numbers ------------------------------------------------------ */

/* The number of first numbers that are equal. */
static uint32_t same_numbers(const uint32_t *numbers, uint32_t count)
{
	uint32_t n = 1;

	while (n < count && numbers[n] == numbers[0])
		n++;
	return n;
}

/*
 * The number of first numbers to write as a repeated value; 0: packing is
 * better.  Packed groups after it start at a multiple of eight.
 */
static uint32_t run_of(const uint32_t *numbers, uint32_t count,
		       unsigned int width)
{
	uint32_t n = same_numbers(numbers, count);

	if (n < count)
		n -= n % GROUP;
	return (uint64_t)n * width > RUN_COST * 8 || n == count ? n : 0;
}

/* At most GROUPS groups; the last is filled with 0. */
static int pack_groups(struct chain *to, const uint32_t *numbers,
		       uint32_t count, unsigned int width)
{
	uint64_t wide[GROUPS * GROUP + GROUP] = { 0 };
	uint32_t groups = (count + GROUP - 1) / GROUP;
	uint8_t *p = chain_room(to, VARINT_BYTES + groups * width +
				BITS_BEYOND);

	if (!p)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		wide[i] = numbers[i];
	p = varint_put(p, (uint64_t)groups << 1 | 1);
	chain_commit(to, bits_pack(p, wide, groups * GROUP, width));
	return 0;
}

/* The number of numbers to pack, up to the next repeated value. */
static uint32_t packed_of(const uint32_t *numbers, uint32_t count,
			  unsigned int width)
{
	uint32_t n = 0;

	while (n < count && n < GROUPS * GROUP &&
	       !run_of(numbers + n, count - n, width))
		n += count - n < GROUP ? count - n : GROUP;
	return n;
}

int hybrid_numbers(struct chain *to, const uint32_t *numbers, uint32_t count,
		   unsigned int width)
{
	while (count) {
		uint32_t n = run_of(numbers, count, width);
		int err;

		if (n) {
			err = repeat(to, *numbers, n, width);
		} else {
			n = packed_of(numbers, count, width);
			err = pack_groups(to, numbers, n, width);
		}
		if (err)
			return err;
		numbers += n;
		count -= n;
	}
	return 0;
}
