/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of cache/fifo, against the same algorithm with plain lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cache/fifo.h"

enum { PLAIN_MAX = 256 };

/* --- plain lists, the oldest first ---------------------------------------- */

struct item {
	uint64_t block;
	unsigned int uses;
	bool dirty;
};

struct list {
	struct item items[PLAIN_MAX];
	unsigned int count;
};

struct plain {
	unsigned int blocks;
	struct list small, main, ghost;
};

static struct item *find(struct list *l, uint64_t block)
{
	for (unsigned int i = 0; i < l->count; i++)
		if (l->items[i].block == block)
			return &l->items[i];
	return NULL;
}

static void add(struct list *l, struct item item)
{
	assert_true(l->count < PLAIN_MAX);
	l->items[l->count++] = item;
}

static struct item take(struct list *l, struct item *at)
{
	struct item item = *at;

	l->count--;
	memmove(at, at + 1, (size_t)(l->items + l->count - at) * sizeof(*at));
	return item;
}

static void evict_main(struct plain *p)
{
	for (;;) {
		struct item item = take(&p->main, p->main.items);

		if (!item.uses)
			return;
		item.uses--;
		add(&p->main, item);
	}
}

static void evict(struct plain *p)
{
	unsigned int small = p->blocks / 10;

	if (p->small.count < small) {
		evict_main(p);
		return;
	}
	while (p->small.count) {
		struct item item = take(&p->small, p->small.items);

		if (item.uses < 2) {
			add(&p->ghost, (struct item){ item.block, 0, false });
			if (p->ghost.count > p->blocks - small)
				take(&p->ghost, p->ghost.items);
			return;
		}
		add(&p->main, item);
		if (p->main.count > p->blocks - small)
			evict_main(p);
	}
}

static struct fifo_access plain_access(struct plain *p, uint64_t block,
				       bool write)
{
	struct item *item = find(&p->small, block), *ghost;
	struct fifo_access a = { .served = false };

	if (!item)
		item = find(&p->main, block);
	if (item) {
		a.served = true;
		a.saved = write && item->dirty;
		item->uses += item->uses < 3;
		item->dirty |= write;
		return a;
	}
	while (p->small.count + p->main.count >= p->blocks)
		evict(p);
	ghost = find(&p->ghost, block);
	if (ghost)
		take(&p->ghost, ghost);
	add(ghost ? &p->main : &p->small, (struct item){ block, 0, write });
	return a;
}

/* the number of saved writes */
static unsigned int plain_discard(struct plain *p, uint64_t first, uint64_t last)
{
	unsigned int saved = 0;

	for (uint64_t block = first; block <= last; block++) {
		struct list *l = &p->small;
		struct item *item = find(l, block);

		if (!item) {
			l = &p->main;
			item = find(l, block);
		}
		if (item)
			saved += take(l, item).dirty;
	}
	return saved;
}

static unsigned int discard(struct fifo *f, uint64_t first, uint64_t last)
{
	struct sample_range r = { first, last, 0, 0 };
	unsigned int sum = 0;
	uint64_t hash;
	bool saved;

	while (fifo_discard(f, &r, &hash, &saved))
		sum += saved;
	return sum;
}

/* --- tests ---------------------------------------------------------------- */

static uint64_t state;

static uint64_t random_below(uint64_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
}

/* few hot ones, a loop, a scan now and then */
static uint64_t next_block(unsigned int i)
{
	switch (i / 1000 % 4) {
	case 0:
		return i;
	case 1:
		return i % 70;
	default:
		return random_below(1 + random_below(300));
	}
}

/* Every 50th access is preceded by a discard, now and then of many blocks. */
static void same_as_plain(void **unused)
{
	(void)unused;
	for (unsigned int blocks = FIFO_MIN; blocks <= 128; blocks *= 2) {
		struct plain *p = calloc(1, sizeof(*p));
		struct fifo *f;

		assert_non_null(p);
		p->blocks = blocks;
		state = blocks;
		assert_int_equal(fifo_new(&f, blocks, FIFO_MOST), 0);
		assert_int_equal(fifo_shift(f), 0);
		for (unsigned int i = 0; i < 60000; i++) {
			uint64_t block = next_block(i);
			bool write = random_below(3) == 0;
			struct fifo_access want;
			uint64_t last = block + (i % 1000 ? 3 : 300);
			struct fifo_access got;

			if (i % 50 == 0 && i > 1000)
				assert_int_equal(discard(f, block, last),
						 plain_discard(p, block, last));
			want = plain_access(p, block, write);
			assert_int_equal(fifo_access(f, block, write, &got), 0);
			assert_int_equal(got.served, want.served);
			assert_int_equal(got.saved, want.saved);
		}
		fifo_free(f);
		free(p);
	}
}

/* A loop that does not fit would make LRU serve nothing. */
static void resists_scans(void **unused)
{
	struct fifo_access a;
	unsigned int served = 0;
	struct fifo *f;

	(void)unused;
	assert_int_equal(fifo_new(&f, 1024, FIFO_MOST), 0);
	for (unsigned int i = 0; i < 400000; i++) {
		uint64_t block = i % 2 ? i / 2 % 500 : 1000 + i;

		assert_int_equal(fifo_access(f, block, false, &a), 0);
		served += a.served && block < 500;
	}
	assert_true(served > 195000);
	fifo_free(f);
}

/* A copy goes on as what it was copied from. */
static void copies(void **unused)
{
	struct fifo_access a, b;
	struct fifo *f, *copy;

	(void)unused;
	assert_int_equal(fifo_new(&f, 64, FIFO_MOST), 0);
	for (unsigned int i = 0; i < 5000; i++)
		assert_int_equal(fifo_access(f, next_block(i), i % 3, &a), 0);
	assert_int_equal(fifo_copy(&copy, f), 0);
	for (unsigned int i = 0; i < 5000; i++) {
		uint64_t block = next_block(i);

		assert_int_equal(fifo_access(f, block, i % 2, &a), 0);
		assert_int_equal(fifo_access(copy, block, i % 2, &b), 0);
		assert_int_equal(a.served, b.served);
		assert_int_equal(a.saved, b.saved);
	}
	fifo_free(f);
	fifo_free(copy);
}

static void sampled(void **unused)
{
	struct fifo *f;

	(void)unused;
	assert_int_equal(fifo_new(&f, 8ull * FIFO_MOST, FIFO_MOST), 0);
	assert_int_equal(fifo_shift(f), 3);
	fifo_free(f);
	assert_int_equal(fifo_new(&f, 1ull << 40, FIFO_MOST), 0);
	assert_int_equal(fifo_shift(f), 25);
	fifo_free(f);
	fifo_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_plain),
		cmocka_unit_test(resists_scans),
		cmocka_unit_test(copies),
		cmocka_unit_test(sampled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
