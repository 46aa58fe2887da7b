/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory in memory, for what asks a file system for handles of files or
 * for locks: tmpfs has both, wherever /tmp lies.
 */
#ifndef TESTS_UNIT_MEMORY_PLACE_H
#define TESTS_UNIT_MEMORY_PLACE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { PATHS = 256 };		/* bytes of a name below it, at most */

static char top[] = "/dev/shm/unit.XXXXXX";

/* name's content is text */
static inline void spew(const char *name, const char *text)
{
	char path[2 * PATHS];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static inline void make(const char *name)
{
	char path[2 * PATHS];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

/* cmocka's set-up of a group */
static inline int make_top(void **state)
{
	(void)state;
	return mkdtemp(top) ? 0 : -1;
}

/* and its teardown: all is gone */
static inline int remove_top(void **state)
{
	char command[PATHS];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	return system(command);
}

#endif
