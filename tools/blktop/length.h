/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a recorded trace is, where that is soon known: it is read once, and
 * no more than a moment is spent on that.
 */
#ifndef TOOLS_BLKTOP_LENGTH_H
#define TOOLS_BLKTOP_LENGTH_H

#include <stdint.h>

struct top_options;		/* tools/blktop/options.h */

/* up to the last event, or the end of -w, in ns since the first event; 0: not
 * known, as there is more to read than 64 MiB, or it cannot be read */
uint64_t length_of(const struct top_options *o);

#endif
