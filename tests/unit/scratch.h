/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of its own for each test, which works in it, and small files
 * there.  Other helpers build make-believe machines of those.
 */
#ifndef TESTS_UNIT_SCRATCH_H
#define TESTS_UNIT_SCRATCH_H

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "make.h"

/* cmocka's set-up; *state is the directory's path */
static inline int scratch_enter(void **state)
{
	char *dir = strdup("/tmp/unit.XXXXXX");

	*state = dir;
	return !dir || !mkdtemp(dir) || chdir(dir);
}

static inline int scratch_remove(const char *path, const struct stat *st,
				 int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

/* and its teardown: all is gone */
static inline int scratch_leave(void **state)
{
	int err = chdir("/") ||
		  nftw(*state, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return err;
}

/* the folders that path leads through */
static inline void make_folders(const char *path)
{
	char part[256];

	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(at - path), path);
		mkdir(part, 0755);
	}
}

static inline void put_bytes(const char *path, const void *bytes, size_t len)
{
	FILE *f;

	make_folders(path);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

/* a file of just that text, in place of what was there */
static inline void put(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

/* a file has just that text */
static inline void check_text(const char *path, const char *text)
{
	char got[4096] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(got, text);
}

#define IN_SCRATCH(f) \
	cmocka_unit_test_setup_teardown(f, scratch_enter, scratch_leave)

#endif
