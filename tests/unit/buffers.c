/* SPDX-License-Identifier: GPL-2.0-only */
/* Buffers: each is somebody's alone, and there are as many as are expected. */
#include "file/buffers.h"
#include "make.h"

/* as many as are expected, whenever that is known */
static void test_expected(void **state)
{
	enum { COUNT = 100 };
	struct buffers b = { .next = NULL };
	uint8_t *taken[COUNT];

	(void)state;
	assert_null(buffers_take(&b));
	buffers_expect(&b, COUNT - 1);
	for (int i = 0; i < COUNT; i++) {
		if (i == COUNT - 1) {
			assert_null(buffers_take(&b));
			buffers_expect(&b, 1);
		}
		taken[i] = buffers_take(&b);
		assert_non_null(taken[i]);
		memset(taken[i], i, BUFFERS_SIZE);
	}
	assert_null(buffers_take(&b));
	for (int i = 0; i < COUNT; i++)
		for (int at = 0; at < BUFFERS_SIZE; at++)
			assert_int_equal(taken[i][at], i);
	buffers_free(&b);
	assert_null(buffers_take(&b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
