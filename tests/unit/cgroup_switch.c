/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's switch for cgroup ids: one user, two, and one that dies. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/from/cgroup_switch.h"
#include "memory_place.h"

/* --- the switch ----------------------------------------------------------- */

static char reads(void)
{
	char path[PATHS], text = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/options/blk_cgroup", top);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fread(&text, 1, 1, f), 1);
	fclose(f);
	return text;
}

/* the one that began first may end first, or last */
static void test_two(void **state)
{
	(void)state;
	for (int last = 0; last < 2; last++) {
		struct cgroup_switch *s[2];

		spew("options/blk_cgroup", "0\n");
		assert_int_equal(cgroup_switch_on(&s[0], top), 0);
		assert_int_equal(reads(), '1');
		assert_int_equal(cgroup_switch_on(&s[1], top), 0);
		assert_int_equal(cgroup_switch_off(s[!last]), 0);
		assert_int_equal(reads(), '1');
		assert_int_equal(cgroup_switch_off(s[last]), 0);
		assert_int_equal(reads(), '0');
	}
}

static void test_was_on(void **state)
{
	struct cgroup_switch *s[2];

	(void)state;
	spew("options/blk_cgroup", "1\n");
	assert_int_equal(cgroup_switch_on(&s[0], top), 0);
	assert_int_equal(cgroup_switch_on(&s[1], top), 0);
	assert_int_equal(cgroup_switch_off(s[0]), 0);
	assert_int_equal(cgroup_switch_off(s[1]), 0);
	assert_int_equal(reads(), '1');
}

/* A process that dies with it leaves it on, and no lock behind. */
static void test_died(void **state)
{
	struct cgroup_switch *s;
	int status;
	pid_t pid;

	(void)state;
	spew("options/blk_cgroup", "0\n");
	pid = fork();
	if (!pid)
		_exit(cgroup_switch_on(&s, top) != 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(reads(), '1');
	assert_int_equal(cgroup_switch_on(&s, top), 0);
	assert_int_equal(cgroup_switch_off(s), 0);
	assert_int_equal(reads(), '1');
}

static void test_no_switch(void **state)
{
	struct cgroup_switch *s;
	char path[PATHS];

	(void)state;
	snprintf(path, sizeof(path), "%s/options", top);
	assert_int_equal(cgroup_switch_on(&s, path), -EOPNOTSUPP);
	assert_null(s);
	snprintf(path, sizeof(path), "%s/nowhere", top);
	assert_int_equal(cgroup_switch_on(&s, path), -ENOENT);
	assert_int_equal(cgroup_switch_off(NULL), 0);
}

static int make_options(void **state)
{
	if (make_top(state))
		return -1;
	make("options");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two),
		cmocka_unit_test(test_was_on),
		cmocka_unit_test(test_died),
		cmocka_unit_test(test_no_switch),
	};

	return cmocka_run_group_tests(tests, make_options, remove_top);
}
