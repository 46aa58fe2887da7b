/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Renders numbers fast, for millions of lines.  Every function writes at p,
 * where the caller has made room, and returns the end.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* "000 " to "999 " */
extern const char num_triples[4001];

/* left-aligned with the number of digits: "7  \1", "42 \2", "999\3" */
extern const char num_lefts[4001];

enum {
	NUM_DECIMAL_MAX = 21,	/* bytes of the longest decimal with its sign */
	NUM_SLACK = 16,		/* bytes after the returned end that may be
				 * written, too */
};

/* three digits, zero padded; v below 1000 */
static inline char *num_three(char *p, uint32_t v)
{
	memcpy(p, num_triples + 4 * v, 4);
	return p + 3;
}

/* nine digits, zero padded; v below 10^9 */
static inline char *num_nine(char *p, uint32_t v)
{
	uint32_t thousands = v / 1000, millions = v / 1000000;

	p = num_three(p, millions);
	p = num_three(p, thousands - millions * 1000);
	return num_three(p, v - thousands * 1000);
}

/* one to three digits; v below 1000 */
static inline char *num_small(char *p, uint32_t v)
{
	const char *left = num_lefts + 4 * v;

	memcpy(p, left, 4);
	return p + left[3];
}

/* decimal below 10^9 */
static inline char *num_u32(char *p, uint32_t v)
{
	if (v < 1000)
		return num_small(p, v);
	if (v < 1000000)
		return num_three(num_small(p, v / 1000), v % 1000);
	p = num_small(p, v / 1000000);
	p = num_three(p, v / 1000 % 1000);
	return num_three(p, v % 1000);
}

/* slow path of num_u64() */
char *num_large(char *p, uint64_t v);

/* decimal, no padding */
static inline char *num_u64(char *p, uint64_t v)
{
	return v < 1000000000 ? num_u32(p, (uint32_t)v) : num_large(p, v);
}

/* the same with a sign */
static inline char *num_i64(char *p, int64_t v)
{
	if (v >= 0)
		return num_u64(p, (uint64_t)v);
	*p++ = '-';
	return num_u64(p, 0 - (uint64_t)v);
}

/*
 * v with that many significant digits at most, 3 to 9, as %g of printf(3) has
 * it; v is from 0.001 to the greatest number of as many digits.  NULL: it is
 * too close to the middle of two numbers to tell.
 */
char *num_significant(char *p, double v, unsigned int digits);

/* decimal digits of v, 1 to 20 */
unsigned int num_digits(uint64_t v);

/* slow path of num_u64_right() */
char *num_large_right(char *p, uint64_t v, unsigned int width);

/* decimal, right-aligned in width columns or more */
static inline char *num_u64_right(char *p, uint64_t v, unsigned int width)
{
	const char *left;
	unsigned int len;

	if (v >= 1000 || width > NUM_SLACK)
		return num_large_right(p, v, width);
	left = num_lefts + 4 * v;
	len = (unsigned char)left[3];
	memcpy(p, "                ", NUM_SLACK);
	p += width > len ? width - len : 0;
	memcpy(p, left, 4);
	return p + len;
}

/* the same with a sign */
char *num_i64_right(char *p, int64_t v, unsigned int width);

/*
 * Eight characters that end with a number, as a word with the last one lowest
 * on all machines.  So it can be incremented without a look at each digit, and
 * without a store to what the next line is about to copy.
 */
static inline uint64_t num_eight(const char *text)
{
	uint64_t eight;

	memcpy(&eight, text, sizeof(eight));
	return be64toh(eight);
}

/*
 * The next number, which must not have a digit more.  With 0xc6 added, a nine
 * is 0xff, which passes a carry on to the digit before it; a byte without its
 * highest bit was a nine, and becomes a zero.
 */
static inline uint64_t num_eight_next(uint64_t eight)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t sum = eight + 0xc6 * ones + 1;

	return sum - 0xc6 * ones + (~sum >> 7 & ones) * (0xc6 + '0');
}

static inline char *num_put_eight(char *p, uint64_t eight)
{
	eight = htobe64(eight);
	memcpy(p, &eight, sizeof(eight));
	return p + sizeof(eight);
}

/* lower-case hexadecimal, no padding */
char *num_hex(char *p, uint32_t v);

#endif
