/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages: blocks of zeros, each at the start of one. */
#include <unistd.h>

#include "base/pages.h"
#include "make.h"

/* zeros at the start of a page, which stay as more are added */
static void test_pages(void **state)
{
	enum { BLOCKS = 20, SIZE = 10000 };
	struct pages p = { .count = 0 };
	uint8_t *blocks[BLOCKS];

	(void)state;
	for (int i = 0; i < BLOCKS; i++) {
		blocks[i] = pages_add(&p, SIZE);
		assert_non_null(blocks[i]);
		assert_int_equal((uintptr_t)blocks[i] %
				 (uintptr_t)sysconf(_SC_PAGESIZE), 0);
		for (int at = 0; at < SIZE; at++)
			assert_int_equal(blocks[i][at], 0);
		memset(blocks[i], i + 1, SIZE);
	}
	for (int i = 0; i < BLOCKS; i++)
		for (int at = 0; at < SIZE; at++)
			assert_int_equal(blocks[i][at], i + 1);
	pages_free(&p);
	assert_int_equal(p.count, 0);
	/* half of it is there on i386 */
	assert_null(pages_add(&p, SIZE_MAX - UINT16_MAX));
	pages_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
