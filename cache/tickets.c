/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of last accesses; see tickets.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "cache/tickets.h"

enum { WORDS = TICKETS / 64, WORD_WORDS = WORDS / 64 };

static inline uint32_t bits_of(uint64_t word)
{
	return (uint32_t)__builtin_popcountll(word);
}

static inline void set_bit(uint64_t *words, uint32_t i)
{
	words[i / 64] |= 1ull << i % 64;
}

static inline void clear_bit(uint64_t *words, uint32_t i)
{
	words[i / 64] &= ~(1ull << i % 64);
}

int tickets_init(struct tickets *p)
{
	*p = (struct tickets){ .next = TICKET_FIRST };
	p->used = calloc(WORDS, sizeof(*p->used));
	p->sums = calloc(WORDS + 1, sizeof(*p->sums));
	return p->used && p->sums ? 0 : -ENOMEM;
}

int tickets_copy(struct tickets *to, const struct tickets *from)
{
	*to = *from;
	to->used = array_copy(from->used, WORDS, sizeof(*to->used));
	to->sums = array_copy(from->sums, WORDS + 1, sizeof(*to->sums));
	to->holes = array_copy(from->holes, WORDS, sizeof(*to->holes));
	to->hole_words = array_copy(from->hole_words, WORD_WORDS,
				    sizeof(*to->hole_words));
	return to->used && to->sums && !to->holes == !from->holes &&
	       !to->hole_words == !from->hole_words ? 0 : -ENOMEM;
}

void tickets_free(struct tickets *p)
{
	free(p->used);
	free(p->sums);
	free(p->holes);
	free(p->hole_words);
}

/* --- sums ----------------------------------------------------------------- */

static void sum_add(struct tickets *p, uint32_t word, uint32_t n)
{
	for (uint32_t i = word + 1; i <= WORDS; i += i & -i)
		p->sums[i] += n;
}

uint32_t tickets_depth(const struct tickets *p, uint32_t at)
{
	uint32_t word = at / 64;
	uint32_t sum = bits_of(p->used[word] << (63 - at % 64));

	for (uint32_t i = word; i; i -= i & -i)
		sum += p->sums[i];
	return p->count - sum;
}

/* --- holes ---------------------------------------------------------------- */

static APART int make_holes(struct tickets *p)
{
	p->holes = calloc(WORDS, sizeof(*p->holes));
	p->hole_words = calloc(WORD_WORDS, sizeof(*p->hole_words));
	return p->holes && p->hole_words ? 0 : -ENOMEM;
}

static void hole_add(struct tickets *p, uint32_t at)
{
	set_bit(p->holes, at);
	set_bit(p->hole_words, at / 64);
	p->hole_count++;
}

static void hole_remove(struct tickets *p, uint32_t at)
{
	clear_bit(p->holes, at);
	if (!p->holes[at / 64])
		clear_bit(p->hole_words, at / 64);
	p->hole_count--;
}

static uint32_t highest_bit(uint64_t word)
{
	return 63 - (uint32_t)__builtin_clzll(word);
}

/* the latest one; there is one */
static uint32_t last_hole(const struct tickets *p)
{
	uint32_t i = WORD_WORDS - 1, word;

	while (!p->hole_words[i])
		i--;
	word = 64 * i + highest_bit(p->hole_words[i]);
	return 64 * word + highest_bit(p->holes[word]);
}

int tickets_discard(struct tickets *p, uint32_t at)
{
	if (!p->hole_words && make_holes(p))
		return -ENOMEM;
	hole_add(p, at);
	return 0;
}

/* --- accesses ------------------------------------------------------------- */

/* a word joins the tree when it is full */
static inline uint32_t take_next(struct tickets *p)
{
	uint32_t at = p->next++;

	set_bit(p->used, at);
	if (UNLIKELY(at % 64 == 63))
		sum_add(p, at / 64, bits_of(p->used[at / 64]));
	return at;
}

static inline void leave(struct tickets *p, uint32_t at)
{
	clear_bit(p->used, at);
	if (LIKELY(at / 64 < p->next / 64))
		sum_add(p, at / 64, -1u);
}

/* The latest hole is filled by a block whose ticket was before, or that had
 * none: 0. */
static APART void fill_hole(struct tickets *p, uint32_t at)
{
	uint32_t hole = last_hole(p);

	if (hole < at) {
		leave(p, at);
		return;
	}
	hole_remove(p, hole);
	leave(p, hole);
	if (at)
		hole_add(p, at);
}

uint32_t tickets_take(struct tickets *p)
{
	if (UNLIKELY(p->hole_count))
		fill_hole(p, 0);
	else
		p->count++;
	return take_next(p);
}

uint32_t tickets_move(struct tickets *p, uint32_t at)
{
	if (UNLIKELY(p->hole_count))
		fill_hole(p, at);
	else
		leave(p, at);
	return take_next(p);
}

/* --- packing -------------------------------------------------------------- */

void tickets_forget(struct tickets *p, uint32_t at)
{
	clear_bit(p->used, at);
	p->count--;
}

/* the next hole from one on, or TICKETS */
static uint32_t next_hole(const struct tickets *p, uint32_t from)
{
	for (uint32_t word = from / 64; word < WORDS; word++) {
		uint64_t holes = p->holes[word];

		if (word == from / 64)
			holes &= ~0ull << from % 64;
		if (holes)
			return 64 * word + (uint32_t)__builtin_ctzll(holes);
	}
	return TICKETS;
}

void tickets_forget_holes(struct tickets *p, unsigned int bits)
{
	uint32_t i = 0;

	if (!p->hole_count)
		return;
	for (uint32_t at = next_hole(p, 0); at < TICKETS;
	     at = next_hole(p, at + 1))
		if (i++ & ((1u << bits) - 1)) {
			hole_remove(p, at);
			tickets_forget(p, at);
		}
}

/* in word i + 1, tickets in use in word i */
static void count_words(struct tickets *p)
{
	p->sums[0] = 0;
	for (uint32_t i = 0; i < WORDS; i++)
		p->sums[i + 1] = bits_of(p->used[i]);
}

void tickets_pack(struct tickets *p)
{
	count_words(p);
	for (uint32_t i = 1; i <= WORDS; i++)
		p->sums[i] += p->sums[i - 1];
}

uint32_t tickets_packed(const struct tickets *p, uint32_t at)
{
	uint64_t below = (1ull << at % 64) - 1;

	return TICKET_FIRST + p->sums[at / 64] +
	       bits_of(p->used[at / 64] & below);
}

/* They move down, never to one that has not moved yet. */
static void pack_holes(struct tickets *p)
{
	for (uint32_t at = next_hole(p, 0); at < TICKETS;
	     at = next_hole(p, at + 1)) {
		hole_remove(p, at);
		hole_add(p, tickets_packed(p, at));
	}
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

void tickets_pack_end(struct tickets *p)
{
	if (p->hole_count)
		pack_holes(p);
	p->next = TICKET_FIRST + p->count;
	memset(p->used, 0, WORDS * sizeof(*p->used));
	memset(p->used, 0xff, p->next / 64 * sizeof(*p->used));
	p->used[p->next / 64] |= (1ull << p->next % 64) - 1;
	p->used[0] &= ~(uint64_t)TICKET_FIRST;
	count_words(p);
	p->sums[p->next / 64 + 1] = 0;
	build_tree(p->sums);
}
