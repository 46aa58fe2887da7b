/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of 128 bits, modulo 2^128.
 *
 * Two halves, as adding to the compiler's own type takes twice the instructions
 * and two more registers.  Products and quotients use that type unless the
 * compiler lacks it, as for 32-bit hosts, or WIDE_PORTABLE is defined.
 */
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* an all-zero one is 0 */
struct wide {
	uint64_t low, high;
};

#define WIDE_MOST ((struct wide){ UINT64_MAX, UINT64_MAX })

static inline struct wide wide_of(uint64_t n)
{
	return (struct wide){ n, 0 };
}

/* --- sums ----------------------------------------------------------------- */

static inline void wide_add(struct wide *w, uint64_t n)
{
	w->high += __builtin_add_overflow(w->low, n, &w->low);
}

static inline void wide_join(struct wide *w, struct wide other)
{
	wide_add(w, other.low);
	w->high += other.high;
}

static inline struct wide wide_plus(struct wide a, struct wide b)
{
	wide_join(&a, b);
	return a;
}

static inline struct wide wide_minus(struct wide a, struct wide b)
{
	bool borrow = __builtin_sub_overflow(a.low, b.low, &a.low);

	a.high -= b.high + borrow;
	return a;
}

/* of 64 bits, at most UINT64_MAX */
static inline uint64_t wide_clamped_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* --- comparisons ---------------------------------------------------------- */

static inline bool wide_is_zero(struct wide w)
{
	return !(w.low | w.high);
}

static inline bool wide_same(struct wide a, struct wide b)
{
	return a.low == b.low && a.high == b.high;
}

static inline bool wide_less(struct wide a, struct wide b)
{
	return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* w, at most UINT64_MAX */
static inline uint64_t wide_clamp(struct wide w)
{
	return w.high ? UINT64_MAX : w.low;
}

/* --- products and quotients ----------------------------------------------- */

#if defined(__SIZEOF_INT128__) && !defined(WIDE_PORTABLE)

__extension__ typedef unsigned __int128 wide_native;

static inline wide_native wide_to_native(struct wide w)
{
	return (wide_native)w.high << 64 | w.low;
}

static inline struct wide wide_from_native(wide_native n)
{
	return (struct wide){ (uint64_t)n, (uint64_t)(n >> 64) };
}

static inline struct wide wide_product(uint64_t a, uint64_t b)
{
	return wide_from_native((wide_native)a * b);
}

/* by must not be 0; *rest may be NULL */
static inline struct wide wide_divide(struct wide w, struct wide by,
				      struct wide *rest)
{
	wide_native a = wide_to_native(w), b = wide_to_native(by);

	if (rest)
		*rest = wide_from_native(a % b);
	return wide_from_native(a / b);
}

/* the nearest double */
static inline double wide_double(struct wide w)
{
	return (double)wide_to_native(w);
}

#else

static inline struct wide wide_product(uint64_t a, uint64_t b)
{
	uint64_t a_low = (uint32_t)a, a_high = a >> 32;
	uint64_t b_low = (uint32_t)b, b_high = b >> 32;
	uint64_t low = a_low * b_low;
	uint64_t middle = a_high * b_low + (low >> 32);
	uint64_t other = a_low * b_high + (uint32_t)middle;

	return (struct wide){
		other << 32 | (uint32_t)low,
		a_high * b_high + (middle >> 32) + (other >> 32),
	};
}

/* bit by bit */
static inline struct wide wide_divide_bits(struct wide w, struct wide by,
					   struct wide *rest)
{
	struct wide left = { 0, 0 };

	for (int i = 0; i < 128; i++) {
		bool over = left.high >> 63;

		left.high = left.high << 1 | left.low >> 63;
		left.low = left.low << 1 | w.high >> 63;
		w.high = w.high << 1 | w.low >> 63;
		w.low <<= 1;
		if (over || !wide_less(left, by)) {
			left = wide_minus(left, by);
			w.low |= 1;
		}
	}
	*rest = left;
	return w;
}

/* by must not be 0; *rest may be NULL */
static inline struct wide wide_divide(struct wide w, struct wide by,
				      struct wide *rest)
{
	struct wide unused;

	if (!rest)
		rest = &unused;
	if (w.high || by.high)
		return wide_divide_bits(w, by, rest);
	*rest = wide_of(w.low % by.low);
	return wide_of(w.low / by.low);
}

/* The nearest double: bits below the first 64 matter only for rounding, as zero
 * or not. */
static inline double wide_double(struct wide w)
{
	unsigned int shift = w.high ? 64 - __builtin_clzll(w.high) : 0;
	uint64_t first = w.low, rest = 0;

	if (shift == 64) {
		first = w.high;
		rest = w.low;
	} else if (shift) {
		first = w.high << (64 - shift) | w.low >> shift;
		rest = w.low << (64 - shift);
	}
	return __builtin_ldexp((double)(first | !!rest), (int)shift);
}

#endif

static inline struct wide wide_times(struct wide w, uint64_t n)
{
	struct wide product = wide_product(w.low, n);

	product.high += w.high * n;
	return product;
}

/* by must not be 0 */
static inline struct wide wide_over(struct wide w, uint64_t by)
{
	return wide_divide(w, wide_of(by), NULL);
}

/* the lower 64 bits of a * b / by; by must not be 0 */
static inline uint64_t wide_share(uint64_t a, uint64_t b, uint64_t by)
{
	return wide_over(wide_product(a, b), by).low;
}

#endif
