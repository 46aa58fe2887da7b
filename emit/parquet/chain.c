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

void chain_pool_join(struct chain_pool *to, struct chain_pool *from)
{
	struct chain_block **end = &from->unused;

	while (*end)
		end = &(*end)->next;
	*end = to->unused;
	to->unused = from->unused;
	from->unused = NULL;
}

static size_t cost_of(const struct chain_block *b)
{
	return sizeof(*b) + b->size;
}

size_t chain_cost(size_t len)
{
	return (len / CHAIN_BYTES + 1) *
		(sizeof(struct chain_block) + CHAIN_BYTES);
}

/* Bytes that exceed a usual block have a separate one. */
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
	p->used += cost_of(b);
	return b;
}

static void block_put(struct chain_pool *p, struct chain_block *b)
{
	p->used -= cost_of(b);
	if (b->size > CHAIN_BYTES) {
		free(b);
		return;
	}
	b->next = p->unused;
	p->unused = b;
}

void chain_pool_lend(struct chain_pool *to, struct chain_pool *from,
		     unsigned int count)
{
	while (count--) {
		struct chain_block *b = block_get(from, CHAIN_BYTES);

		if (!b)
			return;
		from->used -= cost_of(b);
		b->next = to->unused;
		to->unused = b;
	}
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

void chain_drop_first(struct chain *c)
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
		chain_drop_first(from);
	}
	return 0;
}

void chain_clear(struct chain *c)
{
	while (c->first)
		chain_drop_first(c);
}

void chain_change_pool(struct chain *c, struct chain_pool *to)
{
	for (const struct chain_block *b = c->first; b; b = b->next) {
		c->pool->used -= cost_of(b);
		to->used += cost_of(b);
	}
	c->pool = to;
}

void chain_write(struct chain *c, struct buf *b)
{
	while (c->first) {
		buf_append(b, c->first->bytes, c->first->len);
		chain_drop_first(c);
	}
}
