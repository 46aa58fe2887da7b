/* SPDX-License-Identifier: GPL-2.0-only */
/* A cache in front of a device; see cache.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/hint.h"
#include "cache/cache.h"
#include "cache/fifo.h"
#include "cache/sample.h"
#include "cache/stack.h"

enum {
	SECTOR_BITS = 9,
	SIZES = CACHE_FIFO_MAX - CACHE_FIFO_MIN + 1,
	/* no device takes more at a time; hostile traces may say so */
	BYTES_MAX = 1 << 30
};

/* a cache of one size by S3-FIFO */
struct size {
	struct fifo *fifo;
	struct curve curves[CACHE_CURVES];	/* all that it serves needs 1 */
};

struct cache {
	struct stack *stack;
	struct blocks *blocks;
	struct touched *processes, *hours;
	struct size *sizes;	/* SIZES of them, or NULL */
	unsigned int bits;	/* of a block's sectors */
	uint64_t read, written;	/* different blocks */
	uint64_t accesses[CACHE_CURVES];
	struct curve curves[CACHE_CURVES];
};

static int new_sizes(struct cache *c)
{
	int err = 0;

	c->sizes = calloc(SIZES, sizeof(*c->sizes));
	for (int i = 0; c->sizes && !err && i < SIZES; i++)
		err = fifo_new(&c->sizes[i].fifo,
			       1ull << (CACHE_FIFO_MIN + i), FIFO_MOST);
	return c->sizes ? err : -ENOMEM;
}

int cache_new(struct cache **out, unsigned int block_bits, bool fifo)
{
	struct cache *c = calloc(1, sizeof(*c));

	*out = NULL;
	if (!c)
		return -ENOMEM;
	c->bits = block_bits - SECTOR_BITS;
	if (stack_new(&c->stack, STACK_MAX, STACK_SAMPLED) ||
	    blocks_new(&c->blocks, BLOCKS_MOST) ||
	    touched_new(&c->processes, TOUCHED_MOST) ||
	    touched_new(&c->hours, TOUCHED_MOST) || (fifo && new_sizes(c))) {
		cache_free(c);
		return -ENOMEM;
	}
	*out = c;
	return 0;
}

/* --- accesses ------------------------------------------------------------- */

/* an access of a block that the stack follows */
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

static int count_size(struct size *s, bool write, struct sample sample,
		      const struct fifo_access *a)
{
	int err;

	if (!write)
		return curve_add(&s->curves[CACHE_READS], sample, a->served, 0);
	err = curve_add(&s->curves[CACHE_WRITES], sample, a->served, 0);
	return err | curve_add(&s->curves[CACHE_SAVED], sample, a->saved, 0);
}

/* Larger caches simulate fewer blocks, each of them of the smaller ones'. */
static int access_sizes(struct cache *c, bool write, struct sampled b)
{
	struct fifo_access a;
	int err = 0;

	for (int i = 0; !err && i < SIZES; i++) {
		struct size *s = &c->sizes[i];
		unsigned int shift = fifo_shift(s->fifo);

		if (!sample_has(b.hash, shift))
			break;
		err = fifo_access(s->fifo, b.block, write, &a);
		if (!err)
			err = count_size(s, write, sample_of(b.hash, shift), &a);
	}
	return err;
}

/* A block that the stack does not follow is none that these follow: they have room
 * for fewer. */
static int access_block(struct cache *c, const struct cache_io *io,
			uint64_t block)
{
	struct sampled b = sampled_of(block);
	struct stack_access a;
	int err = UNLIKELY(c->sizes) ? access_sizes(c, io->write, b) : 0;
	int got = stack_access(c->stack, b, io->write, &a);

	if (LIKELY(!got))
		return err;
	err |= got > 0 ? count(c, io->write, &a) : got;
	err |= blocks_access(c->blocks, b, io->write, io->time);
	err |= touched_add(c->processes, io->process, b, io->write);
	return err | touched_add(c->hours, io->hour, b, io->write);
}

int cache_add(struct cache *c, const struct cache_io *io)
{
	uint64_t bytes = io->bytes < BYTES_MAX ? io->bytes : BYTES_MAX;
	uint64_t sectors = bytes >> SECTOR_BITS;
	uint64_t block = io->sector >> c->bits, last;
	int err = 0;

	if (!sectors || io->sector + sectors < io->sector)
		return 0;
	last = (io->sector + sectors - 1) >> c->bits;
	c->accesses[io->write ? CACHE_WRITES : CACHE_READS] +=
		last - block + 1;
	if (io->write)
		c->accesses[CACHE_SAVED] += last - block + 1;
	for (; block <= last; block++)
		err |= access_block(c, io, block);
	return err ? -ENOMEM : 0;
}

/* --- results -------------------------------------------------------------- */

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
	return c->accesses[curve];
}

struct curve_point cache_at(const struct cache *c, enum cache_curve curve,
			    uint64_t bytes)
{
	return curve_at(&c->curves[curve], c->accesses[curve],
			bytes >> (c->bits + SECTOR_BITS),
			stack_share(c->stack));
}

bool cache_fifo_at(const struct cache *c, enum cache_curve curve, uint64_t bytes,
		   struct curve_point *p)
{
	uint64_t blocks = bytes >> (c->bits + SECTOR_BITS);
	const struct size *s;

	if (!c->sizes || !blocks || blocks & (blocks - 1) ||
	    blocks < 1ull << CACHE_FIFO_MIN || blocks > 1ull << CACHE_FIFO_MAX)
		return false;
	if (blocks >= stack_blocks(c->stack)) {
		/* with room for all, no policy matters */
		*p = cache_at(c, curve, bytes);
		return true;
	}
	s = &c->sizes[__builtin_ctzll(blocks) - CACHE_FIFO_MIN];
	*p = curve_at(&s->curves[curve], c->accesses[curve], 1,
		      1ull << fifo_shift(s->fifo));
	return true;
}

const struct blocks *cache_blocks(const struct cache *c)
{
	return c->blocks;
}

const struct touched *cache_processes(const struct cache *c)
{
	return c->processes;
}

const struct touched *cache_hours(const struct cache *c)
{
	return c->hours;
}

static void free_size(struct size *s)
{
	fifo_free(s->fifo);
	for (int i = 0; i < CACHE_CURVES; i++)
		curve_free(&s->curves[i]);
}

void cache_free(struct cache *c)
{
	if (!c)
		return;
	for (int i = 0; c->sizes && i < SIZES; i++)
		free_size(&c->sizes[i]);
	free(c->sizes);
	for (int i = 0; i < CACHE_CURVES; i++)
		curve_free(&c->curves[i]);
	stack_free(c->stack);
	blocks_free(c->blocks);
	touched_free(c->processes);
	touched_free(c->hours);
	free(c);
}
