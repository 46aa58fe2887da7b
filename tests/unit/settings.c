/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's switches, on plain files: set for a while and put back. */
#include <errno.h>

#include "capture/from/ftrace_settings.h"
#include "scratch.h"

static struct settings settings(void)
{
	return (struct settings){ .root = "." };
}

/* all is put back, and nothing is left to put back */
static void restore(struct settings *s)
{
	assert_int_equal(settings_restore(s), 0);
	assert_int_equal(s->count, 0);
	assert_null(s->list);
	assert_string_equal(s->why, "");
}

static void check_value(const char *text, const char *value)
{
	struct settings s = settings();
	char got[SETTING_TEXT];

	put("one", text);
	assert_int_equal(settings_get(&s, "one", got), 0);
	assert_string_equal(got, value);
}

/* what a switch is set to, in the three ways that the kernel shows it */
static void test_values(void **state)
{
	(void)state;
	check_value("1\n", "1");
	check_value("", "");
	check_value("nop\nmore\n", "nop");
	check_value("[local] global mono\n", "local");
	check_value("local global [mono]\n", "mono");
	check_value("7 (expanded: 1408)\n", "1408");
	check_value("none [mq-deadline", "mq-deadline");
}

/* one that is longer than any is cut, never overrun */
static void test_long(void **state)
{
	char text[2 * SETTING_TEXT], got[SETTING_TEXT];
	struct settings s = settings();

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	put("one", text);
	assert_int_equal(settings_get(&s, "one", got), 0);
	assert_int_equal(strlen(got), SETTING_TEXT - 1);
}

/* put back in the opposite order, the first value of two */
static void test_put(void **state)
{
	struct settings s = settings();

	(void)state;
	put("one", "0\n");
	put("two", "[a] b\n");
	assert_int_equal(settings_change(&s, "one", "1"), 0);
	assert_int_equal(settings_change(&s, "two", "b"), 0);
	assert_int_equal(settings_change(&s, "one", "2"), 0);
	check_text("one", "2");
	check_text("two", "b");
	assert_int_equal(s.count, 3);
	restore(&s);
	check_text("one", "0");
	check_text("two", "a");
}

/* one that is set already is not written to, nor one that is not there */
static void test_nothing_to_do(void **state)
{
	struct settings s = settings();

	(void)state;
	put("one", "a [b]\n");
	assert_int_equal(settings_change(&s, "one", "b"), 0);
	assert_int_equal(settings_change(&s, "missing", "1"), 0);
	assert_int_equal(s.count, 0);
	check_text("one", "a [b]\n");
	assert_int_equal(access("missing", F_OK), -1);
	restore(&s);
}

/* a number is only ever made larger */
static void test_raise(void **state)
{
	struct settings s = settings();

	(void)state;
	put("one", "7 (expanded: 1408)\n");
	assert_int_equal(settings_raise(&s, "one", 1408), 0);
	check_text("one", "7 (expanded: 1408)\n");
	assert_int_equal(settings_raise(&s, "one", 1409), 0);
	check_text("one", "1409");
	restore(&s);
	check_text("one", "1408");
}

/* set for good, and remembered without being set */
static void test_force_and_keep(void **state)
{
	struct settings s = settings();

	(void)state;
	put("one", "0\n");
	put("two", "0\n");
	assert_int_equal(settings_set(&s, "one", "5"), 0);
	assert_int_equal(settings_add(&s, "two", "6"), 0);
	check_text("two", "0\n");
	restore(&s);
	check_text("one", "5");
	check_text("two", "6");
}

/* the first failure keeps its reason, and the file's name is in it */
static void test_why(void **state)
{
	struct settings s = settings();
	char got[SETTING_TEXT];

	(void)state;
	assert_int_equal(settings_get(&s, "missing", got), -ENOENT);
	assert_string_equal(s.why, "./missing: No such file or directory");
	assert_int_equal(mkdir("folder", 0755), 0);
	assert_int_equal(settings_set(&s, "folder", "1"), -EISDIR);
	assert_int_equal(settings_change(&s, "folder", "1"), -EISDIR);
	assert_int_equal(settings_fail(&s, -EBUSY, "x", "y"), -EBUSY);
	assert_string_equal(s.why, "./missing: No such file or directory");
	assert_int_equal(settings_restore(&s), 0);
}

/* one that cannot be put back does not keep the others */
static void test_halfway(void **state)
{
	struct settings s = settings();

	(void)state;
	put("one", "0\n");
	put("two", "0\n");
	put("three", "0\n");
	assert_int_equal(settings_change(&s, "one", "1"), 0);
	assert_int_equal(settings_change(&s, "two", "1"), 0);
	assert_int_equal(settings_change(&s, "three", "1"), 0);
	assert_int_equal(remove("two"), 0);
	assert_int_equal(mkdir("two", 0755), 0);
	assert_int_equal(settings_restore(&s), -EISDIR);
	assert_string_equal(s.why, "./two: Is a directory");
	check_text("one", "0");
	check_text("three", "0");
}

/* a write that fails may have changed something: it is tried to put back */
static void test_full(void **state)
{
	struct settings s = { .root = "/dev" };

	(void)state;
	assert_int_equal(setting_write("/dev/full", "1"), -ENOSPC);
	assert_int_equal(settings_change(&s, "full", "1"), -ENOSPC);
	assert_int_equal(s.count, 1);
	assert_int_equal(settings_restore(&s), -ENOSPC);
	assert_int_equal(s.count, 0);
	assert_string_equal(s.why, "/dev/full: No space left on device");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_values),
		IN_SCRATCH(test_long),
		IN_SCRATCH(test_put),
		IN_SCRATCH(test_nothing_to_do),
		IN_SCRATCH(test_raise),
		IN_SCRATCH(test_force_and_keep),
		IN_SCRATCH(test_why),
		IN_SCRATCH(test_halfway),
		IN_SCRATCH(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
