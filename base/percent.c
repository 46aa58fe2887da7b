/* SPDX-License-Identifier: GPL-2.0-only */
/* Names in lines of words; see percent.h. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/percent.h"

static const char digits[] = "0123456789ABCDEF";

static bool stays(unsigned char c)
{
	return c > ' ' && c < 0x7f && c != '%' && c != '=';
}

size_t percent_encode(char *to, const char *text)
{
	char *p = to;

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (stays(c)) {
			*p++ = *text;
			continue;
		}
		*p++ = '%';
		*p++ = digits[c >> 4];
		*p++ = digits[c & 15];
	}
	*p = '\0';
	return (size_t)(p - to);
}

static int digit_of(char c)
{
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? (int)(found - digits) : -1;
}

/* The byte that text begins with, and how long it is there; 0: it is none. */
static size_t decode_byte(char *to, const char *text, size_t len)
{
	int high, low;

	*to = *text;
	if (*text != '%')
		return stays((unsigned char)*text);
	high = len > 2 ? digit_of(text[1]) : -1;
	low = len > 2 ? digit_of(text[2]) : -1;
	if (high < 0 || low < 0 || (!high && !low))
		return 0;
	*to = (char)(high << 4 | low);
	return PERCENT_MAX;
}

int percent_decode(char *to, size_t size, const char *text, size_t len)
{
	size_t used, n = 0;

	for (size_t at = 0; at < len; at += used) {
		if (n + 1 >= size)
			return -ENAMETOOLONG;
		used = decode_byte(&to[n++], text + at, len - at);
		if (!used)
			return -EINVAL;
	}
	to[n] = '\0';
	return (int)n;
}
