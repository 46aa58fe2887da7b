/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's remarks between the records of tracefs' pipe. */
#include "capture/from/ftrace_pipe.h"
#include "make.h"

static struct remark at(const char *text)
{
	return remark_at((const uint8_t *)text, strlen(text));
}

static void check(const char *text, enum remark_kind kind, size_t len,
		  uint64_t lost)
{
	struct remark r = at(text);

	assert_int_equal(r.kind, kind);
	if (kind == REMARK_NONE || kind == REMARK_CUT)
		return;
	assert_int_equal(r.len, len);
	assert_int_equal(r.lost, lost);
}

/* the three that there are, whatever follows them */
static void test_known(void **state)
{
	(void)state;
	check("CPU:1 [LOST 29 EVENTS]\n", REMARK_LOST, 23, 29);
	check("CPU:511 [LOST 4294967296 EVENTS]\nmore", REMARK_LOST, 33,
	      UINT64_C(1) << 32);
	check("CPU:0 [LOST EVENTS]\n", REMARK_LOST_SOME, 20, 0);
	check("type: 5\ntype: 6\n", REMARK_ENTRY, 8, 0);
}

/* one that ends with the bytes may go on: every cut of it */
static void test_cut(void **state)
{
	const char *line = "CPU:1 [LOST 29 EVENTS]\n";

	(void)state;
	for (size_t len = 1; len < strlen(line); len++)
		assert_int_equal(remark_at((const uint8_t *)line, len).kind,
				 REMARK_CUT);
}

/* other bytes, other lines, and lines that are too long for a remark */
static void test_none(void **state)
{
	char line[128];

	(void)state;
	check("\a", REMARK_NONE, 0, 0);
	check("\n", REMARK_NONE, 0, 0);
	check("type: 5 \n", REMARK_NONE, 0, 0);
	check("type: x\n", REMARK_NONE, 0, 0);
	check("CPU 1 [LOST 29 EVENTS]\n", REMARK_NONE, 0, 0);
	check("CPU:1 [LOST SOME EVENTS]\n", REMARK_NONE, 0, 0);
	memset(line, 'C', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	check(line, REMARK_NONE, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
