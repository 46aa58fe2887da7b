/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of cache/stack, against a stack that is searched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
		assert_int_equal(stack_new(&s, STACK_MAX), 0);
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

/* A loop: each distance is the loop's length less one, also after positions
 * were numbered anew. */
static void positions_run_out(void **unused)
{
	struct stack_access a;
	struct stack *s;

	(void)unused;
	assert_int_equal(stack_new(&s, STACK_MAX), 0);
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
	assert_int_equal(stack_new(&s, MOST), 0);
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
	assert_int_equal(stack_new(&s, STACK_MAX), 0);
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
		cmocka_unit_test(positions_run_out),
		cmocka_unit_test(sampled),
		cmocka_unit_test(extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
