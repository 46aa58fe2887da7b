/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The LRU stack of blocks; see stack.h.
 *
 * A hash table has each followed block's ticket (cache/tickets.h).  When
 * tickets run out they are numbered anew.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/hint.h"
#include "cache/tickets.h"
#include "cache/stack.h"

enum {
	GONE = TICKET_LAST + 1,	/* of a block that was discarded */
	LONGEST_BITS = TICKET_BITS + 1,
	CLEAN = (1 << LONGEST_BITS) - 1,	/* never written, or discarded */
	FIRST = 4096,		/* entries */
	SMALL = 1 << 19,
	SHIFT_MAX = 40
};

_Static_assert(STACK_MAX < TICKETS / 2, "tickets suffice for a while");
_Static_assert(SAMPLE_BLOCK_BITS + TICKET_BITS == 64, "both are a key");

/* of a followed block, beside its key: its number and ticket */
struct fact {
	/* the longest distance since it was written, or CLEAN */
	uint32_t longest : LONGEST_BITS, read : 1, written : 1;
	uint32_t round : 1;	/* in which it was put in its place */
};

/* open addressing, linear probing: a key is 0 where no entry is (no ticket is) */
struct stack {
	uint64_t *keys;
	struct fact *facts;
	uint32_t capacity, count, most;
	uint32_t limit;		/* of the count, at which there are more places */
	uint32_t sampled;	/* the most, once there were too many */
	unsigned int shift;	/* one of 2^shift blocks is followed */
	unsigned int round;	/* 0 or 1: of the last rehash */
	uint64_t seed;
	struct tickets tickets;
};

/* --- keys ----------------------------------------------------------------- */

static inline uint64_t block_of(uint64_t key)
{
	return key >> TICKET_BITS;
}

static inline uint32_t ticket_of(uint64_t key)
{
	return key & (TICKETS - 1);
}

static inline uint64_t key_of(uint64_t block, uint32_t ticket)
{
	return block << TICKET_BITS | ticket;
}

/* Different in each run: the seed is odd, and hashes of two blocks differ. */
static inline uint32_t home_of(const struct stack *s, uint64_t hash)
{
	return (uint32_t)((hash * s->seed >> 32) * s->capacity >> 32);
}

static inline uint32_t next_place(const struct stack *s, uint32_t i)
{
	return UNLIKELY(i + 1 == s->capacity) ? 0 : i + 1;
}

/* the place of the block's entry, or where it belongs */
static inline uint32_t find(const struct stack *s, struct sampled b)
{
	uint32_t i = home_of(s, b.hash);

	while (s->keys[i] && block_of(s->keys[i]) != b.block)
		i = next_place(s, i);
	return i;
}

static APART void number_anew(struct stack *s)
{
	tickets_pack(&s->tickets);
	for (uint32_t i = 0; i < s->capacity; i++) {
		uint32_t at = ticket_of(s->keys[i]);

		if (s->keys[i] && at != GONE)
			s->keys[i] = key_of(block_of(s->keys[i]),
				tickets_packed(&s->tickets, at));
	}
	tickets_pack_end(&s->tickets);
}

/* --- entries -------------------------------------------------------------- */

/* The first place from a block's home that has not been filled anew. */
static uint32_t place_of(const struct stack *s, uint64_t key)
{
	uint32_t i = home_of(s, sample_hash(block_of(key)));

	while (s->keys[i] && s->facts[i].round == s->round)
		i = next_place(s, i);
	return i;
}

/* Puts an entry where it belongs, and what was there where that belongs. */
static void put_anew(struct stack *s, uint64_t key, struct fact fact)
{
	while (key) {
		uint32_t to = place_of(s, key);
		uint64_t other_key = s->keys[to];
		struct fact other = s->facts[to];

		fact.round = s->round & 1;
		s->keys[to] = key;
		s->facts[to] = fact;
		key = other_key;
		fact = other;
	}
}

/* Puts all entries in their places, where they are. */
static void rehash(struct stack *s)
{
	s->round = !s->round;
	for (uint32_t i = 0; i < s->capacity; i++) {
		uint64_t key = s->keys[i];

		if (!key || s->facts[i].round == s->round)
			continue;
		s->keys[i] = 0;
		put_anew(s, key, s->facts[i]);
	}
}

/* places for the most entries, of which one in six stays free */
static uint32_t full_capacity(const struct stack *s)
{
	return s->most + s->most / 5 + 2;
}

/* The most entries that these places have, unless they are all: half of them is
 * little to search. */
static uint32_t limit_of(const struct stack *s, uint32_t capacity)
{
	return capacity == full_capacity(s) ? UINT32_MAX :
	       capacity < SMALL ? capacity / 2 : capacity - capacity / 4;
}

/* Puts entries into new, empty places. */
static void refill(struct stack *s, const uint64_t *keys,
		   const struct fact *facts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t to;

		if (!keys[i])
			continue;
		to = home_of(s, sample_hash(block_of(keys[i])));
		while (s->keys[to])
			to = next_place(s, to);
		s->keys[to] = keys[i];
		s->facts[to] = facts[i];
		s->facts[to].round = s->round & 1;
	}
}

/* While both are small, into new places: that takes half of the time. */
static int move_entries(struct stack *s, uint32_t capacity)
{
	uint64_t *from = s->keys, *keys = calloc(capacity, sizeof(*keys));
	struct fact *had = s->facts, *facts = malloc(capacity * sizeof(*facts));
	uint32_t count = s->capacity;

	if (!keys || !facts) {
		free(keys);
		free(facts);
		return -ENOMEM;
	}
	s->keys = keys;
	s->facts = facts;
	s->capacity = capacity;
	refill(s, from, had, count);
	free(from);
	free(had);
	return 0;
}

static int resize(struct stack *s, uint32_t capacity)
{
	struct fact *facts = realloc(s->facts, capacity * sizeof(*facts));
	uint64_t *keys;

	if (!facts)
		return -ENOMEM;
	s->facts = facts;
	keys = realloc(s->keys, capacity * sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	s->keys = keys;
	return 0;
}

static int stretch(struct stack *s, uint32_t capacity)
{
	if (resize(s, capacity))
		return -ENOMEM;
	memset(s->keys + s->capacity, 0,
	       (capacity - s->capacity) * sizeof(*s->keys));
	s->capacity = capacity;
	rehash(s);
	return 0;
}

static APART int grow(struct stack *s)
{
	uint32_t full = full_capacity(s);
	uint32_t capacity = s->capacity ? 2 * s->capacity : FIRST;
	int err;

	if (capacity > SMALL || capacity > full)
		capacity = full;
	err = capacity > SMALL ? stretch(s, capacity) :
				 move_entries(s, capacity);
	if (!err)
		s->limit = limit_of(s, capacity);
	return err;
}

/* Whether an entry is still followed; if not, tickets are to be numbered anew. */
static bool keep_entry(struct stack *s, uint32_t i, unsigned int more)
{
	uint32_t at = ticket_of(s->keys[i]);

	if (!s->keys[i])
		return false;
	if (sample_has(sample_hash(block_of(s->keys[i])), s->shift)) {
		if (s->facts[i].longest != CLEAN)
			s->facts[i].longest >>= more;
		return true;
	}
	if (at != GONE)
		tickets_forget(&s->tickets, at);
	return false;
}

/* Forgets blocks until one of 2^shift is followed; entries then stand together at
 * the beginning. */
static void forget(struct stack *s, unsigned int more)
{
	uint32_t kept = 0;

	s->shift += more;
	for (uint32_t i = 0; i < s->capacity; i++)
		if (keep_entry(s, i, more)) {
			s->keys[kept] = s->keys[i];
			s->facts[kept++] = s->facts[i];
		}
	s->count = s->capacity = kept;
	tickets_forget_holes(&s->tickets, more);
}

/* how many more bits forget enough, if blocks are chosen evenly */
static unsigned int more_bits(const struct stack *s)
{
	unsigned int more = 1;

	while (s->count >> more > s->sampled - s->sampled / 4)
		more++;
	return more;
}

/* Follows a sample from now on, or a smaller one; -ENOMEM. */
static APART int halve(struct stack *s)
{
	unsigned int more = more_bits(s);

	do {
		forget(s, more);
		more = 1;
	} while (s->count >= s->sampled && s->shift < SHIFT_MAX);
	s->most = s->sampled;
	/* to give memory back before more is needed; never 0 */
	if (resize(s, s->count + 1) || move_entries(s, 2 * s->most))
		return -ENOMEM;
	s->limit = UINT32_MAX;
	number_anew(s);
	return 0;
}

/* --- accesses ------------------------------------------------------------- */

int stack_new(struct stack **out, uint32_t most, uint32_t sampled)
{
	struct stack *s = calloc(1, sizeof(*s));

	*out = NULL;
	if (!s)
		return -ENOMEM;
	s->most = most;
	s->sampled = sampled;
	s->seed = hash_seed() | 1;
	if (tickets_init(&s->tickets) || grow(s)) {
		stack_free(s);
		return -ENOMEM;
	}
	*out = s;
	return 0;
}

int stack_copy(struct stack **out, const struct stack *from)
{
	struct stack *s = malloc(sizeof(*s));

	*out = NULL;
	if (!s)
		return -ENOMEM;
	*s = *from;
	s->keys = array_copy(from->keys, s->capacity, sizeof(*s->keys));
	s->facts = array_copy(from->facts, s->capacity, sizeof(*s->facts));
	if (tickets_copy(&s->tickets, &from->tickets) || !s->keys ||
	    !s->facts) {
		stack_free(s);
		return -ENOMEM;
	}
	*out = s;
	return 0;
}

/* A block that was accessed before, and not discarded since; its ticket. */
static uint32_t meet(struct stack *s, uint32_t i, bool write,
		     struct stack_access *a)
{
	uint32_t at = ticket_of(s->keys[i]);
	uint32_t distance = tickets_depth(&s->tickets, at);
	struct fact *f = &s->facts[i];

	a->known = true;
	a->distance = (uint64_t)distance << s->shift;
	if (f->longest != CLEAN && distance > f->longest)
		f->longest = distance & CLEAN;
	a->dirty = write && f->longest != CLEAN;
	if (a->dirty)
		a->longest = (uint64_t)f->longest << s->shift;
	return tickets_move(&s->tickets, at);
}

/* A new block, or one that was discarded; its ticket. */
static uint32_t begin(struct stack *s, uint32_t i)
{
	if (LIKELY(!s->keys[i])) {
		s->facts[i] = (struct fact){ .longest = CLEAN,
					     .round = s->round & 1 };
		s->count++;
	}
	return tickets_take(&s->tickets);
}

/* Room for one more block, and one more ticket; -ENOMEM. */
static inline int make_room(struct stack *s)
{
	if (UNLIKELY(s->count >= s->most) && halve(s))
		return -ENOMEM;
	if (UNLIKELY(s->count >= s->limit) && grow(s))
		return -ENOMEM;
	if (UNLIKELY(!tickets_left(&s->tickets)))
		number_anew(s);
	return 0;
}

int stack_access(struct stack *s, struct sampled b, bool write,
		 struct stack_access *a)
{
	struct fact *f;
	uint32_t i, at;

	if (LIKELY(!sample_has(b.hash, s->shift)))
		return 0;
	if (make_room(s))
		return -ENOMEM;
	if (UNLIKELY(!sample_has(b.hash, s->shift)))
		return 0;
	*a = (struct stack_access){ .sample = sample_of(b.hash, s->shift) };
	i = find(s, b);
	at = s->keys[i] && LIKELY(ticket_of(s->keys[i]) != GONE) ?
	     meet(s, i, write, a) : begin(s, i);
	s->keys[i] = key_of(b.block, at);
	f = &s->facts[i];
	a->fresh = write ? !f->written : !f->read;
	f->read |= !write;
	f->written |= write;
	if (write)
		f->longest = 0;
	return 1;
}

/* --- discards ------------------------------------------------------------- */

/* Discards the block of a place: 1 and *a; 0: no block is there that was accessed since
 * it was discarded; -ENOMEM. */
static int discard(struct stack *s, uint32_t i, struct stack_access *a)
{
	uint64_t key = s->keys[i];
	uint32_t at = ticket_of(key), distance;

	if (!key || at == GONE)
		return 0;
	*a = (struct stack_access){
		.sample = sample_of(sample_hash(block_of(key)), s->shift),
		.dirty = s->facts[i].longest != CLEAN,
	};
	if (a->dirty) {
		distance = tickets_depth(&s->tickets, at);
		if (distance < s->facts[i].longest)
			distance = s->facts[i].longest;
		a->longest = (uint64_t)distance << s->shift;
	}
	s->facts[i].longest = CLEAN;
	s->keys[i] = key_of(block_of(key), GONE);
	return tickets_discard(&s->tickets, at) ? -ENOMEM : 1;
}

/* the place of a range's next block, or one that may have it */
static bool next_in_range(const struct stack *s, struct sample_range *r,
			  uint32_t *place)
{
	/* the shorter way */
	bool all = r->last - r->first >= s->capacity;
	uint64_t end = all ? s->capacity : r->last - r->first + 1;

	while (r->done < end) {
		uint64_t at = r->done++;
		struct sampled b;

		if (all) {
			*place = (uint32_t)at;
			if (sample_in_range(r, block_of(s->keys[at])))
				return true;
			continue;
		}
		b = sampled_of((r->first + at) ^ r->salt);
		if (!sample_has(b.hash, s->shift))
			continue;
		*place = find(s, b);
		return true;
	}
	return false;
}

int stack_discard(struct stack *s, struct sample_range *r,
		  struct stack_access *a)
{
	uint32_t place;
	int got;

	while (next_in_range(s, r, &place)) {
		got = discard(s, place, a);
		if (got)
			return got;
	}
	return 0;
}

/* --- results -------------------------------------------------------------- */

uint64_t stack_blocks(const struct stack *s)
{
	return (uint64_t)s->count << s->shift;
}

uint64_t stack_share(const struct stack *s)
{
	return 1ull << s->shift;
}

void stack_free(struct stack *s)
{
	if (!s)
		return;
	free(s->keys);
	free(s->facts);
	tickets_free(&s->tickets);
	free(s);
}
