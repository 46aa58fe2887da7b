/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays: what is in them stays, and too much is refused. */
#include "base/array.h"
#include "make.h"

/* room is made at first, and then twice as much whenever it is full */
static void test_grows(void **state)
{
	enum { FIRST = 3, COUNT = 100 };
	uint32_t *list = NULL;
	size_t size = 0, moves = 0;

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		size_t before = size;

		list = array_reserve(list, i, &size, FIRST, sizeof(*list));
		assert_non_null(list);
		assert_true(size > i);
		moves += size != before;
		list[i] = i;
	}
	assert_int_equal(size, 192);
	assert_int_equal(moves, 7);
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(list[i], i);
	free(list);
}

/* the product of number and size is not to wrap: nothing is changed then */
static void test_too_many(void **state)
{
	/* a compiler that sees such a number warns of it */
	volatile size_t half = SIZE_MAX / 2 + 1;
	size_t size;
	uint32_t *list = array_resize(NULL, 2, sizeof(*list));

	(void)state;
	assert_non_null(list);
	list[1] = 7;
	assert_null(array_resize(list, half, sizeof(*list)));
	size = half / 2;
	assert_null(array_reserve(list, size, &size, 1, sizeof(*list)));
	assert_int_equal(size, SIZE_MAX / 4 + 1);
	assert_int_equal(list[1], 7);
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grows),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
