/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists the things in directories, each made of files whose names start with
 * the thing's.
 */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include <stddef.h>

/* the length of the thing's name in a file's name; 0: part of none */
typedef size_t folder_stem(const char *file, const void *ctx);

/* something in a directory */
struct folder_item {
	const char *name;
	enum folder_fill {
		FOLDER_UNKNOWN,		/* look for yourself */
		FOLDER_REGULAR,		/* a file that exists, maybe empty */
		FOLDER_EMPTY, FOLDER_FILLED,
	} fill;
};

/* 0 to go on, or -errno */
typedef int folder_each(void *ctx, const struct folder_item *item);

/* Calls each for all that is in dir ("" for the working directory), in any
 * order.  0, or -errno, also of each. */
typedef int folder_walk(const char *dir, folder_each *each, void *ctx);

/* a folder_walk of directories */
int folder_walk_directory(const char *dir, folder_each *each, void *ctx);

/*
 * Adds the names of all things in dir, as walk has them, to *names, which has count names: each
 * once, in natural order (nvme2n1 before nvme10n1).  Their number; or -errno,
 * with *names as it was.  The caller frees it by folder_free().
 */
int folder_names(const char *dir, folder_walk *walk, folder_stem *stem,
		 const void *ctx, char ***names, int count);

void folder_free(char **names, int count);

#endif
