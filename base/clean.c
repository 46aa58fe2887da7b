/* SPDX-License-Identifier: GPL-2.0-only */
/* Text from outside for files of markup; see clean.h. */
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/clean.h"
#include "base/escape.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* C0, DEL, and those of two bytes, C1; a tab or a new line is one, too */
static bool is_control(const char *c, size_t len)
{
	const unsigned char *byte = (const unsigned char *)c;

	return len == 1 ? *byte < ' ' || *byte == 0x7f :
	       len == 2 && byte[0] == 0xc2 && byte[1] < 0xa0;
}

void clean_text(struct buf *b, const char *text, size_t len,
		const char *(*escape)(const char *character))
{
	while (len) {
		size_t n = escape_character(text, len);
		const char *as = NULL;

		if (!n || is_control(text, n))
			as = REPLACEMENT;
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
