/* SPDX-License-Identifier: GPL-2.0-only */
/* Hints for the compiler on the path of every event. */
#ifndef BASE_HINT_H
#define BASE_HINT_H

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
/* slow: out of line, so that the fast path needs no registers for it */
#define COLD __attribute__((noinline, cold))
/* out of line, but fast */
#define APART __attribute__((noinline))
/* gcc would think it too large or too rare */
#define INLINED inline __attribute__((always_inline))
/* inlines all that it calls: it is called for every event */
#define FLAT __attribute__((flatten))

#endif
