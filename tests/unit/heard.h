/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a module says on standard output or error: into a file for a while,
 * and then looked at.  For tests in a scratch directory.
 */
#ifndef TESTS_UNIT_HEARD_H
#define TESTS_UNIT_HEARD_H

#include <fcntl.h>
#include <fnmatch.h>

#include "scratch.h"

#define HEARD "heard"

struct heard {
	int fd;			/* which one it is */
	int saved;		/* where it went before */
};

static struct heard heard;

/* from now on fd goes to the file; one at a time */
static inline void hear(int fd)
{
	int file = open(HEARD, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);

	assert_true(file >= 0);
	fflush(NULL);
	heard.fd = fd;
	heard.saved = dup(fd);
	assert_int_equal(dup2(file, fd), fd);
	close(file);
}

/* and from now on to where it went before; what was said, text of 4 KiB */
static inline void hear_no_more(char text[4096])
{
	FILE *f;

	fflush(NULL);
	assert_int_equal(dup2(heard.saved, heard.fd), heard.fd);
	close(heard.saved);
	f = fopen(HEARD, "r");
	assert_non_null(f);
	text[fread(text, 1, 4095, f)] = '\0';
	fclose(f);
}

/* just what the pattern says, which may have a shell's wildcards */
static inline void check_heard(const char *pattern)
{
	char text[4096];

	hear_no_more(text);
	if (fnmatch(pattern, text, 0))
		fail_msg("said: %s\nnot: %s", text, pattern);
}

#endif
