/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes foreign text safe; see escape.h. */
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"

size_t utf8_clean(char *to, size_t size, const char *text, size_t len)
{
	size_t used = 0;

	while (len) {
		size_t taken = escape_character(text, len);
		const char *from = taken ? text : UTF8_REPLACEMENT;
		size_t wide = taken ? taken : sizeof(UTF8_REPLACEMENT) - 1;

		if (size - used < wide)
			break;
		memcpy(to + used, from, wide);
		used += wide;
		text += taken ? taken : 1;
		len -= taken ? taken : 1;
	}
	return used;
}

/* characters of a byte that stay as they are, up to the first other one */
static size_t plain_len(const char *text, size_t len,
			const char *(*escape)(const char *character))
{
	size_t n = 0;

	while (n < len && text[n] >= ' ' && text[n] < 0x7f && !escape(text + n))
		n++;
	return n;
}

void clean_text(struct buf *b, const char *text, size_t len,
		const char *(*escape)(const char *character))
{
	while (len) {
		size_t plain = plain_len(text, len, escape), n;
		const char *as = NULL;

		if (plain) {
			buf_append(b, text, plain);
			text += plain;
			len -= plain;
			continue;
		}
		n = escape_character(text, len);

		if (!n || escape_is_hidden(text, n))
			as = UTF8_REPLACEMENT;
		else
			as = escape(text);
		if (as)
			buf_append(b, as, strlen(as));
		else
			buf_append(b, text, n);
		text += n ? n : 1;
		len -= n ? n : 1;
	}
}

/* The forms of UTF-8 characters; the second byte's range excludes overlong
 * forms, C1 controls, surrogates and numbers beyond Unicode. */
struct form {
	unsigned char first, last;	/* the first byte's range */
	unsigned char low, high;	/* the second's */
	size_t len;
};

static const struct form forms[] = {
	{ 0x20, 0x7e, 0, 0, 1 },
	{ 0xc2, 0xc2, 0xa0, 0xbf, 2 },
	{ 0xc3, 0xdf, 0x80, 0xbf, 2 },
	{ 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 },
	{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static bool fits(const struct form *f, const unsigned char *s, size_t len)
{
	if (s[0] < f->first || s[0] > f->last || len < f->len)
		return false;
	if (f->len > 1 && (s[1] < f->low || s[1] > f->high))
		return false;
	for (size_t i = 2; i < f->len; i++)
		if (s[i] >> 6 != 2)
			return false;
	return true;
}

/* Bytes of the character at s; 0: none, or a control character. */
static size_t form_len(const unsigned char *s, size_t len)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (fits(&forms[i], s, len))
			return forms[i].len;
	return 0;
}

/* Characters without a shape that change the text around them. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{ 0x00ad, 0x00ad },	/* soft hyphen */
	{ 0x061c, 0x061c },	/* Arabic letter mark */
	{ 0x180e, 0x180e },	/* Mongolian vowel separator */
	{ 0x200b, 0x200f },	/* of no width; direction marks */
	{ 0x2028, 0x202e },	/* ends of lines; embedding, override */
	{ 0x2060, 0x206f },	/* joiners, invisible operators; isolates */
	{ 0xfeff, 0xfeff },	/* byte order mark */
	{ 0xfff9, 0xfffb },	/* annotations */
	{ 0xe0000, 0xe0fff },	/* tags, selectors of variants */
};

/* the number of a character of len bytes, at least two */
static uint32_t number_of(const unsigned char *s, size_t len)
{
	uint32_t n = s[0] & (0x7fU >> len);

	for (size_t i = 1; i < len; i++)
		n = n << 6 | (s[i] & 0x3f);
	return n;
}

bool escape_is_hidden(const char *character, size_t len)
{
	const unsigned char *s = (const unsigned char *)character;
	uint32_t n;

	if (len == 1)
		return *s < ' ' || *s == 0x7f;
	n = number_of(s, len);
	if (n < 0xa0)
		return true;
	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
		if (n >= hidden[i].first && n <= hidden[i].last)
			return true;
	return false;
}

/* Bytes of the character at s; 0: none, or hidden. */
static size_t shown_len(const unsigned char *s, size_t len)
{
	size_t n = form_len(s, len);

	return n > 1 && escape_is_hidden((const char *)s, n) ? 0 : n;
}

static void put_hex(char *to, unsigned char c)
{
	static const char digits[] = "0123456789abcdef";

	memcpy(to, "\\x", 2);
	to[2] = digits[c >> 4];
	to[3] = digits[c & 15];
}

size_t escape_text(char *to, size_t size, const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text, *end = s + len;
	size_t used = 0;

	while (s < end) {
		size_t n = shown_len(s, (size_t)(end - s));

		if (used + (n ? n : ESCAPE_MAX) >= size)
			break;
		if (n)
			memcpy(to + used, s, n);
		else
			put_hex(to + used, *s);
		used += n ? n : ESCAPE_MAX;
		s += n ? n : 1;
	}
	to[used] = '\0';
	return used;
}

size_t escape_character(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;

	if (len && s[0] < 0x80)
		return 1;
	/* C1 controls */
	if (len > 1 && s[0] == 0xc2 && s[1] >> 6 == 2)
		return 2;
	return len ? form_len(s, len) : 0;
}
