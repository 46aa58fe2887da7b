/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Restores the files of a packed trace, each complete or absent.  Their names
 * may be anybody's: only those below the directory are restored.
 */
#ifndef TOOLS_BTPACK_RESTORING_H
#define TOOLS_BTPACK_RESTORING_H

#include <signal.h>
#include <stdbool.h>

struct btpack_options;		/* tools/btpack/options.h */

/* whether all was read and written; else it was reported */
bool restoring_run(const struct btpack_options *o, const char *path,
		   const volatile sig_atomic_t *stop);

#endif
