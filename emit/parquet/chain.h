/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes of any length in blocks, which many chains share: what one gives back
 * is another's next, and the pool knows how much all of them hold.
 *
 * A block that is full is never copied to make room, so that neither time nor
 * memory goes beyond what is kept.
 */
#ifndef EMIT_PARQUET_CHAIN_H
#define EMIT_PARQUET_CHAIN_H

#include <stddef.h>
#include <stdint.h>

struct buf;			/* base/buf.h */

enum { CHAIN_BYTES = 4064 };	/* of a block; with its head near 4 KiB */

struct chain_block {
	struct chain_block *next;
	uint32_t len, size;	/* bytes in use, and room */
	uint8_t bytes[];
};

/* all zero is an empty one */
struct chain_pool {
	struct chain_block *unused;
	size_t used;		/* bytes of the blocks in chains; a user may
				 * add what it keeps beside them */
};

/* nothing but pool set is an empty one */
struct chain {
	struct chain_pool *pool;
	struct chain_block *first, *last;	/* NULL: empty */
	size_t len;		/* bytes in all */
};

/* frees the blocks that no chain has */
void chain_pool_free(struct chain_pool *p);

/* as many usual blocks of from, old or new, become unused ones of to; less if
 * there is no memory */
void chain_pool_lend(struct chain_pool *to, struct chain_pool *from,
		     unsigned int count);

/* all unused blocks of from become those of to */
void chain_pool_join(struct chain_pool *to, struct chain_pool *from);

/* what used grows by for len bytes, at most, whatever the chain's last block
 * has room for */
size_t chain_cost(size_t len);

/* slow path of chain_room() */
uint8_t *chain_make_room(struct chain *c, size_t need);

/*
 * Room for need bytes, less than 4 GiB, in one piece, good until the next call
 * on c; what is written there counts with chain_commit().  NULL: no memory.
 * What a chain holds stays where it is.
 */
static inline uint8_t *chain_room(struct chain *c, size_t need)
{
	struct chain_block *b = c->last;

	if (b && b->size - b->len >= need)
		return b->bytes + b->len;
	return chain_make_room(c, need);
}

/* what was written ends at end, a place inside the last chain_room() */
static inline void chain_commit(struct chain *c, const uint8_t *end)
{
	uint32_t len = (uint32_t)(end - c->last->bytes);

	c->len += len - c->last->len;
	c->last->len = len;
}

/* bytes at the end, in as many blocks as it takes; 0, or -ENOMEM */
int chain_append(struct chain *c, const void *bytes, size_t len);

/* the blocks of from, of the same pool, become the end of c; from is empty */
void chain_join(struct chain *c, struct chain *from);

/*
 * As chain_join(), but bytes are copied, so that no block of c is left half
 * full.  0; or -ENOMEM: from has what could not be moved.
 */
int chain_move(struct chain *c, struct chain *from);

/* gives the first block of a chain that is not empty back to the pool */
void chain_drop_first(struct chain *c);

/* gives the blocks back to the pool */
void chain_clear(struct chain *c);

/* Another pool becomes the one of c and its blocks. */
void chain_change_pool(struct chain *c, struct chain_pool *to);

/* all bytes to b, which keeps the error of writing; c is empty then */
void chain_write(struct chain *c, struct buf *b);

#endif
