/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of all files that a run may make, by its options: known before it
 * is known which devices are in the trace.
 */
#ifndef TOOLS_BTT_WRITTEN_H
#define TOOLS_BTT_WRITTEN_H

#include "cli/writable.h"

struct options;			/* tools/btt/options.h */

enum { WRITTEN_MAX = 32 };

struct written {
	struct writable list[WRITTEN_MAX];
	char *owned[WRITTEN_MAX];	/* names of these, or NULL */
	size_t count;
};

/* Ends the program if there is no memory. */
void btt_written_init(struct written *w, const struct options *o);

void btt_written_free(struct written *w);

#endif
