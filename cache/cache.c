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
	/* powers of two below that of all blocks that are simulated: more than
	 * programs show (cache/points.h) */
	BELOW = 13,
	/* no device reads or writes more at a time; hostile traces may say so */
	BYTES_MAX = 1 << 26
};

#define BLOCK_MASK ((1ull << SAMPLE_BLOCK_BITS) - 1)

/* a cache of one size by S3-FIFO */
struct size {
	struct fifo *fifo;
	struct curve curves[CACHE_CURVES];	/* all that it serves needs 1 */
};

struct cache {
	struct stack *stack;
	struct blocks *blocks;	/* and touched: NULL of a copy */
	struct touched *touched;
	unsigned int shift;	/* one of 2^shift blocks is in either */
	struct size *sizes;	/* SIZES of them, or NULL */
	int first;		/* of those still simulated */
	unsigned int bits;	/* of a block's sectors */
	uint64_t read, written;	/* different blocks */
	uint64_t accesses[CACHE_CURVES];
	struct curve curves[CACHE_CURVES];
};

static void free_size(struct size *s)
{
	fifo_free(s->fifo);
	s->fifo = NULL;
	for (int i = 0; i < CACHE_CURVES; i++)
		curve_free(&s->curves[i]);
}

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
	    touched_new(&c->touched, TOUCHED_MOST) ||
	    (fifo && new_sizes(c))) {
		cache_free(c);
		return -ENOMEM;
	}
	*out = c;
	return 0;
}

static int copy_curves(struct curve *to, const struct curve *from)
{
	int err = 0;

	for (int i = 0; i < CACHE_CURVES; i++)
		err |= curve_copy(&to[i], &from[i]);
	return err;
}

static int copy_sizes(struct cache *c, const struct size *from)
{
	int err = 0;

	c->sizes = calloc(SIZES, sizeof(*c->sizes));
	for (int i = c->first; c->sizes && !err && i < SIZES; i++) {
		err = fifo_copy(&c->sizes[i].fifo, from[i].fifo);
		err |= copy_curves(c->sizes[i].curves, from[i].curves);
	}
	return c->sizes ? err : -ENOMEM;
}

int cache_copy(struct cache **out, const struct cache *from)
{
	struct cache *c = malloc(sizeof(*c));

	*out = NULL;
	if (!c)
		return -ENOMEM;
	*c = (struct cache){ .bits = from->bits, .read = from->read,
			     .written = from->written, .first = from->first };
	for (int i = 0; i < CACHE_CURVES; i++)
		c->accesses[i] = from->accesses[i];
	if (stack_copy(&c->stack, from->stack) ||
	    copy_curves(c->curves, from->curves) ||
	    (from->sizes && copy_sizes(c, from->sizes))) {
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

/* Small sizes take most of the time. */
static void drop_sizes(struct cache *c)
{
	while (c->first < SIZES - 1 && stack_blocks(c->stack) >> BELOW >=
				       1ull << (CACHE_FIFO_MIN + c->first))
		free_size(&c->sizes[c->first++]);
}

/* Larger caches simulate fewer blocks, each of them of the smaller ones'. */
static int access_sizes(struct cache *c, bool write, struct sampled b)
{
	struct fifo_access a;
	int err = 0;

	for (int i = c->first; !err && i < SIZES; i++) {
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

/* Remembers the history of one of few blocks. */
static APART int access_history(struct cache *c, const struct cache_io *io,
				struct sampled b, bool write)
{
	unsigned int shift;
	struct touched_by by;
	int err;

	if (!c->blocks)
		return 0;
	err = blocks_access(c->blocks, b, write, io->time);
	if (!err && sample_has(b.hash, touched_shift(c->touched))) {
		err = io->by(io->ctx, &by);
		if (!err)
			err = touched_add(c->touched, by, b, write);
	}
	shift = touched_shift(c->touched);
	c->shift = blocks_shift(c->blocks);
	if (c->shift > shift)
		c->shift = shift;
	return err;
}

/* A block that the stack does not follow has no history either: there is room for
 * fewer. */
static inline int access_block(struct cache *c, const struct cache_io *io,
			       struct sampled b, bool write)
{
	struct stack_access a;
	int got = stack_access(c->stack, b, write, &a);

	if (LIKELY(!got))
		return 0;
	if (UNLIKELY(got < 0))
		return got;
	got = count(c, write, &a);
	if (UNLIKELY(sample_has(b.hash, c->shift)))
		got |= access_history(c, io, b, write);
	return got;
}

/* what tells numbers of blocks of several devices apart; 0 of the first */
static uint64_t salt_of(unsigned int device)
{
	return sample_hash(device) & BLOCK_MASK;
}

static int access_blocks(struct cache *c, const struct cache_io *io,
			 uint64_t first, uint64_t last)
{
	bool write = io->op == CACHE_WRITE;
	uint64_t salt = salt_of(io->device);
	int err = 0;

	c->accesses[write ? CACHE_WRITES : CACHE_READS] += last - first + 1;
	if (write)
		c->accesses[CACHE_SAVED] += last - first + 1;
	if (UNLIKELY(c->sizes))
		drop_sizes(c);
	for (uint64_t block = first; block <= last; block++) {
		struct sampled b = sampled_of(block ^ salt);

		if (UNLIKELY(c->sizes))
			err |= access_sizes(c, write, b);
		err |= access_block(c, io, b, write);
	}
	return err;
}

/* --- discards ------------------------------------------------------------- */

static int discard_size(struct size *s, struct sample_range range)
{
	uint64_t hash;
	bool saved;
	int err = 0;

	while (fifo_discard(s->fifo, &range, &hash, &saved))
		if (saved)
			err |= curve_serve(&s->curves[CACHE_SAVED],
					   sample_of(hash,
						     fifo_shift(s->fifo)), 0);
	return err;
}

/* What was written there, and was not passed on, need not be any more. */
static int discard_blocks(struct cache *c, const struct cache_io *io,
			  uint64_t first, uint64_t last)
{
	struct sample_range range = { first, last, salt_of(io->device), 0 };
	struct sample_range stacks = range;
	struct stack_access a;
	int err = 0, got;

	for (int i = c->first; c->sizes && i < SIZES; i++)
		err |= discard_size(&c->sizes[i], range);
	while ((got = stack_discard(c->stack, &stacks, &a)) > 0)
		if (a.dirty)
			err |= curve_serve(&c->curves[CACHE_SAVED], a.sample,
					   a.longest);
	if (c->blocks)
		blocks_discard(c->blocks, range, io->time);
	return err | got;
}

/* --- I/Os ----------------------------------------------------------------- */

/* blocks that a read or write touches; false: none */
static bool find_touched(const struct cache *c, const struct cache_io *io,
			 uint64_t *first, uint64_t *last)
{
	uint64_t bytes = io->bytes < BYTES_MAX ? io->bytes : BYTES_MAX;
	uint64_t sectors = bytes >> SECTOR_BITS;

	if (!sectors || io->sector + sectors < io->sector)
		return false;
	*first = io->sector >> c->bits;
	*last = (io->sector + sectors - 1) >> c->bits;
	return true;
}

/* blocks that a discard covers; false: none */
static bool find_covered(const struct cache *c, const struct cache_io *io,
			 uint64_t *first, uint64_t *last)
{
	uint64_t sectors = io->bytes >> SECTOR_BITS, part = (1u << c->bits) - 1;
	uint64_t end = io->sector + sectors;

	if (end < io->sector || io->sector + part < io->sector)
		return false;
	*first = (io->sector + part) >> c->bits;
	end >>= c->bits;
	*last = end - 1 < BLOCK_MASK ? end - 1 : BLOCK_MASK;
	return *first < end && *first <= BLOCK_MASK;
}

int cache_add(struct cache *c, const struct cache_io *io)
{
	uint64_t first, last;
	int err = 0;

	if (UNLIKELY(io->op == CACHE_DISCARD)) {
		if (find_covered(c, io, &first, &last))
			err = discard_blocks(c, io, first, last);
	} else if (LIKELY(find_touched(c, io, &first, &last))) {
		err = access_blocks(c, io, first, last);
	}
	return err ? -ENOMEM : 0;
}

/* --- results -------------------------------------------------------------- */

unsigned int cache_block_bits(const struct cache *c)
{
	return c->bits + SECTOR_BITS;
}

void cache_facts(const struct cache *c, struct cache_facts *f)
{
	unsigned int bits = cache_block_bits(c);

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
	if (!s->fifo)
		return false;
	*p = curve_at(&s->curves[curve], c->accesses[curve], 1,
		      1ull << fifo_shift(s->fifo));
	return true;
}

const struct blocks *cache_blocks(const struct cache *c)
{
	return c->blocks;
}

const struct touched *cache_touched(const struct cache *c)
{
	return c->touched;
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
	touched_free(c->touched);
	free(c);
}
