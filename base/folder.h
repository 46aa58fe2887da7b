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

/*
 * Adds the names of all things in dir to *names, which has count names: each
 * once, in natural order (nvme2n1 before nvme10n1).  Their number; or -errno,
 * with *names as it was.  The caller frees it by folder_free().
 */
int folder_names(const char *dir, folder_stem *stem, const void *ctx,
		 char ***names, int count);

void folder_free(char **names, int count);

#endif
