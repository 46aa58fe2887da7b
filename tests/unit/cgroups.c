/* SPDX-License-Identifier: GPL-2.0-only */
/* What cgroups are called by the cards of several machines. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "machine/card.h"
#include "run/cgroups.h"

static const char *path_of(const struct cgroups *c, uint16_t origin,
			   uint64_t id)
{
	int64_t number = cgroups_find(c, origin, id);

	return number < 0 ? NULL : cgroups_path(c, (uint64_t)number);
}

static void test_learn(void **state)
{
	char longest[CGROUP_PATH + 1];
	struct cgroups c = { .paths = NULL };

	(void)state;
	memset(longest, 'x', CGROUP_PATH);
	longest[0] = '/';
	longest[CGROUP_PATH] = '\0';
	assert_int_equal(cgroups_find(&c, 0, 7), -1);
	assert_int_equal(cgroups_learn(&c, 0, 7, "/a"), 0);
	assert_int_equal(cgroups_learn(&c, 0, 7, "/later"), 0);
	assert_int_equal(cgroups_learn(&c, 1, 7, "/b"), 0);
	assert_int_equal(cgroups_learn(&c, 1, UINT64_MAX, "/a"), 0);
	assert_int_equal(cgroups_learn(&c, 0, 8, "relative"), 0);
	assert_int_equal(cgroups_learn(&c, 0, 8, ""), 0);
	assert_int_equal(cgroups_learn(&c, 0, 8, longest), 0);
	assert_string_equal(path_of(&c, 0, 7), "/a");
	assert_string_equal(path_of(&c, 1, 7), "/b");
	assert_null(path_of(&c, 2, 7));
	assert_null(path_of(&c, 0, 8));
	/* one path, one number */
	assert_int_equal(cgroups_find(&c, 1, UINT64_MAX),
			 cgroups_find(&c, 0, 7));
	assert_null(cgroups_path(&c, 2));
	longest[CGROUP_PATH - 1] = '\0';
	assert_int_equal(cgroups_learn(&c, 0, 8, longest), 0);
	assert_string_equal(path_of(&c, 0, 8), longest);
	cgroups_free(&c);
	assert_int_equal(cgroups_find(&c, 0, 7), -1);
}

/* What is below a container has its number, whichever comes first. */
static void test_containers(void **state)
{
	static const char id[] = "0123456789abcdef0123456789abcdef"
				 "0123456789abcdef0123456789abcdef";
	struct cgroups c = { .paths = NULL };
	char path[128];
	uint64_t whole;

	(void)state;
	snprintf(path, sizeof(path), "/docker/%s/a/b", id);
	assert_int_equal(cgroups_learn(&c, 0, 1, path), 0);
	snprintf(path, sizeof(path), "/docker/%s", id);
	assert_int_equal(cgroups_learn(&c, 0, 2, path), 0);
	assert_int_equal(cgroups_learn(&c, 0, 3, "/docker"), 0);
	whole = (uint64_t)cgroups_find(&c, 0, 2);
	assert_int_equal(cgroups_container(&c, whole), whole);
	assert_int_equal(cgroups_container(&c, (uint64_t)cgroups_find(&c, 0,
								      1)),
			 whole);
	assert_int_equal(cgroups_container(&c, (uint64_t)cgroups_find(&c, 0,
								      3)),
			 -1);
	assert_int_equal(cgroups_container(&c, c.count), -1);
	cgroups_free(&c);
}

static void test_card(void **state)
{
	static const char text[] =
		"{\"cgroups\":{\"1\":\"/\",\"18446744073709551615\":\"/most\","
		"\"18446744073709551616\":\"/more\",\"5x\":\"/text\","
		"\"6\":6,\"7\":{\"a\":\"/deep\"},\"-8\":\"/minus\","
		"\"9\":\"/\\u001b[31m\"},\"cgroupsx\":{\"10\":\"/other\"}}";
	struct cgroups c = { .paths = NULL };
	char why[CARD_WHY];
	struct card *card;

	(void)state;
	if (!card_is_readable())
		skip();
	assert_int_equal(card_parse(&card, text, strlen(text), why), 0);
	assert_int_equal(cgroups_learn_card(&c, 3, card), 0);
	assert_string_equal(path_of(&c, 3, 1), "/");
	assert_string_equal(path_of(&c, 3, UINT64_MAX), "/most");
	assert_string_equal(path_of(&c, 3, 9), "/\x1b[31m");
	assert_int_equal(c.ids, 3);
	card_free(card);
	assert_int_equal(cgroups_learn_card(&c, 3, NULL), 0);
	cgroups_free(&c);
	assert_int_equal(card_parse(&card, "{\"cgroups\":[\"/\"]}", 17, why),
			 -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_learn),
		cmocka_unit_test(test_containers),
		cmocka_unit_test(test_card),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
