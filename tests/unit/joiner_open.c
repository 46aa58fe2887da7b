/* SPDX-License-Identifier: GPL-2.0-only */
/* Ios that are still open, as far as they are known. */
#include "make.h"
#include "request/io.h"
#include "request/joiner.h"

enum { SDA = 8 << 20 };

static struct joiner *joiner_of(void)
{
	const struct joiner_bounds bounds = JOINER_BOUNDS;
	struct joiner *j;

	assert_int_equal(joiner_new(&j, &bounds), 0);
	return j;
}

static void see(struct joiner *j, enum blk_action what, uint64_t time,
		uint64_t sector)
{
	const struct event ev = EVENT(.time = time, .sector = sector,
		.bytes = 4096, .device = SDA, .cpu = 2, .pid = 42,
		.action = ACT(what, CAT(READ) | CAT(FS)));
	const struct io *io = NULL;

	joiner_event(j, &ev);
	while (joiner_next(j, &io))
		;
}

static void test_order(void **state)
{
	struct joiner *j = joiner_of();
	const struct io *io = NULL;
	uint32_t at = 0;

	(void)state;
	see(j, BLK_TA_QUEUE, 100, 8);
	see(j, BLK_TA_GETRQ, 110, 8);
	see(j, BLK_TA_QUEUE, 200, 80);
	see(j, BLK_TA_GETRQ, 210, 80);
	see(j, BLK_TA_ISSUE, 220, 80);
	see(j, BLK_TA_QUEUE, 300, 800);
	assert_true(joiner_open(j, &at, &io));
	assert_int_equal(io->time, 100);
	assert_int_equal(io->ended, IO_ENDED_OPEN);
	assert_int_equal(io->pid, 42);
	assert_int_equal(io->bytes, 4096);
	assert_int_equal(io->rq, io->id);
	assert_true(io->total == IO_NONE);
	assert_true(io->issued == IO_NONE);
	assert_false(io->gap);
	assert_true(joiner_open(j, &at, &io));
	assert_int_equal(io->time, 200);
	assert_int_equal(io->issued, 220);
	assert_int_equal(io->depth, 1);
	assert_true(joiner_open(j, &at, &io));
	assert_int_equal(io->sector, 800);
	assert_int_equal(io->rq, 0);
	assert_false(joiner_open(j, &at, &io));
	joiner_free(j);
}

/* looking changes nothing; what has completed is not open */
static void test_completed(void **state)
{
	struct joiner *j = joiner_of();
	const struct io *io = NULL;
	uint32_t at = 0;

	(void)state;
	see(j, BLK_TA_QUEUE, 100, 8);
	see(j, BLK_TA_GETRQ, 110, 8);
	see(j, BLK_TA_ISSUE, 120, 8);
	see(j, BLK_TA_QUEUE, 130, 80);
	while (joiner_open(j, &at, &io))
		;
	joiner_event(j, &EVENT(.time = 150, .sector = 8, .bytes = 4096,
			       .device = SDA,
			       .action = ACT(BLK_TA_COMPLETE,
					     CAT(READ) | CAT(FS))));
	assert_true(joiner_next(j, &io));
	assert_int_equal(io->total, 50);
	assert_int_equal(io->phase[IO_D2C], 30);
	at = 0;
	assert_true(joiner_open(j, &at, &io));
	assert_int_equal(io->sector, 80);
	assert_false(joiner_open(j, &at, &io));
	joiner_free(j);
}

/* whether the io is still open cannot be known when events were lost */
static void test_gap(void **state)
{
	struct joiner *j = joiner_of();
	const struct io *io = NULL;
	uint32_t at = 0;

	(void)state;
	see(j, BLK_TA_QUEUE, 100, 8);
	joiner_gap(j, 0, SDA, true);
	joiner_gap(j, 0, SDA, false);
	see(j, BLK_TA_QUEUE, 200, 80);
	assert_true(joiner_open(j, &at, &io));
	assert_true(io->gap);
	assert_true(joiner_open(j, &at, &io));
	assert_false(io->gap);
	joiner_free(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_completed),
		cmocka_unit_test(test_gap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
