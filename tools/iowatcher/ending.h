/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a file's name says that it is.
 */
#ifndef TOOLS_IOWATCHER_ENDING_H
#define TOOLS_IOWATCHER_ENDING_H

#include <stdbool.h>
#include <string.h>

/* whether a name ends so, and is not just that */
static inline bool ends_in(const char *path, const char *ending)
{
	size_t len = strlen(path), end = strlen(ending);

	return len > end && !strcmp(path + len - end, ending);
}

#endif
