/* SPDX-License-Identifier: GPL-2.0-only */
/* When the list of processes' names is read, and when what it had is used. */
#include <sys/prctl.h>
#include <unistd.h>

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

/* an old list is enough if the process still has the name */
static void test_confirmed(void **state)
{
	struct ftrace_names n = { .text = NULL };
	uint32_t self = (uint32_t)getpid();
	char list[64];

	(void)state;
	assert_int_equal(prctl(PR_SET_NAME, "mine"), 0);
	snprintf(list, sizeof(list), "%u mine\n", self);
	put("saved_cmdlines", list);
	check_name(&n, self, "mine");
	ftrace_names_age(&n);
	snprintf(list, sizeof(list), "%u other\n", self);
	put("saved_cmdlines", list);
	check_name(&n, self, "mine");
	assert_int_equal(prctl(PR_SET_NAME, "renamed"), 0);
	check_name(&n, self, "other");
	ftrace_names_free(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_list),
		IN_SCRATCH(test_confirmed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
