/* SPDX-License-Identifier: GPL-2.0-only */
/* What a collector knows of runs that may be resumed, over restarts. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "heard.h"
#include "server/tokens.h"

enum { WHEN = 1234567890 };

static const uint8_t one[FRAME_TOKEN] = { 1, 0xab }, two[FRAME_TOKEN] = { 2 };

struct rig {
	void *scratch;
	struct tokens *tokens;
};

static void start_at(struct rig *r, time_t now)
{
	int dir = open(".", O_RDONLY | O_DIRECTORY);

	tokens_free(r->tokens);
	r->tokens = NULL;
	assert_int_equal(tokens_open(&r->tokens, dir, now), 0);
	close(dir);
}

static int enter(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	*state = r;
	return !r || scratch_enter(&r->scratch);
}

static int leave(void **state)
{
	struct rig *r = *state;

	tokens_free(r->tokens);
	scratch_leave(&r->scratch);
	free(r);
	return 0;
}

#define FILE_ONE ".runs/01ab0000000000000000000000000000"

/* --- tests ---------------------------------------------------------------- */

static void test_restart(void **state)
{
	struct rig *r = *state;
	const struct token_run *run;

	start_at(r, WHEN);
	assert_null(tokens_find(r->tokens, one, WHEN));
	assert_int_equal(tokens_add(r->tokens, one, "web1-x", "web1", WHEN), 0);
	assert_int_equal(tokens_add(r->tokens, two, "web2-x", "web2", WHEN), 0);
	assert_int_equal(tokens_end(r->tokens, two, WHEN), 0);
	for (int again = 0; again < 2; again++) {
		run = tokens_find(r->tokens, one, WHEN);
		assert_non_null(run);
		assert_string_equal(run->directory, "web1-x");
		assert_string_equal(run->sender, "web1");
		assert_false(run->ended);
		run = tokens_find(r->tokens, two, WHEN);
		assert_non_null(run);
		assert_true(run->ended);
		assert_true(tokens_has(r->tokens, "web1-x"));
		assert_false(tokens_has(r->tokens, "web2-x"));
		start_at(r, WHEN);
	}
}

/* an ended one for a day, one without an end for a month */
static void test_forget(void **state)
{
	struct rig *r = *state;
	time_t now = WHEN + TOKENS_ENDED + 100;

	start_at(r, WHEN);
	tokens_add(r->tokens, one, "web1-x", "web1", WHEN);
	tokens_add(r->tokens, two, "web2-x", "web2", WHEN);
	tokens_end(r->tokens, two, WHEN);
	tokens_tidy(r->tokens, WHEN + TOKENS_ENDED - 100);
	start_at(r, WHEN);
	assert_non_null(tokens_find(r->tokens, two, WHEN));
	tokens_tidy(r->tokens, now);
	assert_null(tokens_find(r->tokens, two, now));
	assert_true(tokens_has(r->tokens, "web1-x"));
	now = WHEN + TOKENS_LEFT + 100;
	/* a server that was away waits for its senders as long */
	start_at(r, now);
	tokens_tidy(r->tokens, now + 100);
	assert_true(tokens_has(r->tokens, "web1-x"));
	tokens_tidy(r->tokens, now + TOKENS_LEFT + 100);
	assert_false(tokens_has(r->tokens, "web1-x"));
	assert_int_equal(access(FILE_ONE, F_OK), -1);
}

/* whatever is in a file: at worst the run has a new directory */
static void test_bad_files(void **state)
{
	static const char *const bad[] = {
		"", "web1-x", "web1-x\n", "\nweb1\n", "../x\nweb1\n",
		".runs\nweb1\n", "a/b\nweb1\n", "web1-x\nweb1",
	};
	struct rig *r = *state;

	start_at(r, WHEN);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		put(FILE_ONE, bad[i]);
		start_at(r, WHEN);
		assert_null(tokens_find(r->tokens, one, WHEN));
	}
	put(FILE_ONE, "web1-x\nweb1\nend");
	start_at(r, WHEN);
	assert_false(tokens_find(r->tokens, one, WHEN)->ended);
	put(FILE_ONE, "web1-x\nweb1\nended\n");
	put(".runs/README", "no token\n");
	assert_int_equal(mkdir(".runs/02000000000000000000000000000000", 0700),
			 0);
	start_at(r, WHEN);
	assert_true(tokens_find(r->tokens, one, WHEN)->ended);
	assert_null(tokens_find(r->tokens, two, WHEN));
}

/* it is known whether the machine was started anew in between */
static void test_reboot(void **state)
{
	struct rig *r = *state;

	start_at(r, WHEN);
	tokens_add(r->tokens, one, "web1-x", "web1", WHEN);
	start_at(r, WHEN);
	assert_false(tokens_find(r->tokens, one, WHEN)->rebooted);
	put(FILE_ONE, "web1-x\nweb1\nboot 0123\n");
	start_at(r, WHEN);
	assert_true(tokens_find(r->tokens, one, WHEN)->rebooted);
	assert_int_equal(tokens_checked(r->tokens, one), 0);
	start_at(r, WHEN);
	assert_false(tokens_find(r->tokens, one, WHEN)->rebooted);
	put(FILE_ONE, "web1-x\nweb1\n");
	start_at(r, WHEN);
	assert_true(tokens_find(r->tokens, one, WHEN)->rebooted);
}

/* a directory that was lost is replaced */
static void test_replace(void **state)
{
	struct rig *r = *state;

	start_at(r, WHEN);
	tokens_add(r->tokens, one, "a-long-name-that-is-cut", "web1", WHEN);
	tokens_add(r->tokens, one, "web1-x", "web1", WHEN);
	assert_false(tokens_has(r->tokens, "a-long-name-that-is-cut"));
	start_at(r, WHEN);
	assert_string_equal(tokens_find(r->tokens, one, WHEN)->directory,
			    "web1-x");
	assert_int_equal(tokens_end(r->tokens, two, WHEN), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_restart, enter, leave),
		cmocka_unit_test_setup_teardown(test_forget, enter, leave),
		cmocka_unit_test_setup_teardown(test_bad_files, enter, leave),
		cmocka_unit_test_setup_teardown(test_reboot, enter, leave),
		cmocka_unit_test_setup_teardown(test_replace, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
