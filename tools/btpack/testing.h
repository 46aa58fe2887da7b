/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests a packed trace: unpacks all blocks, and compares them with their
 * headers, with each other, and with the index.
 */
#ifndef TOOLS_BTPACK_TESTING_H
#define TOOLS_BTPACK_TESTING_H

#include <signal.h>
#include <stdbool.h>

struct btpack_options;		/* tools/btpack/options.h */

/* whether nothing is wrong; each fault is reported with its byte */
bool testing_run(const struct btpack_options *o, const char *path,
		 const volatile sig_atomic_t *stop);

#endif
