/* SPDX-License-Identifier: GPL-2.0-only */
/* Protobuf's encoding, byte by byte. */
#include "emit/perfetto/packet.h"

#include <stdlib.h>
#include <string.h>

#include "make.h"

/* what was written from some place on is these bytes */
static void assert_bytes(const uint8_t *from, const uint8_t *end,
			 const char *want, size_t len)
{
	assert_int_equal(end - from, len);
	assert_memory_equal(from, want, len);
}

#define ASSERT_BYTES(from, end, want) \
	assert_bytes(from, end, want, sizeof(want) - 1)

static void test_numbers(void **state)
{
	uint8_t p[64];

	(void)state;
	ASSERT_BYTES(p, protobuf_number(p, 1, 0), "\x08\0");
	ASSERT_BYTES(p, protobuf_number(p, 1, 150), "\x08\x96\x01");
	ASSERT_BYTES(p, protobuf_number(p, 15, 127), "\x78\x7f");
	ASSERT_BYTES(p, protobuf_number(p, 16, 128), "\x80\x01\x80\x01");
	ASSERT_BYTES(p, protobuf_number(p, 2047, UINT64_MAX),
		     "\xf8\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	ASSERT_BYTES(p, protobuf_fixed64(p, 47, 0x0102030405060708),
		     "\xf9\x02\x08\x07\x06\x05\x04\x03\x02\x01");
}

static void test_texts(void **state)
{
	uint8_t p[64];

	(void)state;
	ASSERT_BYTES(p, protobuf_text(p, 2, "testing"), "\x12\x07testing");
	ASSERT_BYTES(p, protobuf_text(p, 2, ""), "\x12\0");
	ASSERT_BYTES(p, protobuf_bytes(p, 2, "a\0b", 3), "\x12\x03" "a\0b");
}

/* messages in messages, of lengths that take one byte, two and three */
static void test_messages(void **state)
{
	static const size_t lengths[] = { 0, 1, 127, 128, 16383, 16384, 70000 };
	uint8_t *p = malloc(1 << 17);

	(void)state;
	assert_non_null(p);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		size_t n = lengths[i];
		uint8_t want[16], *end = protobuf_tag(want, 3, PROTOBUF_BYTES);
		uint8_t *body = protobuf_open(p, 3);

		memset(body, 'x', n);
		end = varint_put(end, n);
		assert_int_equal(protobuf_close(body, body + n) - p,
				 end - want + (long)n);
		assert_memory_equal(p, want, end - want);
		for (size_t at = 0; at < n; at++)
			assert_int_equal(p[end - want + (long)at], 'x');
	}
	free(p);
}

static void test_nested(void **state)
{
	uint8_t p[64], *outer = protobuf_open(p, 1);
	uint8_t *inner = protobuf_open(protobuf_number(outer, 1, 5), 20);
	uint8_t *end = protobuf_close(inner, protobuf_text(inner, 2, "in"));

	(void)state;
	end = protobuf_close(outer, protobuf_number(end, 3, 7));
	ASSERT_BYTES(p, end, "\x0a\x0b\x08\x05\xa2\x01\x04\x12\x02in\x18\x07");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_nested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
