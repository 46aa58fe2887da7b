/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers side by side; see bits.h. */
#include "emit/parquet/bits.h"

#include <endian.h>
#include <string.h>

static void store(uint8_t *to, uint64_t word)
{
	word = htole64(word);
	memcpy(to, &word, sizeof(word));
}

/* words of the output, of which one is not full yet */
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
	/* a shift by all 64 bits is none */
	p->word = p->filled ? bits >> (width - p->filled) : 0;
}

/*
 * Narrow ones are put four or two at once: what is done for each word that is
 * put is most of the work.
 */
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
