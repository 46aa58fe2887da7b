/* SPDX-License-Identifier: GPL-2.0-only */
/* Hints for the compiler on the path of every event. */
#ifndef BASE_HINT_H
#define BASE_HINT_H

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
/* slow: out of line, so that the fast path needs no registers for it */
#define COLD __attribute__((noinline, cold))
/* out of line, but fast */
/* Inlines all that is called, and what that calls, where it may: a hot loop stays in
 * one piece, however many callers its parts have. */
#define IN_ONE __attribute__((flatten))

/* Keeps what one thread writes off the cache lines of what another one uses, also
 * off the line that a processor fetches with one. */
#define BETWEEN_THREADS(name) char name[128]

#define APART __attribute__((noinline))
/* gcc would think it too large or too rare */
#define INLINED inline __attribute__((always_inline))
/* inlines all that it calls: it is called for every event */
#define FLAT __attribute__((flatten))

#endif
