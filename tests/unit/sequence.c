/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of stat/sequence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stat/sequence.h"

static int setup(void **state)
{
	static struct sequence s;

	*state = &s;
	return sequence_init(&s);
}

static int teardown(void **state)
{
	sequence_free(*state);
	return 0;
}

static void in_order_of_birth(void **state)
{
	struct sequence *s = *state;
	struct sequence_run a = { 0 };

	/* queued 0, 8, 16, which end in another order */
	sequence_add(s, 3, &a, 16, 24);
	sequence_add(s, 2, &a, 8, 16);
	assert_int_equal(a.sequential, 0);
	sequence_add(s, 1, &a, 0, 8);
	assert_int_equal(a.sequential, 2);
}

static void runs_are_apart(void **state)
{
	struct sequence *s = *state;
	struct sequence_run a = { 0 }, b = { 0 };

	sequence_add(s, 1, &a, 0, 8);
	sequence_add(s, 2, &b, 8, 16);
	sequence_add(s, 3, NULL, 8, 9);
	sequence_add(s, 4, &a, 8, 16);
	sequence_add(s, 5, &b, 24, 32);
	assert_int_equal(a.sequential, 1);
	assert_int_equal(b.sequential, 0);
}

static void sector_zero_is_no_continuation(void **state)
{
	struct sequence *s = *state;
	struct sequence_run a = { 0 };

	sequence_add(s, 1, &a, 0, 8);
	assert_int_equal(a.sequential, 0);
	sequence_add(s, 2, &a, 0, 8);
	assert_int_equal(a.sequential, 0);
}

/* id 1 never leaves; it is left out when the window is full */
static void overtaken(void **state)
{
	struct sequence *s = *state;
	struct sequence_run a = { 0 };
	uint64_t id;

	for (id = 2; id <= SEQUENCE_WINDOW; id++)
		sequence_add(s, id, &a, id, id + 1);
	assert_int_equal(a.sequential, 0);
	sequence_add(s, id, &a, id, id + 1);
	assert_int_equal(a.sequential, SEQUENCE_WINDOW - 1);
	sequence_add(s, 1, &a, 1, 2);
	assert_int_equal(a.sequential, SEQUENCE_WINDOW - 1);
	/* and one from far away */
	sequence_add(s, UINT64_MAX / 2, &a, 7, 8);
	sequence_flush(s);
	assert_int_equal(a.sequential, SEQUENCE_WINDOW - 1);
}

static void flushed(void **state)
{
	struct sequence *s = *state;
	struct sequence_run a = { 0 };

	sequence_add(s, 5, &a, 8, 16);
	sequence_add(s, 4, &a, 0, 8);
	sequence_flush(s);
	assert_int_equal(a.sequential, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(in_order_of_birth, setup,
						teardown),
		cmocka_unit_test_setup_teardown(runs_are_apart, setup,
						teardown),
		cmocka_unit_test_setup_teardown(sector_zero_is_no_continuation,
						setup, teardown),
		cmocka_unit_test_setup_teardown(overtaken, setup, teardown),
		cmocka_unit_test_setup_teardown(flushed, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
