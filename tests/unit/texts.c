/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts that are kept: found as they were set, by their keys alone. */
#include "emit/format.h"
#include "make.h"

static int set_up(void **state)
{
	*state = texts_new();
	assert_non_null(*state);
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

static void check(const struct texts *t, uint64_t key, const char *want)
{
	const struct text *text = texts_get(t, key);

	assert_non_null(text);
	assert_int_equal(text->len, strlen(want));
	assert_memory_equal(text->chars, want, text->len);
}

/* nothing is there at first, then what has been set, the empty text, too */
static void test_get(void **state)
{
	struct texts *t = *state;

	assert_null(texts_get(t, 0));
	texts_set(t, 0, "zero", 4);
	texts_set(t, 1ull << 40, "", 0);
	check(t, 0, "zero");
	check(t, 1ull << 40, "");
	assert_null(texts_get(t, 1));
	texts_set(t, 0, "nought", 6);
	check(t, 0, "nought");
}

/* of many, each has its own text or none */
static void test_many(void **state)
{
	struct texts *t = *state;
	char text[32];
	int there = 0;

	for (uint64_t key = 0; key < 4 * TEXTS; key++) {
		snprintf(text, sizeof(text), "%llu", (unsigned long long)key);
		texts_set(t, key, text, strlen(text));
		check(t, key, text);
	}
	for (uint64_t key = 0; key < 4 * TEXTS; key++) {
		snprintf(text, sizeof(text), "%llu", (unsigned long long)key);
		if (texts_get(t, key)) {
			check(t, key, text);
			there++;
		}
	}
	assert_true(there > TEXTS / 2 && there <= TEXTS);
}

/* what is too long is not kept, and displaces nothing */
static void test_long(void **state)
{
	static const char text[] = "twenty-three characters_";
	struct texts *t = *state;

	texts_set(t, 7, text, TEXT_MAX);
	texts_set(t, 7, text, TEXT_MAX + 1);
	check(t, 7, "twenty-three characters");
	texts_set(t, 8, text, TEXT_MAX + 1);
	assert_null(texts_get(t, 8));
}

#define RIGGED(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIGGED(test_get),
		RIGGED(test_many),
		RIGGED(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
