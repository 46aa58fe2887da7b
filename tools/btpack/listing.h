/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists the files in a packed trace, by the headers of its blocks. */
#ifndef TOOLS_BTPACK_LISTING_H
#define TOOLS_BTPACK_LISTING_H

#include <stdbool.h>

struct btpack_options;		/* tools/btpack/options.h */

/* prints a table; whether nothing is wrong, else it was reported */
bool listing_run(const struct btpack_options *o, const char *path);

#endif
