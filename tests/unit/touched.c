/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of cache/touched and cache/blocks, of all blocks and of samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cache/blocks.h"
#include "cache/touched.h"

enum { MOST = 4096, BLOCKS = 100000 };

/* --- touched -------------------------------------------------------------- */

static void groups(void **unused)
{
	struct touched_row *rows;
	struct touched *t;
	uint32_t count;

	(void)unused;
	assert_int_equal(touched_new(&t, MOST), 0);
	for (unsigned int again = 0; again < 2; again++)
		for (uint64_t i = 0; i < 500; i++) {
			assert_int_equal(touched_add(t, (struct touched_by){ 0, 0 }, sampled_of(i), false),
					 0);
			assert_int_equal(touched_add(t, (struct touched_by){ 2, 0 }, sampled_of(2 * i),
						     i % 5 == 0), 0);
		}
	assert_int_equal(touched_add(t, (struct touched_by){ 0, 0 }, sampled_of(7), true), 0);
	assert_int_equal(touched_rows(t, TOUCHED_PROCESS, &rows, &count), 0);
	assert_int_equal(touched_share(t), 1);
	assert_int_equal(count, 2);
	assert_int_equal(rows[0].all, 500);
	assert_int_equal(rows[0].read, 500);
	assert_int_equal(rows[0].written, 1);
	assert_int_equal(rows[1].group, 2);
	assert_int_equal(rows[1].all, 500);
	assert_int_equal(rows[1].read, 400);
	assert_int_equal(rows[1].written, 100);
	free(rows);
	touched_free(t);
}

/* A block of two hours counts once for its process. */
static void processes_and_hours(void **unused)
{
	struct touched_row *rows;
	struct touched *t;
	uint32_t count;

	(void)unused;
	assert_int_equal(touched_new(&t, MOST), 0);
	for (uint32_t i = 0; i < 300; i++)
		for (uint32_t hour = 0; hour < 3; hour += 2)
			assert_int_equal(touched_add(t,
				(struct touched_by){ i % 2, hour },
				sampled_of(i), hour), 0);
	assert_int_equal(touched_rows(t, TOUCHED_PROCESS, &rows, &count), 0);
	assert_int_equal(count, 2);
	assert_int_equal(rows[0].all, 150);
	assert_int_equal(rows[0].read, 150);
	assert_int_equal(rows[1].written, 150);
	free(rows);
	assert_int_equal(touched_rows(t, TOUCHED_HOUR, &rows, &count), 0);
	assert_int_equal(count, 2);
	assert_int_equal(rows[1].group, 2);
	assert_int_equal(rows[1].all, 300);
	assert_int_equal(rows[1].read, 0);
	assert_int_equal(rows[0].written, 0);
	free(rows);
	touched_free(t);
}

/* of two groups, one of which touched twice as much */
static void sample_of_groups(void **unused)
{
	struct touched_row *rows;
	struct touched *t;
	uint32_t count;

	(void)unused;
	assert_int_equal(touched_new(&t, MOST), 0);
	for (uint64_t i = 0; i < BLOCKS; i++) {
		assert_int_equal(touched_add(t, (struct touched_by){ 0, 0 }, sampled_of(3 * i), true), 0);
		if (i % 2)
			assert_int_equal(touched_add(t, (struct touched_by){ 1, 0 }, sampled_of(3 * i),
						     false), 0);
	}
	assert_int_equal(touched_rows(t, TOUCHED_PROCESS, &rows, &count), 0);
	assert_int_equal(count, 2);
	assert_true(touched_share(t) >= 32);
	assert_in_range(rows[0].all, BLOCKS * 0.93, BLOCKS * 1.07);
	assert_in_range(rows[1].all, BLOCKS * 0.45, BLOCKS * 0.55);
	assert_int_equal(rows[0].read, 0);
	assert_int_equal(rows[1].written, 0);
	free(rows);
	touched_free(t);
}

/* --- blocks --------------------------------------------------------------- */

/* One block in ten has nine accesses of every eighteen, and is written every
 * BLOCKS ns. */
static void hot(struct blocks_facts *f, uint32_t most)
{
	struct blocks *b;
	uint64_t time = 0;

	assert_int_equal(blocks_new(&b, most), 0);
	for (unsigned int round = 0; round < 9; round++)
		for (uint64_t i = 0; i < BLOCKS; i++, time++)
			if (i % 10 == 0 || round == 0)
				assert_int_equal(blocks_access(b, sampled_of(i),
					i % 10 == 0, time), 0);
	assert_int_equal(blocks_facts(b, f), 0);
	blocks_free(b);
}

static void near(uint32_t ppm, double share)
{
	assert_in_range(ppm, (share - 0.02) * 1e6, (share + 0.02) * 1e6);
}

static void histories(void **unused)
{
	struct blocks_facts f;

	(void)unused;
	hot(&f, BLOCKS + 1);
	assert_int_equal(f.top_10, 500000);
	assert_int_equal(f.top_1, 50000);
	assert_int_equal(f.rewritten, 888889);
	assert_int_equal(f.within[0], 888889);
	hot(&f, MOST);
	near(f.top_10, 0.5);
	near(f.top_1, 0.05);
	near(f.rewritten, 8.0 / 9);
}

/* the times of overwriting, and none of a block that was only read */
static void ages(void **unused)
{
	const uint64_t second = 1000000000;
	struct blocks_facts f;
	struct blocks *b;

	(void)unused;
	assert_int_equal(blocks_new(&b, MOST), 0);
	assert_int_equal(blocks_facts(b, &f), 0);
	assert_false(f.any_writes);
	assert_int_equal(f.top_1, 0);
	for (uint64_t i = 0; i < 4; i++)
		assert_int_equal(blocks_access(b, sampled_of(i), true, 0), 0);
	assert_int_equal(blocks_access(b, sampled_of(9), false, 0), 0);
	assert_int_equal(blocks_access(b, sampled_of(0), true, second - 1), 0);
	assert_int_equal(blocks_access(b, sampled_of(1), true, second), 0);
	assert_int_equal(blocks_access(b, sampled_of(2), true, 59 * second), 0);
	assert_int_equal(blocks_access(b, sampled_of(3), true, 60 * second), 0);
	assert_int_equal(blocks_facts(b, &f), 0);
	assert_int_equal(f.rewritten, 500000);
	assert_int_equal(f.within[0], 125000);
	assert_int_equal(f.within[1], 250000);
	assert_int_equal(f.within[2], 375000);
	blocks_free(b);
}

/* A discard ends what was written, once; of a range, and of all blocks. */
static void discards(void **unused)
{
	const uint64_t second = 1000000000;
	struct blocks_facts f;
	struct blocks *b;

	(void)unused;
	assert_int_equal(blocks_new(&b, MOST), 0);
	for (uint64_t i = 0; i < 8; i++)
		assert_int_equal(blocks_access(b, sampled_of(i), true, 0), 0);
	blocks_discard(b, (struct sample_range){ 2, 3, 0, 0 }, second / 2);
	blocks_discard(b, (struct sample_range){ 3, 3, 0, 0 }, second / 2);
	assert_int_equal(blocks_facts(b, &f), 0);
	assert_int_equal(f.rewritten, 250000);
	assert_int_equal(f.within[0], 250000);
	blocks_discard(b, (struct sample_range){ 0, 1 << 20, 0, 0 }, 2 * second);
	assert_int_equal(blocks_access(b, sampled_of(0), true, 3 * second), 0);
	assert_int_equal(blocks_facts(b, &f), 0);
	assert_int_equal(f.rewritten, 888889);
	assert_int_equal(f.within[0], 222222);
	assert_int_equal(f.within[1], 888889);
	blocks_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups),
		cmocka_unit_test(processes_and_hours),
		cmocka_unit_test(sample_of_groups),
		cmocka_unit_test(histories),
		cmocka_unit_test(ages),
		cmocka_unit_test(discards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
