/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory to work in, for tests of what reads and writes files: the
 * set-up and tear-down of cmocka_unit_test_setup_teardown().
 */
#ifndef TESTS_UNIT_PLACE_H
#define TESTS_UNIT_PLACE_H

#include <sys/stat.h>
#include <unistd.h>

#include "make.h"

static inline int place_enter(void **state)
{
	*state = strdup("/tmp/place.XXXXXX");
	return !*state || !mkdtemp(*state) || chdir(*state);
}

static inline int place_leave(void **state)
{
	char command[64];
	int err;

	snprintf(command, sizeof(command), "rm -rf %s", (char *)*state);
	err = chdir("/") || system(command);
	free(*state);
	return err;
}

#define PLACE_TEST(f) \
	cmocka_unit_test_setup_teardown(f, place_enter, place_leave)

static inline void place_write(const char *path, const void *bytes, size_t len)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static inline void place_text(const char *path, const char *text)
{
	place_write(path, text, strlen(text));
}

/* a directory with all above it */
static inline void place_dir(const char *path)
{
	char part[256];

	for (const char *p = path; p; p = strchr(p + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(p - path), path);
		mkdir(part, 0777);
	}
	mkdir(path, 0777);
}

#endif
