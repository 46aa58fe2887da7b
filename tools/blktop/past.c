/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that came last; see past.h.
 *
 * A block has entries one behind the other: an event as it is in memory, and
 * its payload, up to the next multiple of 8.  An event of version 0, which
 * there is none of, is a gap.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "record/record.h"
#include "tools/blktop/past.h"

enum { ALIGN = 8 };

struct block {
	size_t len;
	uint8_t bytes[PAST_BLOCK] __attribute__((aligned(ALIGN)));
};

struct past {
	unsigned int size;	/* most blocks */
	unsigned int oldest, count;	/* of those that are in use */
	bool dropped;
	struct block *now;	/* the newest; NULL: none is in use */
	struct block *blocks[];	/* NULL where none was needed yet */
};

_Static_assert(sizeof(struct event) % ALIGN == 0, "entries are aligned");
_Static_assert(PAST_BLOCK > sizeof(struct event) + UINT16_MAX + ALIGN,
	       "any event fits in a block");

struct past *past_new(unsigned int blocks)
{
	struct past *r = calloc(1, sizeof(*r) +
				  blocks * sizeof(*r->blocks));

	if (r)
		r->size = blocks;
	return r;
}

void past_free(struct past *r)
{
	if (!r)
		return;
	for (unsigned int i = 0; i < r->size; i++)
		free(r->blocks[i]);
	free(r);
}

void past_clear(struct past *r)
{
	r->count = 0;
	r->now = NULL;
	r->dropped = false;
}

static size_t entry_size(size_t payload)
{
	return (sizeof(struct event) + payload + ALIGN - 1) &
	       ~(size_t)(ALIGN - 1);
}

/* The next block is the newest, empty; NULL: no memory. */
static COLD struct block *next_block(struct past *r)
{
	unsigned int i;

	if (r->count == r->size) {
		r->oldest = (r->oldest + 1) % r->size;
		r->count--;
		r->dropped = true;
	}
	i = (r->oldest + r->count) % r->size;
	if (!r->blocks[i])
		r->blocks[i] = malloc(sizeof(*r->blocks[i]));
	if (!r->blocks[i]) {
		past_clear(r);
		r->dropped = true;
		return NULL;
	}
	r->count++;
	r->now = r->blocks[i];
	r->now->len = 0;
	return r->now;
}

void past_add(struct past *r, const struct event *ev)
{
	size_t size = entry_size(ev->pdu_len);
	struct block *b = r->now;
	uint8_t *to;

	if (UNLIKELY(!b || PAST_BLOCK - b->len < size)) {
		b = next_block(r);
		if (!b)
			return;
	}
	to = b->bytes + b->len;
	memcpy(to, ev, sizeof(*ev));
	if (ev->pdu_len)
		memcpy(to + sizeof(*ev), ev->payload, ev->pdu_len);
	((struct event *)(void *)to)->payload = to + sizeof(*ev);
	b->len += size;
}

void past_gap(struct past *r, uint16_t origin, uint32_t device,
		bool begins)
{
	const struct event gap = { .origin = origin, .device = device,
				   .bytes = begins };

	past_add(r, &gap);
}

static const struct block *get_block(const struct past *r, unsigned int i)
{
	return i < r->count ? r->blocks[(r->oldest + i) % r->size] : NULL;
}

const struct event *past_next(const struct past *r, struct past_place *p,
				bool *gap)
{
	const struct block *b = get_block(r, p->block);
	const struct event *ev;

	if (b && p->at == b->len && get_block(r, p->block + 1)) {
		*p = (struct past_place){ .block = p->block + 1 };
		b = get_block(r, p->block);
	}
	if (!b || p->at == b->len)
		return NULL;
	ev = (const struct event *)(const void *)(b->bytes + p->at);
	p->at += entry_size(ev->pdu_len);
	*gap = !ev->version;
	return ev;
}

uint64_t past_from(const struct past *r)
{
	struct past_place p = { .block = 0 };
	const struct event *ev;
	bool gap;

	while ((ev = past_next(r, &p, &gap)))
		if (!gap)
			return ev->time;
	return UINT64_MAX;
}

bool past_dropped(const struct past *r)
{
	return r->dropped;
}
