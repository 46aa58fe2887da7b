/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packs members into one file.  The next block is of the member whose next
 * event is earliest, so that the packed file is nearly in order of time, too.
 */
#ifndef TOOLS_BTPACK_PACKING_H
#define TOOLS_BTPACK_PACKING_H

#include <signal.h>
#include <stdbool.h>

struct btpack_options;		/* tools/btpack/options.h */

/* whether all was read and written; else it was reported */
bool packing_run(const struct btpack_options *o,
		 const volatile sig_atomic_t *stop);

#endif
