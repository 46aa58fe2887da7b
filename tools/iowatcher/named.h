/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of -t, beyond those of all programs: 1.3.0 tries NAME.dump, and a
 * file's name without its last extension.
 */
#ifndef TOOLS_IOWATCHER_NAMED_H
#define TOOLS_IOWATCHER_NAMED_H

#include <stddef.h>

/*
 * The name for readers, which the caller frees: name itself if a trace has it,
 * or if none has any.
 */
char *named_find(const char *name);

/* length of a name without its file's last extension */
size_t named_stem(const char *name);

#endif
