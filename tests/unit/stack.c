/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of cache/stack, against a stack that is searched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cache/tickets.h"
#include "cache/stack.h"

enum { PLAIN_MAX = 4000 };

/* --- a stack that is searched --------------------------------------------- */

struct plain {
	struct {
		uint64_t block, longest;
		bool written;
	} list[PLAIN_MAX];	/* the last accessed first */
	unsigned int count;
};

static void plain_access(struct plain *p, uint64_t block, bool write,
			 struct stack_access *a)
{
	unsigned int i = 0;

	*a = (struct stack_access){ .known = false };
	while (i < p->count && p->list[i].block != block)
		i++;
	p->list[p->count].written = false;
	if (i < p->count) {
		a->known = true;
		a->distance = i;
		if (i > p->list[i].longest)
			p->list[i].longest = i;
		a->dirty = write && p->list[i].written;
		a->longest = a->dirty ? p->list[i].longest : 0;
	} else {
		assert_true(++p->count < PLAIN_MAX);
		p->list[i].longest = 0;
	}
	p->list[PLAIN_MAX - 1] = p->list[i];
	memmove(p->list + 1, p->list, i * sizeof(*p->list));
	p->list[0] = p->list[PLAIN_MAX - 1];
	p->list[0].block = block;
	if (write) {
		p->list[0].written = true;
		p->list[0].longest = 0;
	}
}

/* --- caches --------------------------------------------------------------- */

/* one of a size, by LRU: the last accessed first */
struct lru {
	struct {
		uint64_t block;
		bool dirty;
	} list[PLAIN_MAX];
	unsigned int count, size;
	bool served, saved;	/* the last access */
};

static void lru_access(struct lru *l, uint64_t block, bool write)
{
	unsigned int i = 0;
	bool dirty;

	while (i < l->count && l->list[i].block != block)
		i++;
	l->served = i < l->count;
	dirty = l->served && l->list[i].dirty;
	l->saved = write && dirty;
	if (!l->served && l->count < l->size)
		l->count++;
	if (i == l->size)
		i--;
	memmove(l->list + 1, l->list, i * sizeof(*l->list));
	l->list[0].block = block;
	l->list[0].dirty = write || dirty;
}

/* the number of saved writes */
static unsigned int lru_discard(struct lru *l, uint64_t first, uint64_t last)
{
	unsigned int kept = 0, saved = 0;

	for (unsigned int i = 0; i < l->count; i++)
		if (l->list[i].block < first || l->list[i].block > last)
			l->list[kept++] = l->list[i];
		else
			saved += l->list[i].dirty;
	l->count = kept;
	return saved;
}

/* --- accesses ------------------------------------------------------------- */

static uint64_t state;

static uint64_t random_below(uint64_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
}

/* a loop, a few hot blocks, or anywhere, and far apart */
static uint64_t next_block(unsigned int kind, unsigned int i)
{
	switch (kind) {
	case 0:
		return i % 700;
	case 1:
		return random_below(1 + random_below(3000));
	default:
		return (random_below(2000) << 30) + 7;
	}
}

static void same(const struct stack_access *got,
		 const struct stack_access *want)
{
	assert_int_equal(got->known, want->known);
	assert_int_equal(got->distance, want->distance);
	assert_int_equal(got->dirty, want->dirty);
	assert_int_equal(got->longest, want->longest);
}

static void exact(void **unused)
{
	(void)unused;
	for (unsigned int kind = 0; kind < 3; kind++) {
		struct plain *p = calloc(1, sizeof(*p));
		struct stack *s;

		state = kind + 1;
		assert_non_null(p);
		assert_int_equal(stack_new(&s, STACK_MAX, STACK_SAMPLED), 0);
		for (unsigned int i = 0; i < 40000; i++) {
			uint64_t block = next_block(kind, i);
			bool write = random_below(3) == 0;
			struct stack_access got, want;

			plain_access(p, block, write, &want);
			assert_int_equal(stack_access(s, sampled_of(block), write, &got),
					 1);
			assert_int_equal(got.sample.weight, 1);
			same(&got, &want);
		}
		assert_int_equal(stack_blocks(s), p->count);
		assert_int_equal(stack_share(s), 1);
		stack_free(s);
		free(p);
	}
}

enum { LRUS = 6 };

static void discard_same(struct lru *lrus, struct stack *s, uint64_t first,
			 uint64_t last)
{
	struct sample_range r = { first, last, 0, 0 };
	unsigned int saved[LRUS] = { 0 };
	struct stack_access a;
	int got;

	while ((got = stack_discard(s, &r, &a)) > 0)
		for (unsigned int i = 0; i < LRUS; i++)
			saved[i] += a.dirty && a.longest < lrus[i].size;
	assert_int_equal(got, 0);
	for (unsigned int i = 0; i < LRUS; i++)
		assert_int_equal(lru_discard(&lrus[i], first, last), saved[i]);
}

static void access_same(struct lru *lrus, struct stack *s, uint64_t block,
			bool write)
{
	struct stack_access a;

	assert_int_equal(stack_access(s, sampled_of(block), write, &a), 1);
	for (unsigned int i = 0; i < LRUS; i++) {
		struct lru *l = &lrus[i];

		lru_access(l, block, write);
		assert_int_equal(a.known && a.distance < l->size, l->served);
		assert_int_equal(a.dirty && a.longest < l->size, l->saved);
	}
}

/* Discards of a block, of some, and of all, between accesses: what caches of each
 * size serve and save. */
static void discards(void **unused)
{
	static const unsigned int sizes[LRUS] = { 1, 2, 10, 100, 1000, 3500 };
	struct lru *lrus = calloc(LRUS, sizeof(*lrus));
	struct stack *s;

	(void)unused;
	state = 7;
	assert_non_null(lrus);
	for (unsigned int i = 0; i < LRUS; i++)
		lrus[i].size = sizes[i];
	assert_int_equal(stack_new(&s, STACK_MAX, STACK_SAMPLED), 0);
	for (unsigned int i = 0; i < 40000; i++) {
		uint64_t block = next_block(1, i), last = random_below(3000);

		if (i % 10 == 0)
			discard_same(lrus, s, last, last);
		if (i % 1000 == 1 && block <= last)
			discard_same(lrus, s, block, last);
		if (i % 9000 == 8999)
			discard_same(lrus, s, 0, UINT64_MAX >> 21);
		access_same(lrus, s, block, random_below(3) == 0);
	}
	stack_free(s);
	free(lrus);
}

/* The same while tickets are numbered anew. */
static void discards_and_packing(void **unused)
{
	static const unsigned int sizes[LRUS] = { 1, 3, 5, 8, 9, 15 };
	struct lru *lrus = calloc(LRUS, sizeof(*lrus));
	struct stack *s;

	(void)unused;
	state = 8;
	assert_non_null(lrus);
	for (unsigned int i = 0; i < LRUS; i++)
		lrus[i].size = sizes[i];
	assert_int_equal(stack_new(&s, STACK_MAX, STACK_SAMPLED), 0);
	for (unsigned int i = 0; i < 2 * TICKETS + 999; i++) {
		uint64_t block = random_below(14);

		if (block % 4 == 0)
			discard_same(lrus, s, block, block + block / 6);
		access_same(lrus, s, random_below(14), block % 3 == 0);
	}
	stack_free(s);
	free(lrus);
}

/* Sampled, a discard is of as many blocks as were written, about. */
static void discards_of_a_sample(void **unused)
{
	enum { BLOCKS = 200000, MOST = 20000 };
	struct sample_range r = { 0, 2 * BLOCKS, 0, 0 };
	uint64_t sum = 0, near = 0;
	struct stack_access a;
	struct stack *s;

	(void)unused;
	assert_int_equal(stack_new(&s, MOST, MOST), 0);
	for (uint64_t i = 0; i < BLOCKS; i++)
		assert_true(stack_access(s, sampled_of(i), true, &a) >= 0);
	while (stack_discard(s, &r, &a) > 0) {
		assert_true(a.dirty);
		sum += a.sample.weight;
		near += a.longest < BLOCKS / 2 ? a.sample.weight : 0;
	}
	assert_in_range(sum, BLOCKS * 0.97, BLOCKS * 1.03);
	assert_in_range(near, BLOCKS * 0.47, BLOCKS * 0.53);
	/* holes are filled: what was there is not near any more, new blocks are */
	for (uint64_t i = 0; i < BLOCKS; i++)
		if (stack_access(s, sampled_of(i), false, &a) > 0)
			assert_false(a.known);
	near = 0;
	for (uint64_t i = 0; i < BLOCKS; i++)
		if (stack_access(s, sampled_of(i), false, &a) > 0)
			near += a.distance;
	assert_true(near > 0);
	stack_free(s);
}

/* A copy goes on as what it was copied from. */
static void copies(void **unused)
{
	struct stack_access a, b;
	struct stack *s, *copy;

	(void)unused;
	assert_int_equal(stack_new(&s, 2000, 1000), 0);
	for (uint64_t i = 0; i < 10000; i++)
		stack_access(s, sampled_of(i % 3000), i % 7 == 0, &a);
	assert_int_equal(stack_copy(&copy, s), 0);
	for (uint64_t i = 0; i < 20000; i++) {
		struct sampled at = sampled_of(i * i % 9000);
		int got = stack_access(s, at, i % 5 == 0, &a);

		assert_int_equal(stack_access(copy, at, i % 5 == 0, &b), got);
		if (got)
			same(&a, &b);
	}
	assert_int_equal(stack_blocks(copy), stack_blocks(s));
	assert_int_equal(stack_share(copy), stack_share(s));
	assert_true(stack_share(s) > 1);
	stack_free(s);
	stack_free(copy);
}

/* A loop: each distance is the loop's length less one, also after tickets
 * were numbered anew. */
static void tickets_run_out(void **unused)
{
	struct stack_access a;
	struct stack *s;

	(void)unused;
	assert_int_equal(stack_new(&s, STACK_MAX, STACK_SAMPLED), 0);
	for (unsigned int i = 0; i < 5000000; i++) {
		assert_int_equal(stack_access(s, sampled_of(i % 999), i % 2, &a), 1);
		assert_int_equal(a.known, i >= 999);
		assert_int_equal(a.distance, i >= 999 ? 998 : 0);
	}
	stack_free(s);
}

/* Sampled, each distance stands for more, and the sum is about right. */
static void sampled(void **unused)
{
	enum { LOOP = 300000, MOST = 20000 };
	uint64_t weight = 0, distances = 0, known = 0;
	struct stack_access a;
	struct stack *s;

	(void)unused;
	assert_int_equal(stack_new(&s, MOST, MOST), 0);
	for (unsigned int i = 0; i < 4 * LOOP; i++) {
		if (!stack_access(s, sampled_of((uint64_t)(i % LOOP) * 3), true, &a) ||
		    i < 2 * LOOP)
			continue;
		weight += a.sample.weight;
		known += a.known;
		distances += a.distance * a.sample.weight;
		assert_int_equal(a.longest, a.distance);
		assert_true(a.dirty);
	}
	assert_int_equal(stack_share(s), 16);
	assert_true(known * 16 == weight);
	assert_in_range(weight, 2 * LOOP * 0.97, 2 * LOOP * 1.03);
	assert_in_range(distances / weight, LOOP * 0.97, LOOP * 1.03);
	assert_in_range(stack_blocks(s), LOOP * 0.97, LOOP * 1.03);
	stack_free(s);
}

/* the highest numbers, and those that differ in bits that are ignored */
static void extremes(void **unused)
{
	const uint64_t bit = 1ull << SAMPLE_BLOCK_BITS;
	struct stack_access a;
	struct stack *s;

	(void)unused;
	assert_int_equal(stack_new(&s, STACK_MAX, STACK_SAMPLED), 0);
	assert_int_equal(stack_access(s, sampled_of(bit - 1), false, &a), 1);
	assert_false(a.known);
	assert_int_equal(stack_access(s, sampled_of(UINT64_MAX), true, &a), 1);
	assert_true(a.known);
	assert_false(a.dirty);
	assert_int_equal(stack_access(s, sampled_of(0), true, &a), 1);
	assert_int_equal(stack_access(s, sampled_of(bit - 1), true, &a), 1);
	assert_true(a.dirty);
	assert_int_equal(a.longest, 1);
	stack_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact),
		cmocka_unit_test(discards),
		cmocka_unit_test(discards_and_packing),
		cmocka_unit_test(discards_of_a_sample),
		cmocka_unit_test(copies),
		cmocka_unit_test(tickets_run_out),
		cmocka_unit_test(sampled),
		cmocka_unit_test(extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
