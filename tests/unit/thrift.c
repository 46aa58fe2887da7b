/* SPDX-License-Identifier: GPL-2.0-only */
/* Thrift's compact protocol, byte by byte. */
#include "emit/parquet/thrift.h"
#include "chained.h"
#include "base/varint.h"

static void test_varint(void **state)
{
	uint8_t bytes[VARINT_BYTES];

	(void)state;
	assert_int_equal(varint_put(bytes, 0) - bytes, 1);
	assert_int_equal(varint_put(bytes, 127) - bytes, 1);
	assert_int_equal(varint_put(bytes, 300) - bytes, 2);
	assert_memory_equal(bytes, "\xac\x02", 2);
	assert_int_equal(varint_put(bytes, UINT64_MAX) - bytes, VARINT_BYTES);
	assert_int_equal(bytes[VARINT_BYTES - 1], 1);
	assert_int_equal(varint_zigzag(-1), 1);
	assert_int_equal(varint_zigzag(1), 2);
	assert_int_equal(varint_zigzag(INT64_MAX), UINT64_MAX - 1);
	assert_int_equal(varint_zigzag(INT64_MIN), UINT64_MAX);
}

static void test_fields(void **state)
{
	struct chained c;
	struct thrift t;

	(void)state;
	chained_init(&c);
	thrift_begin(&t, &c.chain);
	thrift_i32(&t, 1, -2);
	thrift_i64(&t, 3, 64);
	thrift_text(&t, 4, "ab");
	thrift_text(&t, 15, "");
	assert_int_equal(thrift_end(&t), 0);
	CHAINED_EXPECT(&c, 0x15, 0x03, 0x26, 0x80, 0x01, 0x18, 2, 'a', 'b',
		       0xb8, 0, 0);
	chained_free(&c);
}

/* numbers begin anew inside, and go on behind it */
static void test_structures(void **state)
{
	struct chained c;
	struct thrift t;

	(void)state;
	chained_init(&c);
	thrift_begin(&t, &c.chain);
	thrift_i32(&t, 2, 0);
	thrift_struct(&t, 5);
	thrift_i32(&t, 1, 1);
	thrift_struct(&t, 2);
	thrift_stop(&t);
	thrift_stop(&t);
	thrift_i32(&t, 6, 0);
	assert_int_equal(thrift_end(&t), 0);
	CHAINED_EXPECT(&c, 0x25, 0, 0x3c, 0x15, 2, 0x1c, 0, 0, 0x15, 0, 0);
	chained_free(&c);
}

static void test_lists(void **state)
{
	struct chained c;
	struct thrift t;

	(void)state;
	chained_init(&c);
	thrift_begin(&t, &c.chain);
	thrift_list(&t, 1, THRIFT_I32, 2);
	thrift_i32(&t, 0, 3);
	thrift_i32(&t, 0, -3);
	thrift_list(&t, 2, THRIFT_STRUCT, 1);
	thrift_struct(&t, 0);
	thrift_i32(&t, 1, 0);
	thrift_stop(&t);
	thrift_list(&t, 3, THRIFT_BINARY, 15);
	assert_int_equal(thrift_end(&t), 0);
	CHAINED_EXPECT(&c, 0x19, 0x25, 6, 5, 0x19, 0x1c, 0x15, 0, 0, 0x19,
		       0xf8, 15, 0);
	chained_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_varint),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_structures),
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
