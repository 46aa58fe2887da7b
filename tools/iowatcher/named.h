/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What -t means, beyond what all programs take: 1.3.0 looks for NAME.dump, and
 * for what is left of a file's name without its last extension.
 */
#ifndef TOOLS_IOWATCHER_NAMED_H
#define TOOLS_IOWATCHER_NAMED_H

#include <stddef.h>

/*
 * The name that readers are to be given, the caller's to free: name itself if
 * there is something of that name, or if there is nothing of any.
 */
char *named_find(const char *name);

/* bytes of a name without the last extension of its file */
size_t named_stem(const char *name);

#endif
