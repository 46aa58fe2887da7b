/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes in blocks; see chain.h. */
#include "emit/parquet/chain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

void chain_pool_free(struct chain_pool *p)
{
	while (p->unused) {
		struct chain_block *next = p->unused->next;

		free(p->unused);
		p->unused = next;
	}
}

/* Longer pieces than a usual block holds have one of their own. */
static struct chain_block *block_get(struct chain_pool *p, size_t need)
{
	size_t size = need > CHAIN_BYTES ? need : CHAIN_BYTES;
	struct chain_block *b = p->unused;

	if (b && need <= CHAIN_BYTES) {
		p->unused = b->next;
	} else {
		b = malloc(sizeof(*b) + size);
		if (!b)
			return NULL;
		b->size = (uint32_t)size;
	}
	b->next = NULL;
	b->len = 0;
	p->used += sizeof(*b) + size;
	return b;
}

static void block_put(struct chain_pool *p, struct chain_block *b)
{
	p->used -= sizeof(*b) + b->size;
	if (b->size > CHAIN_BYTES) {
		free(b);
		return;
	}
	b->next = p->unused;
	p->unused = b;
}

uint8_t *chain_make_room(struct chain *c, size_t need)
{
	struct chain_block *b = block_get(c->pool, need);

	if (!b)
		return NULL;
	if (c->last)
		c->last->next = b;
	else
		c->first = b;
	c->last = b;
	return b->bytes;
}

int chain_append(struct chain *c, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;

	while (len) {
		uint8_t *to = chain_room(c, 1);
		size_t n;

		if (!to)
			return -ENOMEM;
		n = c->last->size - c->last->len;
		n = len < n ? len : n;
		memcpy(to, from, n);
		chain_commit(c, to + n);
		from += n;
		len -= n;
	}
	return 0;
}

void chain_join(struct chain *c, struct chain *from)
{
	if (!from->first)
		return;
	if (c->last)
		c->last->next = from->first;
	else
		c->first = from->first;
	c->last = from->last;
	c->len += from->len;
	from->first = from->last = NULL;
	from->len = 0;
}

/* Gives the first block back. */
static void drop_first(struct chain *c)
{
	struct chain_block *b = c->first;

	c->first = b->next;
	if (!c->first)
		c->last = NULL;
	c->len -= b->len;
	block_put(c->pool, b);
}

int chain_move(struct chain *c, struct chain *from)
{
	while (from->first) {
		if (chain_append(c, from->first->bytes, from->first->len))
			return -ENOMEM;
		drop_first(from);
	}
	return 0;
}

void chain_clear(struct chain *c)
{
	while (c->first)
		drop_first(c);
}

void chain_write(struct chain *c, struct buf *b)
{
	while (c->first) {
		buf_append(b, c->first->bytes, c->first->len);
		drop_first(c);
	}
}
