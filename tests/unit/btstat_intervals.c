/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of intervals: what is added far ahead, and signals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/look.h"
#include "tools/btstat/intervals.h"
#include "tools/btstat/options.h"

enum { SIZE = 65536 };

struct rig {
	struct intervals i;
	struct buf b;
	volatile sig_atomic_t stop;
};

static void set_up(struct rig *r)
{
	static const struct stat_options o = { .interval = 1000,
					       .format = STAT_CSV };
	static const struct look look = { .width = 80 };

	r->stop = 0;
	assert_int_equal(buf_init(&r->b, -1, SIZE), 0);
	assert_int_equal(intervals_init(&r->i, &o, &r->b, &look, false,
					&r->stop), 0);
}

/* a request that is under way until a window ends, long behind the last event */
static void test_ahead(void **state)
{
	struct rig r;

	(void)state;
	set_up(&r);
	assert_int_equal(intervals_show(&r.i, 500, 1500), 0);
	assert_int_equal(intervals_under_way(&r.i, 1000, 100000), 0);
	assert_true(r.b.len > 0);
	intervals_free(&r.i);
	buf_free(&r.b);
}

/* rows that are over are not shown any more, but what is added is taken */
static void test_signal(void **state)
{
	struct rig r;

	(void)state;
	set_up(&r);
	r.stop = 1;
	assert_int_equal(intervals_show(&r.i, 0, 100000), 0);
	assert_int_equal(intervals_under_way(&r.i, 1000, 100000), 0);
	assert_int_equal(r.b.len, 0);
	intervals_free(&r.i);
	buf_free(&r.b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ahead),
		cmocka_unit_test(test_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
