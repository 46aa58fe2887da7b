/* SPDX-License-Identifier: GPL-2.0-only */
/* The letters of actions, for file systems' requests and packet commands. */
#include "make.h"
#include "record/action.h"

static const char *const letters[] = {
	NULL, "Q", "M", "F", "G", "S", "R", "D", "C", "P", "U", "UT", "I", "X",
	"B", "A", NULL, NULL, "ZP", "ZU", NULL,
};

static const char *const letters_pc[] = {
	NULL, "Q", NULL, NULL, "G", "S", "R", "D", "C", NULL, NULL, NULL, "I",
	NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
};

enum { NUMBERS = sizeof(letters) / sizeof(*letters) };

static void check_same(const char *got, const char *want)
{
	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
}

/* every number has its letters; 0, abort and driver data have none */
static void test_letters(void **state)
{
	(void)state;
	for (uint32_t nr = 0; nr < NUMBERS; nr++)
		check_same(action_text(nr), letters[nr]);
}

/* packet commands are neither merged, plugged, split nor remapped */
static void test_letters_pc(void **state)
{
	(void)state;
	for (uint32_t nr = 0; nr < NUMBERS; nr++)
		check_same(action_text_pc(nr), letters_pc[nr]);
}

/* numbers of any size are looked up safely */
static void test_beyond(void **state)
{
	static const uint32_t beyond[] = { 20, 255, 0x10000, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(beyond) / sizeof(*beyond); i++) {
		assert_null(action_text(beyond[i]));
		assert_null(action_text_pc(beyond[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_letters_pc),
		cmocka_unit_test(test_beyond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
