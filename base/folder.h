/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of a directory stand for: several may be parts of one thing,
 * which is named by the beginning of their names.
 */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include <stddef.h>

/* how much of a file's name is the thing's name; 0: it is part of none */
typedef size_t folder_stem(const char *file, const void *ctx);

/*
 * The names of all things in dir, each once, sorted as people count (nvme2n1
 * before nvme10n1).  Their number, or -errno; *names and each of them are the
 * caller's to free.
 */
int folder_names(const char *dir, folder_stem *stem, const void *ctx,
		 char ***names);

#endif
