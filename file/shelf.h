/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Directories, and packed files as the directories that they hold: the path
 * x.btz/sda.blktrace.0 is a file of the packed file x.btz.
 */
#ifndef FILE_SHELF_H
#define FILE_SHELF_H

#include <stdbool.h>

#include "base/folder.h"

/*
 * Splits a path below a regular file.  0 and the file's path, which the caller
 * frees, and in *below the rest of path, maybe ""; -ENOTDIR: no part of it is a
 * regular file; -ENOENT: nothing has that name; -ENOMEM.
 */
int shelf_split(const char *path, char **file, const char **below);

/* whether path is a regular file that begins as a packed one */
bool shelf_is_packed(const char *path);

/* a folder_walk of directories and packed files, of which a name may come more
 * than once */
int shelf_walk(const char *dir, folder_each *each, void *ctx);

#endif
