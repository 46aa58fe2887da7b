/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as text; see num.h. */
#include "base/num.h"

/* ten and a hundred numbers, each followed by tail */
#define TEN(d, tail) d "0" tail d "1" tail d "2" tail d "3" tail d "4" tail \
	d "5" tail d "6" tail d "7" tail d "8" tail d "9" tail
#define HUNDRED(d, tail) TEN(d "0", tail) TEN(d "1", tail) TEN(d "2", tail) \
	TEN(d "3", tail) TEN(d "4", tail) TEN(d "5", tail) \
	TEN(d "6", tail) TEN(d "7", tail) TEN(d "8", tail) TEN(d "9", tail)

#define FROM_100(tail) HUNDRED("1", tail) HUNDRED("2", tail) \
	HUNDRED("3", tail) HUNDRED("4", tail) HUNDRED("5", tail) \
	HUNDRED("6", tail) HUNDRED("7", tail) HUNDRED("8", tail) \
	HUNDRED("9", tail)

const char num_triples[4001] = HUNDRED("0", " ") FROM_100(" ");

const char num_lefts[4001] = TEN("", "  \1") TEN("1", " \2") TEN("2", " \2")
	TEN("3", " \2") TEN("4", " \2") TEN("5", " \2") TEN("6", " \2")
	TEN("7", " \2") TEN("8", " \2") TEN("9", " \2") FROM_100("\3");

/* powers[n] is the smallest number of n + 1 digits */
static const uint64_t powers[20] = {
	0,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
	10000000000000,
	100000000000000,
	1000000000000000,
	10000000000000000,
	100000000000000000,
	1000000000000000000,
	10000000000000000000u,
};

/* n, of which the last digits are decimals, without zeros at the end */
static char *put_decimals(char *p, uint32_t n, unsigned int decimals)
{
	char text[16], *end = text + sizeof(text), *at = end;

	for (; decimals && n % 10 == 0; decimals--)
		n /= 10;
	for (unsigned int left = decimals; left; left--, n /= 10)
		*--at = (char)('0' + n % 10);
	if (decimals)
		*--at = '.';
	p = num_u64(p, n);
	memcpy(p, at, (size_t)(end - at));
	return p + (end - at);
}

char *num_significant(char *p, double v, unsigned int digits)
{
	double least = (double)powers[digits - 1], scaled = v, rest;
	unsigned int decimals = 0;

	for (; scaled < least; decimals++)
		scaled *= 10;
	rest = scaled - (uint32_t)scaled;
	/* by far more than all these products are off */
	if (rest > 0.5 - 1e-6 && rest < 0.5 + 1e-6)
		return NULL;
	return put_decimals(p, (uint32_t)(scaled + 0.5), decimals);
}

unsigned int num_digits(uint64_t v)
{
	unsigned int bits = 64 - (unsigned int)__builtin_clzll(v | 1);
	unsigned int guess = bits * 1233 >> 12;	/* log10(2) = 1233/4096 */

	return guess + (v >= powers[guess]);
}

char *num_large(char *p, uint64_t v)
{
	uint64_t high = v / 1000000000;

	return num_nine(num_u64(p, high), (uint32_t)(v - high * 1000000000));
}

/* Blanks before a number of len characters. */
static char *put_blanks(char *p, unsigned int len, unsigned int width)
{
	static const char blanks[NUM_SLACK + 1] = "                ";

	for (; width > NUM_SLACK && width > len; width--)
		*p++ = ' ';
	if (width <= len)
		return p;
	memcpy(p, blanks, NUM_SLACK);
	return p + width - len;
}

char *num_large_right(char *p, uint64_t v, unsigned int width)
{
	return num_u64(put_blanks(p, num_digits(v), width), v);
}

char *num_i64_right(char *p, int64_t v, unsigned int width)
{
	uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	p = put_blanks(p, num_digits(size) + (v < 0), width);
	if (v < 0)
		*p++ = '-';
	return num_u64(p, size);
}

char *num_hex(char *p, uint32_t v)
{
	int shift = 28;

	while (shift && !(v >> shift & 15))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[v >> shift & 15];
	return p;
}
