/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts and numbers in CSV; see quoted.h. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "emit/quoted.h"

/* U+FFFD */
static const char replacement[] = "\xef\xbf\xbd";

static void put_csv(struct buf *b, const char *c, size_t len)
{
	if (*c == '"')
		buf_append(b, "\"", 1);
	buf_append(b, c, len);
}

void quoted_csv(struct buf *b, const char *text)
{
	const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
	size_t left = strlen(text);

	buf_append(b, quote, strlen(quote));
	while (left) {
		size_t len = escape_character(text, left);
		size_t taken = len ? len : 1;

		if (len)
			put_csv(b, text, len);
		else
			buf_append(b, replacement, sizeof(replacement) - 1);
		text += taken;
		left -= taken;
	}
	buf_append(b, quote, strlen(quote));
}

void quoted_csv_number(struct buf *b, double number)
{
	if (isfinite(number))
		buf_printf(b, "%.10g", number);
}
