/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes a line apart from its start.
 *
 * A step that does not fit returns false, says what it expected, and leaves the
 * place where that should be.
 */
#ifndef IMPORT_SCAN_H
#define IMPORT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct scan {
	const char *at, *end;	/* what has not been taken */
	const char *expected;	/* after a failure: "a sector" */
};

static inline bool scan_fail(struct scan *s, const char *expected)
{
	s->expected = expected;
	return false;
}

/* whether c is next; it is not taken */
static inline bool scan_sees(const struct scan *s, char c)
{
	return s->at < s->end && *s->at == c;
}

/* at most max blanks */
static inline void scan_blanks(struct scan *s, size_t max)
{
	while (max && scan_sees(s, ' ')) {
		s->at++;
		max--;
	}
}

static inline bool scan_text(struct scan *s, const char *text, size_t len,
			     const char *expected)
{
	if ((size_t)(s->end - s->at) < len || memcmp(s->at, text, len))
		return scan_fail(s, expected);
	s->at += len;
	return true;
}

static inline bool scan_char(struct scan *s, char c, const char *expected)
{
	if (!scan_sees(s, c))
		return scan_fail(s, expected);
	s->at++;
	return true;
}

static inline bool scan_end(struct scan *s)
{
	return s->at == s->end || scan_fail(s, "the end of the line");
}

/* a whole number of at most max, in decimal */
static inline bool scan_number(struct scan *s, uint64_t max, uint64_t *n,
			       const char *expected)
{
	const char *p = s->at;
	uint64_t v = 0;

	for (; p < s->end && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(v, (uint64_t)10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return scan_fail(s, expected);
	if (p == s->at || v > max)
		return scan_fail(s, expected);
	s->at = p;
	*n = v;
	return true;
}

static inline bool scan_number32(struct scan *s, uint32_t max, uint32_t *n,
				 const char *expected)
{
	uint64_t v;

	if (!scan_number(s, max, &v, expected))
		return false;
	*n = (uint32_t)v;
	return true;
}

/* the value of a digit, lower case, or 16 */
static inline unsigned int scan_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	return c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 : 16;
}

/* at most 32 bits in hexadecimal */
static inline bool scan_hex32(struct scan *s, uint32_t *n,
			      const char *expected)
{
	const char *p = s->at;
	uint64_t v = 0;

	for (; p < s->end && scan_hex_digit(*p) < 16 && v <= UINT32_MAX; p++)
		v = v << 4 | scan_hex_digit(*p);
	if (p == s->at || v > UINT32_MAX)
		return scan_fail(s, expected);
	s->at = p;
	*n = (uint32_t)v;
	return true;
}

#endif
