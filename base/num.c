/* Numbers as text; see num.h. */
#include "base/num.h"

#define TEN(d) d "0" d "1" d "2" d "3" d "4" d "5" d "6" d "7" d "8" d "9"

const char num_pairs[201] = TEN("0") TEN("1") TEN("2") TEN("3") TEN("4")
	TEN("5") TEN("6") TEN("7") TEN("8") TEN("9");

/* powers[n] is the smallest number of n + 1 digits; 0 counts as one digit */
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

unsigned int num_digits(uint64_t v)
{
	unsigned int bits = 64 - (unsigned int)__builtin_clzll(v | 1);
	unsigned int guess = bits * 1233 >> 12;	/* log10(2) = 1233/4096 */

	return guess + (v >= powers[guess]);
}

/* Stores the digits of v so that they end just before end. */
static inline void digits_before(char *end, uint64_t v)
{
	uint32_t w;

	for (; v > UINT32_MAX; v /= 100) {
		end -= 2;
		memcpy(end, num_pairs + 2 * (v % 100), 2);
	}
	/* dividing 32 bits by a constant is the cheaper way */
	for (w = (uint32_t)v; w >= 100; w /= 100) {
		end -= 2;
		memcpy(end, num_pairs + 2 * (w % 100), 2);
	}
	if (w >= 10)
		memcpy(end - 2, num_pairs + 2 * w, 2);
	else
		end[-1] = (char)('0' + w);
}

char *num_u64(char *p, uint64_t v)
{
	p += num_digits(v);
	digits_before(p, v);
	return p;
}

char *num_u64_right(char *p, uint64_t v, unsigned int width)
{
	unsigned int len = num_digits(v);

	for (; width > len; width--)
		*p++ = ' ';
	p += len;
	digits_before(p, v);
	return p;
}

char *num_i64_right(char *p, int64_t v, unsigned int width)
{
	uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	unsigned int len = num_digits(size) + (v < 0);

	for (; width > len; width--)
		*p++ = ' ';
	if (v < 0)
		*p = '-';
	p += len;
	digits_before(p, size);
	return p;
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
