/* SPDX-License-Identifier: GPL-2.0-only */
/* Packet commands in hexadecimal. */
#include "emit/cdb.h"
#include "make.h"

static void check(uint32_t action, const void *bytes, size_t len,
		  const char *text)
{
	struct event ev = EVENT(.action = action);
	char got[256];

	ev = with_payload(ev, bytes, len);
	assert_int_equal(cdb_any(&ev), *text != '\0');
	*cdb_text(got, &ev) = '\0';
	assert_string_equal(got, text);
}

/* bytes in pairs of digits, a blank between them */
static void test_bytes(void **state)
{
	(void)state;
	check(0, "\x28", 1, "28");
	check(0, "\x28\x00\xff\x0a", 4, "28 00 ff 0a");
}

/* zeros up to the end are one zero and two dots, even a single one */
static void test_zeros(void **state)
{
	(void)state;
	check(0, "\0", 1, "00 ..");
	check(0, "\0\0\0\0", 4, "00 ..");
	check(0, "\x12\0\0\x01\0\0\0", 7, "12 00 00 01 00 ..");
	check(0, "\x12\0", 2, "12 00 ..");
}

/* a cgroup id in front is no part of the command */
static void test_cgroup(void **state)
{
	(void)state;
	check(BLK_CGROUP_FLAG, "idididid\x2a\x01", 10, "2a 01");
	check(BLK_CGROUP_FLAG, "idididid", 8, "");
	check(BLK_CGROUP_FLAG, "idid", 4, "");
	check(0, "", 0, "");
}

/* the longest payload there is needs the room the header names, no more */
static void test_longest(void **state)
{
	uint8_t *bytes = malloc(BLK_PAYLOAD_MAX);
	char *text = malloc(3 * BLK_PAYLOAD_MAX + 3);
	struct event ev = EVENT(.action = 0);

	(void)state;
	memset(bytes, 0xab, BLK_PAYLOAD_MAX);
	ev = with_payload(ev, bytes, BLK_PAYLOAD_MAX);
	assert_ptr_equal(cdb_text(text, &ev), text + 3 * BLK_PAYLOAD_MAX - 1);
	bytes[BLK_PAYLOAD_MAX - 1] = 0;
	assert_ptr_equal(cdb_text(text, &ev), text + 3 * BLK_PAYLOAD_MAX + 2);
	free(bytes);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_zeros),
		cmocka_unit_test(test_cgroup),
		cmocka_unit_test(test_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
