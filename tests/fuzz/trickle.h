/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A source for fuzzing that is as trying as a pipe can be: bytes come in
 * pieces of a given size, so that records are cut anywhere, and before each
 * piece there is nothing yet, or even silence.
 */
#ifndef FUZZ_TRICKLE_H
#define FUZZ_TRICKLE_H

#include <stddef.h>

struct source;			/* file/source.h */

/* piece is at least 1; bytes stay the caller's.  0 and *s, or -ENOMEM. */
int trickle_open(struct source **s, const void *bytes, size_t len,
		 size_t piece);

/* the same for what ends when a signal comes: none does */
int trickle_open_steady(struct source **s, const void *bytes, size_t len,
			size_t piece);

#endif
