/* SPDX-License-Identifier: GPL-2.0-only */
/* A cache in front of a device; see cache.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/hint.h"
#include "cache/cache.h"
#include "cache/stack.h"

enum {
	SECTOR_BITS = 9,
	/* no device takes more at a time; hostile traces may say so */
	BYTES_MAX = 1 << 30
};

struct cache {
	struct stack *stack;
	unsigned int bits;	/* of a block's sectors */
	uint64_t read, written;	/* different blocks */
	struct curve curves[CACHE_CURVES];
};

int cache_new(struct cache **out, unsigned int block_bits)
{
	struct cache *c = calloc(1, sizeof(*c));

	*out = NULL;
	if (!c)
		return -ENOMEM;
	c->bits = block_bits - SECTOR_BITS;
	if (stack_new(&c->stack, STACK_MAX)) {
		free(c);
		return -ENOMEM;
	}
	*out = c;
	return 0;
}

/* an access of a block that is followed */
static int count(struct cache *c, bool write, const struct stack_access *a)
{
	int err;

	if (!write) {
		c->read += a->fresh ? a->sample.weight : 0;
		return curve_add(&c->curves[CACHE_READS], a->sample, a->known,
				 a->distance);
	}
	c->written += a->fresh ? a->sample.weight : 0;
	err = curve_add(&c->curves[CACHE_WRITES], a->sample, a->known,
			a->distance);
	return err | curve_add(&c->curves[CACHE_SAVED], a->sample, a->dirty,
			       a->longest);
}

int cache_add(struct cache *c, bool write, uint64_t sector, uint64_t bytes)
{
	uint64_t sectors = (bytes < BYTES_MAX ? bytes : BYTES_MAX) >> SECTOR_BITS;
	uint64_t block = sector >> c->bits, last;
	struct stack_access a;
	int got, err = 0;

	if (!sectors || sector + sectors < sector)
		return 0;
	last = (sector + sectors - 1) >> c->bits;
	c->curves[write ? CACHE_WRITES : CACHE_READS].all += last - block + 1;
	if (write)
		c->curves[CACHE_SAVED].all += last - block + 1;
	for (; block <= last; block++) {
		got = stack_access(c->stack, block, write, &a);
		if (got > 0)
			err |= count(c, write, &a);
		err |= got < 0;
	}
	return err ? -ENOMEM : 0;
}

void cache_facts(const struct cache *c, struct cache_facts *f)
{
	unsigned int bits = c->bits + SECTOR_BITS;

	*f = (struct cache_facts){
		.touched = stack_blocks(c->stack) << bits,
		.read = c->read << bits, .written = c->written << bits,
		.share = stack_share(c->stack),
	};
}

uint64_t cache_accesses(const struct cache *c, enum cache_curve curve)
{
	return c->curves[curve].all;
}

struct curve_point cache_at(const struct cache *c, enum cache_curve curve,
			    uint64_t bytes)
{
	return curve_at(&c->curves[curve], bytes >> (c->bits + SECTOR_BITS),
			stack_share(c->stack));
}

void cache_free(struct cache *c)
{
	if (!c)
		return;
	for (int i = 0; i < CACHE_CURVES; i++)
		curve_free(&c->curves[i]);
	stack_free(c->stack);
	free(c);
}
