/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes of any length in blocks of a pool, which counts and reuses them.
 *
 * Full blocks are never copied to make room.
 */
#ifndef EMIT_PARQUET_CHAIN_H
#define EMIT_PARQUET_CHAIN_H

#include <stddef.h>
#include <stdint.h>

struct buf;			/* base/buf.h */

enum { CHAIN_BYTES = 4064 };	/* of a block; with its head almost 4 KiB */

struct chain_block {
	struct chain_block *next;
	uint32_t len, size;	/* bytes in use, and room */
	uint8_t bytes[];
};

/* empty if all zero */
struct chain_pool {
	struct chain_block *unused;
	size_t used;		/* bytes of the blocks in chains; a user may
				 * add other memory */
};

/* empty if only pool is set */
struct chain {
	struct chain_pool *pool;
	struct chain_block *first, *last;	/* NULL: empty */
	size_t len;		/* bytes in all */
};

/* frees the unused blocks */
void chain_pool_free(struct chain_pool *p);

/* moves count blocks of CHAIN_BYTES, unused or new, from one pool to another;
 * fewer without memory */
void chain_pool_lend(struct chain_pool *to, struct chain_pool *from,
		     unsigned int count);

/* moves all unused blocks to another pool */
void chain_pool_join(struct chain_pool *to, struct chain_pool *from);

/* the most that used grows by for len bytes */
size_t chain_cost(size_t len);

/* slow path of chain_room() */
uint8_t *chain_make_room(struct chain *c, size_t need);

/*
 * Contiguous room for need bytes (below 4 GiB) until the next call on c;
 * chain_commit() adds them.  NULL: no memory.  Bytes in a chain do not move.
 */
static inline uint8_t *chain_room(struct chain *c, size_t need)
{
	struct chain_block *b = c->last;

	if (b && b->size - b->len >= need)
		return b->bytes + b->len;
	return chain_make_room(c, need);
}

/* adds the bytes up to end, which is in the last chain_room() */
static inline void chain_commit(struct chain *c, const uint8_t *end)
{
	uint32_t len = (uint32_t)(end - c->last->bytes);

	c->len += len - c->last->len;
	c->last->len = len;
}

/* 0 or -ENOMEM */
int chain_append(struct chain *c, const void *bytes, size_t len);

/* appends the blocks of from, of the same pool, and empties it */
void chain_join(struct chain *c, struct chain *from);

/*
 * As chain_join(), but copies bytes to fill the blocks of c.  0, or -ENOMEM:
 * from has the bytes not moved.
 */
int chain_move(struct chain *c, struct chain *from);

/* returns the first block of a chain that is not empty to the pool */
void chain_drop_first(struct chain *c);

/* returns all blocks to the pool */
void chain_clear(struct chain *c);

/* moves c and its blocks to another pool */
void chain_change_pool(struct chain *c, struct chain_pool *to);

/* writes all bytes to b, which stores write errors, and empties c */
void chain_write(struct chain *c, struct buf *b);

#endif
