/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of cache/cache: 20 workloads of millions of blocks, against a stack that knows
 * them all; its memory; and I/Os that no device does. */
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cache/cache.h"
#include "tests/unit/rounds.h"

enum {
	STREAMS = 20,
	CHECKED = 2,		/* of them, beneath a checker: it finds no less */
	ACCESSES = 3000000,
	BLOCKS = 1 << 22,	/* numbers are below this */
	HOT = 1 << 21,		/* of these, skewed ones */
	BITS = 12,		/* of a block's bytes */
	SECTORS = 8,		/* of a block */
	FIRST = 10,		/* of the powers of two of sizes, in blocks, */
	SIZES = 12,		/* to 8 GiB */
	MEMORY = 16 << 20
};

/* --- workloads ------------------------------------------------------------ */

static uint64_t state;

static double uniform(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 11) / 9007199254740992.0;
}

/* the higher the power, the fewer blocks have most accesses */
static uint32_t skewed(double power)
{
	return (uint32_t)(HOT * pow(uniform(), power));
}

/* loops, Zipf-like ones, scans between these, and mixtures */
static uint32_t next_block(unsigned int stream, uint32_t i)
{
	double power = 1 + stream / 4;

	switch (stream % 4) {
	case 0:
		/* between two powers of two, at which all is sudden */
		return i % (1500000 / (stream / 4 + 1));
	case 1:
		return skewed(power);
	case 2:
		return i / 1000 % 3 ? skewed(power) : HOT + i % HOT;
	default:
		return i / 200000 % 2 ? i % 700000 : skewed(power);
	}
}

static bool next_write(unsigned int stream)
{
	return uniform() < (double)(stream % 5) / 4;
}

/* --- a stack that knows all ----------------------------------------------- */

struct exact {
	uint32_t last[BLOCKS];	/* when a block was accessed, from 1; 0: never */
	uint32_t longest[BLOCKS];	/* distance since it was written */
	bool written[BLOCKS];
	int32_t sums[ACCESSES + 1];	/* of the last accesses of blocks: Fenwick */
	uint32_t time, count;
	uint64_t all[CACHE_CURVES];
	uint64_t served[CACHE_CURVES][SIZES];
};

static void sum_add(struct exact *e, uint32_t at, int32_t n)
{
	for (; at <= ACCESSES; at += at & -at)
		e->sums[at] += n;
}

static uint32_t sum_to(const struct exact *e, uint32_t at)
{
	int32_t sum = 0;

	for (; at; at -= at & -at)
		sum += e->sums[at];
	return (uint32_t)sum;
}

static void serve(struct exact *e, enum cache_curve curve, bool known,
		  uint32_t distance)
{
	e->all[curve]++;
	for (unsigned int i = 0; known && i < SIZES; i++)
		e->served[curve][i] += distance < 1u << (FIRST + i);
}

static void exact_access(struct exact *e, uint32_t block, bool write)
{
	uint32_t last = e->last[block], distance = 0;

	e->time++;
	if (last) {
		distance = e->count - sum_to(e, last);
		sum_add(e, last, -1);
	} else {
		e->count++;
	}
	if (distance > e->longest[block])
		e->longest[block] = distance;
	serve(e, write ? CACHE_WRITES : CACHE_READS, last, distance);
	if (write) {
		serve(e, CACHE_SAVED, e->written[block], e->longest[block]);
		e->written[block] = true;
		e->longest[block] = 0;
	}
	e->last[block] = e->time;
	sum_add(e, e->time, 1);
}

/* --- against the room ----------------------------------------------------- */

static int by_one(const void *ctx, struct touched_by *by)
{
	(void)ctx;
	*by = (struct touched_by){ 0, 0 };
	return 0;
}

static void add(struct cache *c, enum cache_op op, uint64_t sector,
		uint64_t bytes)
{
	assert_int_equal(cache_add(c, &(struct cache_io){
		.op = op, .sector = sector, .bytes = bytes, .by = by_one }), 0);
}

struct errors {
	double sum, worst;
	unsigned int points, outside, samples;
};

static void compare(struct errors *errors, const struct exact *e,
		    const struct cache *c)
{
	for (int k = 0; k < CACHE_CURVES; k++) {
		enum cache_curve curve = (enum cache_curve)k;

		assert_int_equal(cache_accesses(c, curve), e->all[k]);
		for (unsigned int i = 0; e->all[k] && i < SIZES; i++) {
			struct curve_point p = cache_at(c, curve,
				1ull << (FIRST + i + BITS));
			double off = fabs(p.served / 1e6 -
					  (double)e->served[k][i] /
					  (double)e->all[k]);

			errors->sum += off;
			errors->points++;
			errors->outside += off * 1e6 > p.error + 1000;
			if (off > errors->worst)
				errors->worst = off;
		}
	}
}

static void footprint(struct errors *errors, const struct exact *e,
		      const struct cache *c)
{
	struct cache_facts f;

	cache_facts(c, &f);
	errors->samples += f.share > 1;
	if (f.share == 1)
		assert_int_equal(f.touched, (uint64_t)e->count << BITS);
	assert_in_range(f.touched, (uint64_t)(e->count * 0.98) << BITS,
			(uint64_t)(e->count * 1.02 + 1) << BITS);
}

static unsigned int streams(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return CHECKED;
#else
	return rounds(STREAMS) < STREAMS ? CHECKED : STREAMS;
#endif
}

/* Of 20 workloads the mean error is at most 0.01 and the worst 0.03; and points are
 * as sure as they say. */
static void workloads(void **unused)
{
	struct errors errors = { .sum = 0 };
	struct exact *e = malloc(sizeof(*e));

	(void)unused;
	assert_non_null(e);
	for (unsigned int stream = 0; stream < streams(); stream++) {
		struct cache *c;

		memset(e, 0, sizeof(*e));
		state = stream;
		assert_int_equal(cache_new(&c, BITS, false), 0);
		for (uint32_t i = 0; i < ACCESSES; i++) {
			uint32_t block = next_block(stream, i);
			bool write = next_write(stream);

			exact_access(e, block, write);
			add(c, write ? CACHE_WRITE : CACHE_READ,
			    SECTORS * (uint64_t)block, 1 << BITS);
		}
		compare(&errors, e, c);
		footprint(&errors, e, c);
		cache_free(c);
	}
	free(e);
	print_message("%u of %u from samples, mean error %.4f, worst %.4f,"
		      " outside %u of %u\n", errors.samples, streams(),
		      errors.sum / errors.points, errors.worst, errors.outside,
		      errors.points);
	assert_true(errors.samples >= streams() / 2);
	assert_true(errors.sum / errors.points <= 0.01);
	assert_true(errors.worst <= 0.03);
	assert_true(errors.outside <= errors.points / 10);
}

/* --- memory --------------------------------------------------------------- */

/* 0 where the C library does not say */
static size_t allocated(void)
{
#ifdef __GLIBC__
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
#else
	return 0;
#endif
}

/* As blocks become more, and with discards, it is below 16 MiB. */
static void memory(void **unused)
{
	size_t before = allocated(), most = 0;
	struct cache *c;

	(void)unused;
	state = 1;
	assert_int_equal(cache_new(&c, BITS, false), 0);
	for (uint64_t i = 0; i < (uint64_t)rounds(8000000); i++) {
		uint64_t block = i % 2 ? i : (uint64_t)(uniform() * (double)i);

		add(c, i % 3 ? CACHE_READ : CACHE_WRITE, SECTORS * block,
		    1 << BITS);
		if (i % 1000 == 0)
			add(c, CACHE_DISCARD, SECTORS * block, 64 << BITS);
		if (i % 1000 == 0 && allocated() - before > most)
			most = allocated() - before;
	}
	cache_free(c);
	print_message("%.1f MiB\n", (double)most / (1 << 20));
	assert_true(most <= MEMORY);
}

/* --- several devices ------------------------------------------------------ */

static void add_device(struct cache *c, unsigned int device, bool write,
		       uint64_t block)
{
	assert_int_equal(cache_add(c, &(struct cache_io){
		.op = write ? CACHE_WRITE : CACHE_READ, .by = by_one,
		.sector = SECTORS * block, .bytes = 1 << BITS,
		.device = device }), 0);
}

static void same_curves(const struct cache *a, const struct cache *b)
{
	for (int k = 0; k < CACHE_CURVES; k++)
		for (unsigned int bits = BITS; bits < BITS + 16; bits++) {
			struct curve_point p, q;

			p = cache_at(a, (enum cache_curve)k, 1ull << bits);
			q = cache_at(b, (enum cache_curve)k, 1ull << bits);
			assert_int_equal(p.served, q.served);
			if (!cache_fifo_at(a, (enum cache_curve)k, 1ull << bits,
					   &p))
				continue;
			assert_true(cache_fifo_at(b, (enum cache_curve)k,
						  1ull << bits, &q));
			assert_int_equal(p.served, q.served);
		}
}

/* A copy that other devices join is as if their blocks were next to each other. */
static void devices(void **unused)
{
	enum { COUNT = 200000, EACH = 5000 };
	struct cache *all, *first, *plain;

	(void)unused;
	state = 3;
	assert_int_equal(cache_new(&first, BITS, true), 0);
	assert_int_equal(cache_new(&plain, BITS, true), 0);
	for (unsigned int i = 0; i < COUNT / 4; i++) {
		uint64_t block = (uint64_t)(EACH * uniform());

		add_device(first, 0, i % 3 == 0, block);
		add_device(plain, 0, i % 3 == 0, block);
	}
	assert_int_equal(cache_copy(&all, first), 0);
	assert_null(cache_blocks(all));
	same_curves(all, first);
	for (unsigned int i = 0; i < COUNT; i++) {
		uint64_t block = (uint64_t)(EACH * uniform());
		unsigned int device = i % 3;

		add_device(all, device, i % 5 == 0, block);
		add_device(plain, 0, i % 5 == 0, device * EACH + block);
	}
	same_curves(all, plain);
	cache_free(all);
	cache_free(first);
	cache_free(plain);
}

/* Sizes that are too small for what is touched are not simulated any more, those that
 * programs show are. */
static void small_sizes(void **unused)
{
	struct cache *c, *copy;
	struct curve_point p;

	(void)unused;
	assert_int_equal(cache_new(&c, BITS, true), 0);
	for (uint64_t i = 0; i < 1 << 21; i += 1024)
		add(c, CACHE_READ, SECTORS * i, 1024 << BITS);
	assert_false(cache_fifo_at(c, CACHE_READS, 1ull << (BITS + 8), &p));
	assert_true(cache_fifo_at(c, CACHE_READS, 1ull << (BITS + 10), &p));
	assert_int_equal(p.served, 0);
	assert_int_equal(cache_copy(&copy, c), 0);
	add(copy, CACHE_DISCARD, 0, 1ull << 40);
	add(copy, CACHE_WRITE, 0, 1 << BITS);
	assert_true(cache_fifo_at(copy, CACHE_WRITES, 1ull << (BITS + 20), &p));
	assert_int_equal(p.served, 0);
	cache_free(copy);
	cache_free(c);
}

/* --- what no device does -------------------------------------------------- */

static void hostile(void **unused)
{
	struct cache_facts f;
	struct cache *c;

	(void)unused;
	assert_int_equal(cache_new(&c, BITS, true), 0);
	/* no bytes, or not a sector; beyond the last sector */
	add(c, CACHE_READ, 0, 0);
	add(c, CACHE_READ, 0, 511);
	add(c, CACHE_WRITE, UINT64_MAX, 1 << BITS);
	add(c, CACHE_DISCARD, UINT64_MAX, 1 << BITS);
	add(c, CACHE_DISCARD, UINT64_MAX - 1, UINT64_MAX);
	assert_int_equal(cache_accesses(c, CACHE_READS), 0);
	assert_int_equal(cache_accesses(c, CACHE_WRITES), 0);
	/* as much as a record can say counts as 64 MiB */
	add(c, CACHE_WRITE, 0, UINT64_MAX);
	add(c, CACHE_READ, 1ull << 40, UINT32_MAX);
	assert_int_equal(cache_accesses(c, CACHE_WRITES), 16384);
	assert_int_equal(cache_accesses(c, CACHE_READS), 16384);
	/* bits of blocks that are ignored */
	add(c, CACHE_READ, 1ull << 63, 1 << BITS);
	assert_int_equal(cache_at(c, CACHE_READS, 1ull << 40).served, 61);
	/* part of a block is not discarded, all of it is */
	add(c, CACHE_DISCARD, 1, (1 << BITS) - 1);
	add(c, CACHE_DISCARD, 1, 1 << BITS);
	add(c, CACHE_DISCARD, 0, UINT64_MAX);
	add(c, CACHE_READ, 0, 1);
	assert_int_equal(cache_at(c, CACHE_READS, 1ull << 40).served, 61);
	assert_int_equal(cache_at(c, CACHE_SAVED, 1ull << 40).served, 1000000);
	cache_facts(c, &f);
	assert_int_equal(f.written, 64 << 20);
	cache_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workloads),
		cmocka_unit_test(memory),
		cmocka_unit_test(devices),
		cmocka_unit_test(small_sizes),
		cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
