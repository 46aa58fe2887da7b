/* SPDX-License-Identifier: GPL-2.0-only */
/* Text from outside for files of markup; see clean.h. */
#include <string.h>

#include "base/buf.h"
#include "base/clean.h"
#include "base/escape.h"

#define REPLACEMENT "\xef\xbf\xbd"

void clean_text(struct buf *b, const char *text, size_t len,
		const char *(*escape)(const char *character))
{
	while (len) {
		size_t n = escape_character(text, len);
		const char *as = NULL;

		if (!n || escape_is_hidden(text, n))
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
