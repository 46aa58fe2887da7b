/* SPDX-License-Identifier: GPL-2.0-only */
/* How far requests begin from the one that was issued before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blktrace.h"
#include "request/io.h"
#include "request/joiner.h"
#include "run/device.h"

enum { DISK = 8 << 20, OTHER = 9 << 20 };

static void event(struct joiner *j, uint32_t number, uint32_t action,
		  uint64_t sector, uint32_t sectors)
{
	static struct device disk;
	static struct lane lane = { .device = &disk };
	struct event ev = { .device = number, .lane = &lane, .time = 5,
			    .sector = sector, .bytes = sectors << 9 };

	ev.action = action | BLK_TC_ACT(BLK_TC_FS) | BLK_TC_ACT(BLK_TC_READ);
	joiner_event(j, &ev);
}

static void issue(struct joiner *j, uint32_t number, uint64_t sector,
		  uint32_t sectors)
{
	event(j, number, BLK_TA_QUEUE, sector, sectors);
	event(j, number, BLK_TA_GETRQ, sector, sectors);
	event(j, number, BLK_TA_ISSUE, sector, sectors);
}

/* the seek of the one that ends now */
static int64_t complete(struct joiner *j, uint32_t number, uint64_t sector,
			uint32_t sectors)
{
	const struct io *io = NULL;

	event(j, number, BLK_TA_COMPLETE, sector, sectors);
	assert_int_equal(joiner_next(j, &io), 1);
	return io->seek;
}

static int setup(void **state)
{
	const struct joiner_bounds bounds = JOINER_BOUNDS;

	struct joiner *j = NULL;

	if (joiner_new(&j, &bounds))
		return -1;
	*state = j;
	return joiner_want_seeks(j);
}

static int teardown(void **state)
{
	joiner_free(*state);
	return 0;
}

/* in the order in which they were issued, whichever is done first */
static void test_order(void **state)
{
	struct joiner *j = *state;

	issue(j, DISK, 100, 8);
	issue(j, DISK, 108, 8);
	issue(j, OTHER, 5000, 8);
	issue(j, DISK, 16, 16);
	assert_int_equal(complete(j, DISK, 16, 16), -100);
	assert_int_equal(complete(j, DISK, 108, 8), 0);
	assert_true(complete(j, DISK, 100, 8) == IO_NO_SEEK);
	assert_true(complete(j, OTHER, 5000, 8) == IO_NO_SEEK);
}

/* it counts where its request begins, for the lead alone */
static void test_merged(void **state)
{
	struct joiner *j = *state;
	const struct io *io;
	bool lead = false;

	issue(j, DISK, 100, 8);
	complete(j, DISK, 100, 8);
	event(j, DISK, BLK_TA_QUEUE, 208, 8);
	event(j, DISK, BLK_TA_GETRQ, 208, 8);
	event(j, DISK, BLK_TA_QUEUE, 200, 8);
	event(j, DISK, BLK_TA_FRONTMERGE, 200, 8);
	event(j, DISK, BLK_TA_ISSUE, 200, 16);
	event(j, DISK, BLK_TA_COMPLETE, 200, 16);
	while (joiner_next(j, &io)) {
		assert_true(io->seek == (io_leads(io) ? 92 : IO_NO_SEEK));
		lead |= io_leads(io);
	}
	assert_true(lead);
}

/* sent back and issued again it has not moved; with another between it has */
static void test_requeued(void **state)
{
	struct joiner *j = *state;

	issue(j, DISK, 100, 8);
	complete(j, DISK, 100, 8);
	issue(j, DISK, 200, 8);
	event(j, DISK, BLK_TA_REQUEUE, 200, 8);
	event(j, DISK, BLK_TA_ISSUE, 200, 8);
	assert_int_equal(complete(j, DISK, 200, 8), 92);
	issue(j, DISK, 300, 8);
	event(j, DISK, BLK_TA_REQUEUE, 300, 8);
	issue(j, DISK, 400, 8);
	event(j, DISK, BLK_TA_ISSUE, 300, 8);
	assert_int_equal(complete(j, DISK, 400, 8), 92);
	assert_int_equal(complete(j, DISK, 300, 8), -108);
}

/* what is no place on a disk is no distance either */
static void test_far(void **state)
{
	struct joiner *j = *state;

	issue(j, DISK, 100, 8);
	issue(j, DISK, UINT64_MAX - 15, 8);
	issue(j, DISK, 300, 8);
	issue(j, DISK, 400, 8);
	assert_true(complete(j, DISK, UINT64_MAX - 15, 8) == IO_NO_SEEK);
	assert_true(complete(j, DISK, 300, 8) == IO_NO_SEEK);
	assert_int_equal(complete(j, DISK, 400, 8), 92);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_merged, setup, teardown),
		cmocka_unit_test_setup_teardown(test_requeued, setup, teardown),
		cmocka_unit_test_setup_teardown(test_far, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
