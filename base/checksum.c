/* SPDX-License-Identifier: GPL-2.0-only */
/* A cheap checksum; see checksum.h. */
#include <endian.h>
#include <string.h>

#include "base/checksum.h"

enum { WORD = 8, BLOCK = 1024 };

static uint64_t word_at(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

/* less than a word, continuing the last word */
static void add_bytes(struct checksum *c, const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		c->sum += (uint64_t)p[i] << (c->len++ % WORD * 8);
}

#ifdef __x86_64__
typedef uint64_t lanes __attribute__((vector_size(32), aligned(1),
				      may_alias));

/* Whole blocks: a capture can spare two instructions a record. */
__attribute__((target("avx2")))
static uint64_t sum_blocks(const uint8_t *p, size_t count)
{
	lanes sum = { 0 };

	for (; count; count--, p += BLOCK) {
		const lanes *v = (const lanes *)p;

#pragma GCC unroll 32
		for (size_t i = 0; i < BLOCK / sizeof(lanes); i++) {
			sum += v[i];
			/* no tree of sums, which has more instructions */
			__asm__("" : "+x"(sum));
		}
	}
	return sum[0] + sum[1] + sum[2] + sum[3];
}

static size_t blocks_of(size_t len)
{
	return __builtin_cpu_supports("avx2") ? len / BLOCK : 0;
}
#else
static uint64_t sum_blocks(const uint8_t *p, size_t count)
{
	return (void)p, (void)count, 0;
}

static size_t blocks_of(size_t len)
{
	return (void)len, 0;
}
#endif

static uint64_t sum_words(const uint8_t *p, size_t count)
{
	uint64_t sum = 0;

#pragma GCC unroll 8
	for (size_t i = 0; i < count; i++)
		sum += word_at(p + i * WORD);
	return sum;
}

void checksum_add(struct checksum *c, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	size_t before = (WORD - c->len % WORD) % WORD, blocks, words;

	if (before > len)
		before = len;
	add_bytes(c, p, before);
	p += before;
	len -= before;
	blocks = blocks_of(len);
	c->sum += sum_blocks(p, blocks);
	p += blocks * BLOCK;
	len -= blocks * BLOCK;
	words = len / WORD;
	c->sum += sum_words(p, words);
	c->len += blocks * BLOCK + words * WORD;
	add_bytes(c, p + words * WORD, len % WORD);
}
