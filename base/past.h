/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies past the caches, for what another CPU will read next: a line that it still
 * has in its caches takes ten times as long to write, if that is far away.
 */
#ifndef BASE_PAST_H
#define BASE_PAST_H

#include <stddef.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { PAST_UNIT = 16 };	/* bytes */

/* Copies len bytes, in whole units, both at multiples of units.  Best if all of a
 * cache's line follows in order. */
static inline void past_copy(void *restrict to, const void *restrict from,
			     size_t len)
{
#ifdef __SSE2__
	__m128i *t = to;
	const __m128i *f = from;

	for (size_t i = 0; i < len / PAST_UNIT; i++)
		_mm_stream_si128(t + i, _mm_load_si128(f + i));
#else
	memcpy(to, from, len);
#endif
}

/* All that was copied is seen before what the caller writes from here on. */
static inline void past_end(void)
{
#ifdef __SSE2__
	_mm_sfence();
#endif
}

#endif
