/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order in which blocks were accessed last: each access gets the next ticket,
 * which its block keeps until the next access, and the depth of a block is the number
 * of tickets in use after its.
 *
 * What is discarded leaves a hole, which stays in use: caches that had it have room
 * for another block.  The latest hole is filled by the next block that is accessed and
 * was not after it: caches with room for the hole, but not for that block, need not
 * evict any.  If the block had a place before, the hole is there from then on, as
 * caches that had it still have room.  So a depth never becomes less.
 */
#ifndef CACHE_TICKETS_H
#define CACHE_TICKETS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	TICKET_BITS = 21,
	TICKETS = 1 << TICKET_BITS,
	TICKET_FIRST = 1,	/* 0 is none */
	TICKET_LAST = TICKETS - 2	/* and so is the highest number */
};

/* all-zero but for what tickets_init() makes; 0.4 MiB, 0.7 with holes */
struct tickets {
	uint32_t next;
	uint32_t count;		/* in use, with holes */
	uint32_t hole_count;
	uint64_t *used;		/* bits of tickets */
	uint32_t *sums;		/* of words, from 1: a Fenwick tree */
	/* bits of tickets, and of words with any; NULL before the first one */
	uint64_t *holes, *hole_words;
};

/* 0 or -ENOMEM */
int tickets_init(struct tickets *p);

/* to: whatever; 0 or -ENOMEM */
int tickets_copy(struct tickets *to, const struct tickets *from);

void tickets_free(struct tickets *p);

/* whether there is another one before tickets_pack() */
static inline bool tickets_left(const struct tickets *p)
{
	return p->next <= TICKET_LAST;
}

/* the next ticket, for a block that had none */
uint32_t tickets_take(struct tickets *p);

/* the same for a block that had this one */
uint32_t tickets_move(struct tickets *p, uint32_t at);

/* tickets in use after one */
uint32_t tickets_depth(const struct tickets *p, uint32_t at);

/* makes a hole of one; 0 or -ENOMEM */
int tickets_discard(struct tickets *p, uint32_t at);

/* Takes one out as if it had never been; others may be used only after
 * tickets_pack(). */
void tickets_forget(struct tickets *p, uint32_t at);

/* The same of all holes but one of 2^bits. */
void tickets_forget_holes(struct tickets *p, unsigned int bits);

/*
 * Numbers those in use anew, from the first on in the same order: after
 * tickets_pack(), tickets_packed() says which one each is now, until
 * tickets_pack_end().
 */
void tickets_pack(struct tickets *p);
uint32_t tickets_packed(const struct tickets *p, uint32_t at);
void tickets_pack_end(struct tickets *p);

#endif
