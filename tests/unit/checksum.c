/* SPDX-License-Identifier: GPL-2.0-only */
/* The checksum of bytes does not depend on how many come at a time. */
#include "make.h"

#include "base/checksum.h"

enum { BYTES = 5003 };

static void fill(uint8_t *p)
{
	for (size_t i = 0; i < BYTES; i++)
		p[i] = (uint8_t)(i * 7 + i / 256);
}

/* the words one by one, as it is defined */
static uint64_t by_bytes(const uint8_t *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < BYTES; i++)
		sum += (uint64_t)p[i] << (i % 8 * 8);
	return sum;
}

static void test_parts(void **state)
{
	uint8_t bytes[BYTES];

	(void)state;
	fill(bytes);
	for (size_t each = 1; each <= BYTES; each += each < 70 ? 1 : 611) {
		struct checksum c = { 0 };

		for (size_t at = 0; at < BYTES; at += each)
			checksum_add(&c, bytes + at, BYTES - at < each ?
				     BYTES - at : each);
		assert_int_equal(c.len, BYTES);
		assert_true(c.sum == by_bytes(bytes));
	}
}

static void test_change(void **state)
{
	uint8_t bytes[BYTES];
	struct checksum c = { 0 };

	(void)state;
	fill(bytes);
	bytes[1234] ^= 8;
	checksum_add(&c, bytes, BYTES);
	fill(bytes);
	assert_false(c.sum == by_bytes(bytes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts), cmocka_unit_test(test_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
