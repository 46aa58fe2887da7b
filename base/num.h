/*
 * Numbers as text: decimal digits stored straight into a buffer, for lines
 * that are rendered millions of times.  Every function writes at p and
 * returns the place behind the last byte; the caller has made room.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdint.h>
#include <string.h>

/* "00" to "99", two bytes each */
extern const char num_pairs[201];

/* bytes that the longest decimal of 64 bits needs, sign included */
enum { NUM_DECIMAL_MAX = 21 };

/* how many decimal digits v has, 1 to 20 */
unsigned int num_digits(uint64_t v);

/* decimal, no padding */
char *num_u64(char *p, uint64_t v);

/* decimal, right-aligned in at least width blanks; width below 4096 */
char *num_u64_right(char *p, uint64_t v, unsigned int width);
char *num_i64_right(char *p, int64_t v, unsigned int width);

/* lower-case hexadecimal, no padding */
char *num_hex(char *p, uint32_t v);

/* nine digits, zero padded; v below 10^9 */
static inline char *num_nine(char *p, uint32_t v)
{
	uint32_t high = v / 100000, low = v % 100000;
	uint32_t mid = high / 100;

	memcpy(p, num_pairs + 2 * mid, 2);
	memcpy(p + 2, num_pairs + 2 * (high % 100), 2);
	p[4] = (char)('0' + low / 10000);
	low %= 10000;
	memcpy(p + 5, num_pairs + 2 * (low / 100), 2);
	memcpy(p + 7, num_pairs + 2 * (low % 100), 2);
	return p + 9;
}

#endif
