/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The LRU stack of blocks; see stack.h.
 *
 * Each access gets the next position, which the block keeps until it is accessed
 * again: the distance is the number of positions in use behind it.  Bits say
 * which are in use, and a Fenwick tree sums those of each word that is full.  When
 * positions run out they are numbered anew.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hint.h"
#include "cache/stack.h"

enum {
	POSITION_BITS = 21,
	POSITIONS = 1 << POSITION_BITS,
	WORDS = POSITIONS / 64,
	HIGH_BITS = SAMPLE_BLOCK_BITS - 32,
	CLEAN = (1 << (POSITION_BITS + 1)) - 1,	/* never written */
	FIRST = 4096,		/* entries */
	SMALL = 1 << 19,
	SHIFT_MAX = 40
};

_Static_assert(STACK_MAX < POSITIONS / 2, "positions suffice for a while");

/* of a followed block: open addressing, linear probing */
struct entry {
	uint32_t low;		/* of the block's number */
	uint32_t at : POSITION_BITS, high : HIGH_BITS;
	/* the longest distance since it was written, or CLEAN */
	uint32_t longest : POSITION_BITS + 1, read : 1, used : 1;
	uint32_t round : 1;	/* in which it was put in its place */
};

struct stack {
	struct entry *entries;
	uint32_t capacity, count, most;
	uint32_t limit;		/* of the count, at which there are more places */
	unsigned int shift;	/* one of 2^shift blocks is followed */
	uint32_t next;		/* position */
	unsigned int round;	/* 0 or 1: of the last rehash */
	uint64_t seed;
	uint64_t *used;		/* bits of positions */
	uint32_t *sums;		/* of words, from 1 */
};

/* --- hashes --------------------------------------------------------------- */

static inline uint64_t block_of(const struct entry *e)
{
	return (uint64_t)e->high << 32 | e->low;
}

/* Another one than that of the choice, and different in each run. */
static inline uint32_t home_of(const struct stack *s, uint64_t block)
{
	uint64_t hash = hash_mix(s->seed, block) * s->seed;

	return (uint32_t)((hash >> 32) * s->capacity >> 32);
}

/* --- positions ------------------------------------------------------------ */

static void sum_add(struct stack *s, uint32_t word, uint32_t n)
{
	for (uint32_t i = word + 1; i <= WORDS; i += i & -i)
		s->sums[i] += n;
}

/* positions in use up to and with one */
static uint32_t rank_of(const struct stack *s, uint32_t at)
{
	uint32_t word = at / 64;
	uint32_t sum = (uint32_t)__builtin_popcountll(s->used[word] <<
						      (63 - at % 64));

	for (uint32_t i = word; i; i -= i & -i)
		sum += s->sums[i];
	return sum;
}

/* the next position; its word joins the tree when it is full */
static inline uint32_t position_take(struct stack *s)
{
	uint32_t at = s->next++, word = at / 64;

	s->used[word] |= 1ull << at % 64;
	if (UNLIKELY(at % 64 == 63))
		sum_add(s, word, (uint32_t)
			__builtin_popcountll(s->used[word]));
	return at;
}

static inline void position_leave(struct stack *s, uint32_t at)
{
	s->used[at / 64] &= ~(1ull << at % 64);
	if (LIKELY(at / 64 < s->next / 64))
		sum_add(s, at / 64, -1u);
}

/* the tree of words whose numbers are in it */
static void build_tree(uint32_t *sums)
{
	for (uint32_t i = 1; i <= WORDS; i++) {
		uint32_t above = i + (i & -i);

		if (above <= WORDS)
			sums[above] += sums[i];
	}
}

/* in word i + 1, positions in use in word i */
static void count_words(struct stack *s)
{
	s->sums[0] = 0;
	for (uint32_t i = 0; i < WORDS; i++)
		s->sums[i + 1] = (uint32_t)__builtin_popcountll(s->used[i]);
}

/* Those in use become the first ones, in the same order. */
static APART void number_anew(struct stack *s)
{
	count_words(s);
	for (uint32_t i = 1; i <= WORDS; i++)
		s->sums[i] += s->sums[i - 1];
	for (uint32_t i = 0; i < s->capacity; i++) {
		struct entry *e = &s->entries[i];
		uint64_t below = (1ull << e->at % 64) - 1;

		if (e->used)
			e->at = s->sums[e->at / 64] + (uint32_t)
				__builtin_popcountll(s->used[e->at / 64] &
						     below);
	}
	s->next = s->count;
	memset(s->used, 0, WORDS * sizeof(*s->used));
	memset(s->used, 0xff, s->next / 64 * sizeof(*s->used));
	if (s->next % 64)
		s->used[s->next / 64] = (1ull << s->next % 64) - 1;
	count_words(s);
	s->sums[s->next / 64 + 1] = 0;
	build_tree(s->sums);
}

/* --- entries -------------------------------------------------------------- */

/* the block's entry, or where it belongs */
static inline struct entry *find(const struct stack *s, uint64_t block)
{
	uint32_t i = home_of(s, block);

	while (s->entries[i].used && block_of(&s->entries[i]) != block)
		i = i + 1 == s->capacity ? 0 : i + 1;
	return &s->entries[i];
}

/* The first place from a block's home that has not been filled anew. */
static uint32_t place_of(const struct stack *s, const struct entry *e)
{
	uint32_t i = home_of(s, block_of(e));

	while (s->entries[i].used && s->entries[i].round == s->round)
		i = i + 1 == s->capacity ? 0 : i + 1;
	return i;
}

/* Puts all entries in their places, where they are. */
static void rehash(struct stack *s)
{
	s->round = !s->round;
	for (uint32_t i = 0; i < s->capacity; i++) {
		struct entry e = s->entries[i], other;

		if (!e.used || e.round == s->round)
			continue;
		s->entries[i].used = 0;
		do {
			uint32_t to = place_of(s, &e);

			other = s->entries[to];
			e.round = s->round & 1;
			s->entries[to] = e;
			e = other;
		} while (e.used);
	}
}

/* places for the most entries, of which one in six stays free */
static uint32_t full_capacity(const struct stack *s)
{
	return s->most + s->most / 5 + 2;
}

/* Puts entries into new, empty places. */
static void refill(struct stack *s, const struct entry *from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (from[i].used)
			*find(s, block_of(&from[i])) = from[i];
}

/* As long as both are small, into new places: that takes half of the time. */
static int move_entries(struct stack *s, uint32_t capacity)
{
	struct entry *from = s->entries;
	uint32_t count = s->capacity;

	s->entries = calloc(capacity, sizeof(*from));
	if (!s->entries) {
		s->entries = from;
		return -ENOMEM;
	}
	s->capacity = capacity;
	refill(s, from, count);
	free(from);
	return 0;
}

static int stretch(struct stack *s, uint32_t capacity)
{
	struct entry *list = realloc(s->entries, capacity * sizeof(*list));

	if (!list)
		return -ENOMEM;
	memset(list + s->capacity, 0,
	       (capacity - s->capacity) * sizeof(*list));
	s->entries = list;
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
		s->limit = capacity == full ? UINT32_MAX :
					      capacity - capacity / 4;
	return err;
}

/* Forgets a block that is not followed any more; the tree is made anew. */
static void drop_half(struct stack *s, struct entry *e)
{
	if (e->longest != CLEAN)
		e->longest /= 2;
	if (sample_has(sample_hash(block_of(e)), s->shift))
		return;
	s->used[e->at / 64] &= ~(1ull << e->at % 64);
	e->used = 0;
	s->count--;
}

/* Forgets every second block, and more if these were not chosen evenly. */
static APART void halve(struct stack *s)
{
	while (s->count >= s->most && s->shift < SHIFT_MAX) {
		s->shift++;
		for (uint32_t i = 0; i < s->capacity; i++)
			if (s->entries[i].used)
				drop_half(s, &s->entries[i]);
	}
	rehash(s);
	number_anew(s);
}

/* --- accesses ------------------------------------------------------------- */

int stack_new(struct stack **out, uint32_t most)
{
	struct stack *s = calloc(1, sizeof(*s));

	*out = NULL;
	if (!s)
		return -ENOMEM;
	s->most = most;
	s->seed = hash_seed();
	s->used = calloc(WORDS, sizeof(*s->used));
	s->sums = calloc(WORDS + 1, sizeof(*s->sums));
	if (!s->used || !s->sums || grow(s)) {
		stack_free(s);
		return -ENOMEM;
	}
	*out = s;
	return 0;
}

/* a block that was accessed before */
static void meet(struct stack *s, struct entry *e, bool write,
		 struct stack_access *a)
{
	uint32_t distance = s->count - rank_of(s, e->at);

	a->known = true;
	a->distance = (uint64_t)distance << s->shift;
	if (e->longest != CLEAN && distance > e->longest)
		e->longest = distance;
	a->dirty = write && e->longest != CLEAN;
	if (a->dirty)
		a->longest = (uint64_t)e->longest << s->shift;
	position_leave(s, e->at);
}

/* Room for one more block, and one more position; -ENOMEM. */
static inline int make_room(struct stack *s)
{
	if (UNLIKELY(s->count >= s->most))
		halve(s);
	if (UNLIKELY(s->count >= s->limit) && grow(s))
		return -ENOMEM;
	if (UNLIKELY(s->next == POSITIONS))
		number_anew(s);
	return 0;
}

int stack_access(struct stack *s, struct sampled b, bool write,
		 struct stack_access *a)
{
	struct entry *e;

	if (LIKELY(!sample_has(b.hash, s->shift)))
		return 0;
	if (make_room(s))
		return -ENOMEM;
	if (UNLIKELY(!sample_has(b.hash, s->shift)))
		return 0;
	*a = (struct stack_access){ .sample = sample_of(b.hash, s->shift) };
	e = find(s, b.block);
	if (LIKELY(e->used)) {
		meet(s, e, write, a);
	} else {
		*e = (struct entry){ .low = (uint32_t)b.block, .used = 1,
				     .high = (uint32_t)(b.block >> 32) &
					     ((1 << HIGH_BITS) - 1),
				     .longest = CLEAN,
				     .round = s->round & 1 };
		s->count++;
	}
	a->fresh = write ? e->longest == CLEAN : !e->read;
	if (write)
		e->longest = 0;
	else
		e->read = 1;
	e->at = position_take(s) & (POSITIONS - 1);
	return 1;
}

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
	free(s->entries);
	free(s->used);
	free(s->sums);
	free(s);
}
