/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of cache/curve: samples of made accesses, against all of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cache/curve.h"
#include "cache/fifo.h"
#include "cache/stack.h"

enum {
	STREAMS = 20,
	ACCESSES = 250000,
	BLOCKS = 100000,
	LOOP = 45000,		/* where it fits all is sudden, so no power of
				 * two is near */
	SAMPLED = 1 << 15,	/* blocks followed */
	FIRST = 6,		/* of the powers of two that btstat would show, */
	SIZES = 12
};

/* --- made accesses -------------------------------------------------------- */

static uint64_t state;

static double uniform(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 11) / 9007199254740992.0;
}

/* the higher the power, the fewer blocks have most accesses */
static uint64_t skewed(double power)
{
	return (uint64_t)(BLOCKS * pow(uniform(), power));
}

/* loops, skewed ones, scans, and mixtures */
static uint64_t next_block(unsigned int stream, uint64_t i)
{
	double power = 1 + stream / 4;

	switch (stream % 4) {
	case 0:
		return i % (BLOCKS / (stream + 1));
	case 1:
		return skewed(power) * 7;
	case 2:
		return i % 5 ? skewed(power) : 10 * BLOCKS + i;
	default:
		return i / 40000 % 2 ? i % LOOP : skewed(power);
	}
}

/* --- curves --------------------------------------------------------------- */

/* what LRU serves of a stream, if so many blocks are followed */
static void serve(unsigned int stream, uint32_t most,
		  struct curve_point points[SIZES])
{
	struct curve c = { .seen = { 0 } };
	struct stack_access a;
	struct stack *s;

	state = stream;
	assert_int_equal(stack_new(&s, most, most), 0);
	for (uint64_t i = 0; i < ACCESSES; i++)
		if (stack_access(s, sampled_of(next_block(stream, i)), false, &a))
			assert_int_equal(curve_add(&c, a.sample, a.known,
						   a.distance), 0);
	for (unsigned int k = 0; k < SIZES; k++)
		points[k] = curve_at(&c, ACCESSES, 1ull << (FIRST + k),
				     stack_share(s));
	curve_free(&c);
	stack_free(s);
}

/* the same of one size by S3-FIFO, if so many blocks are simulated */
static struct curve_point serve_fifo(unsigned int stream, uint64_t blocks,
				     uint64_t most)
{
	struct curve c = { .seen = { 0 } };
	struct curve_point p;
	struct fifo_access a;
	struct fifo *f;

	state = stream;
	assert_int_equal(fifo_new(&f, blocks, most), 0);
	for (uint64_t i = 0; i < ACCESSES; i++) {
		uint64_t block = next_block(stream, i);
		uint64_t hash = sample_hash(block);

		if (!sample_has(hash, fifo_shift(f)))
			continue;
		assert_int_equal(fifo_access(f, block, false, &a), 0);
		assert_int_equal(curve_add(&c, sample_of(hash, fifo_shift(f)),
					   a.served, 0), 0);
	}
	p = curve_at(&c, ACCESSES, 1, 1ull << fifo_shift(f));
	curve_free(&c);
	fifo_free(f);
	return p;
}

static double off_by(struct curve_point a, struct curve_point b)
{
	return fabs((double)a.served - (double)b.served) / 1e6;
}

/* Of 20 streams the mean error is at most 0.01 and the worst 0.03; and points are
 * as sure as they say. */
static void samples(void **unused)
{
	struct curve_point exact[SIZES], sampled[SIZES];
	double sum = 0, worst = 0, off;
	unsigned int outside = 0, unsure = 0;

	(void)unused;
	for (unsigned int stream = 0; stream < STREAMS; stream++) {
		serve(stream, STACK_MAX, exact);
		serve(stream, stream % 4 ? SAMPLED : SAMPLED / 8, sampled);
		for (unsigned int k = 0; k < SIZES; k++) {
			assert_int_equal(exact[k].error, 0);
			off = off_by(exact[k], sampled[k]);
			sum += off;
			worst = off > worst ? off : worst;
			unsure += sampled[k].error > 0;
			outside += off * 1e6 > sampled[k].error + 1000;
		}
	}
	print_message("mean error %.4f, worst %.4f, outside %u of %u\n",
		      sum / (STREAMS * SIZES), worst, outside,
		      STREAMS * SIZES);
	assert_true(sum / (STREAMS * SIZES) <= 0.01);
	assert_true(worst <= 0.03);
	assert_true(outside <= STREAMS * SIZES / 10);
	assert_true(unsure >= STREAMS * SIZES / 2);
}

/* The same of caches of three sizes by S3-FIFO. */
static void miniatures(void **unused)
{
	double sum = 0, worst = 0, off;

	(void)unused;
	for (unsigned int stream = 0; stream < STREAMS; stream++)
		for (uint64_t blocks = FIFO_MOST / 4; blocks <= FIFO_MOST;
		     blocks *= 2) {
			off = off_by(serve_fifo(stream, blocks, FIFO_MOST),
				     serve_fifo(stream, blocks, blocks / 4));
			sum += off;
			worst = off > worst ? off : worst;
		}
	print_message("S3-FIFO: mean error %.4f, worst %.4f\n",
		      sum / (3 * STREAMS), worst);
	assert_true(sum / (3 * STREAMS) <= 0.01);
	assert_true(worst <= 0.03);
}

/* what no sample says: no accesses, and a sample without any */
static void nothing(void **unused)
{
	struct curve c = { .seen = { 0 } };
	struct curve_point p;

	(void)unused;
	p = curve_at(&c, 0, 1000, 1);
	assert_int_equal(p.served, 0);
	assert_int_equal(p.error, 0);
	p = curve_at(&c, 0, 1000, 16);
	assert_int_equal(p.error, 0);
	curve_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples),
		cmocka_unit_test(miniatures),
		cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
