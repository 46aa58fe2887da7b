/* SPDX-License-Identifier: GPL-2.0-only */
/* Completions without an io, device by device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blktrace.h"
#include "request/joiner.h"
#include "run/device.h"

static void complete(struct joiner *j, struct device *disk, uint32_t number,
		     uint32_t bytes)
{
	struct lane lane = { .device = disk };
	struct event ev = { .device = number, .lane = &lane, .time = 5,
			    .sector = 8, .bytes = bytes };

	ev.action = BLK_TA_COMPLETE | BLK_TC_ACT(BLK_TC_FS);
	joiner_event(j, &ev);
}

/* those of a disk's partitions are the disk's; empty ones are not counted */
static void test_devices(void **state)
{
	const struct joiner_bounds bounds = JOINER_BOUNDS;
	struct device disks[3] = { { .id = 0 }, { .id = 1 }, { .id = 2 } };
	struct joiner *j;

	(void)state;
	assert_int_equal(joiner_new(&j, &bounds), 0);
	complete(j, &disks[0], 100, 4096);
	complete(j, &disks[1], 200, 4096);
	complete(j, &disks[1], 201, 4096);
	complete(j, &disks[1], 201, 0);
	assert_int_equal(joiner_ghosts(j, &disks[0]), 1);
	assert_int_equal(joiner_ghosts(j, &disks[1]), 2);
	assert_int_equal(joiner_ghosts(j, &disks[2]), 0);
	assert_int_equal(joiner_counts(j)->leftovers[JOINER_GHOST_C], 3);
	joiner_free(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
