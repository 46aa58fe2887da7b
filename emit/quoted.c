/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts and numbers in JSON and CSV; see quoted.h. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "emit/quoted.h"

/* U+FFFD */
static const char replacement[] = "\xef\xbf\xbd";

static void put_json(struct buf *b, const char *c, size_t len)
{
	if (*c == '"' || *c == '\\')
		buf_append(b, "\\", 1);
	if ((unsigned char)*c < ' ')
		buf_printf(b, "\\u%04x", (unsigned int)*c);
	else
		buf_append(b, c, len);
}

static void put_csv(struct buf *b, const char *c, size_t len)
{
	if (*c == '"')
		buf_append(b, "\"", 1);
	buf_append(b, c, len);
}

/* each character, or what stands for a byte that is none, by put */
static void put_all(struct buf *b, const char *text,
		    void (*put)(struct buf *b, const char *c, size_t len))
{
	size_t left = strlen(text);

	while (left) {
		size_t len = escape_character(text, left);
		size_t taken = len ? len : 1;

		if (len)
			put(b, text, len);
		else
			buf_append(b, replacement, sizeof(replacement) - 1);
		text += taken;
		left -= taken;
	}
}

void quoted_json(struct buf *b, const char *text)
{
	buf_append(b, "\"", 1);
	put_all(b, text, put_json);
	buf_append(b, "\"", 1);
}

void quoted_csv(struct buf *b, const char *text)
{
	const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";

	buf_append(b, quote, strlen(quote));
	put_all(b, text, put_csv);
	buf_append(b, quote, strlen(quote));
}

void quoted_json_number(struct buf *b, double number)
{
	if (isfinite(number))
		buf_printf(b, "%.10g", number);
	else
		buf_append(b, "null", 4);
}

void quoted_csv_number(struct buf *b, double number)
{
	if (isfinite(number))
		buf_printf(b, "%.10g", number);
}
