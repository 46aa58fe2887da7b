/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hints for the compiler on the path of every event.  A slow branch that is
 * COLD stays out of line, so that the fast one needs no registers for it.
 */
#ifndef BASE_HINT_H
#define BASE_HINT_H

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((noinline, cold))
/* out of line as well, but fast */
#define APART __attribute__((noinline))
/* part of each caller: gcc would take it for too large or too rare */
#define INLINED inline __attribute__((always_inline))
/* what it calls becomes part of it: it is called for every event itself */
#define FLAT __attribute__((flatten))

#endif
