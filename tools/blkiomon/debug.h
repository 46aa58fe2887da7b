/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What -D writes: events that did not find together.
 */
#ifndef TOOLS_BLKIOMON_DEBUG_H
#define TOOLS_BLKIOMON_DEBUG_H

#include <stdint.h>
#include <stdio.h>

struct pair;			/* tools/blkiomon/pairs.h */
struct seen;

/* what is in the last line */
struct counts {
	uint64_t leftovers, matches, mismatches, driver_data, records;
};

/* All write to out, whose error state shows a failure. */
void debug_mismatch(FILE *out, const struct pair *p);
void debug_leftover(FILE *out, const struct seen *s);
void debug_counts(FILE *out, const struct counts *c);

#endif
