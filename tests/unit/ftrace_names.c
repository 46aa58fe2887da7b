/* SPDX-License-Identifier: GPL-2.0-only */
/* When the list of processes' names is read, and when what it had is used. */
#include "capture/from/ftrace_notes.h"
#include "scratch.h"

static void check_name(struct ftrace_names *n, uint32_t pid, const char *name)
{
	char got[NOTES_NAME];

	ftrace_names_get(n, ".", pid, got);
	assert_string_equal(got, name);
}

/* pids that no process has: /proc knows none of them */
enum { FIRST = 1 << 30, SECOND, THIRD };

/* what is in the list is good for a while; what is not is looked for again */
static void test_list(void **state)
{
	struct ftrace_names n = { .text = NULL };

	(void)state;
	put("saved_cmdlines", "1073741824 one\n");
	check_name(&n, FIRST, "one");
	put("saved_cmdlines", "1073741824 uno\n1073741825 two\n");
	check_name(&n, FIRST, "one");
	check_name(&n, SECOND, "<...>");
	ftrace_names_next(&n);
	check_name(&n, FIRST, "one");
	check_name(&n, SECOND, "two");
	put("saved_cmdlines", "1073741824 eins\n1073741826 three\n");
	check_name(&n, FIRST, "uno");
	check_name(&n, THIRD, "<...>");
	ftrace_names_age(&n);
	check_name(&n, FIRST, "eins");
	check_name(&n, THIRD, "three");
	ftrace_names_free(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
