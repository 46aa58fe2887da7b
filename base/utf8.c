/* SPDX-License-Identifier: GPL-2.0-only */
/* Text made valid UTF-8; see utf8.h. */
#include <string.h>

#include "base/escape.h"
#include "base/utf8.h"

static const char replacement[UTF8_MAX] = { '\xef', '\xbf', '\xbd' };

size_t utf8_clean(char *to, size_t size, const char *text, size_t len)
{
	size_t used = 0;

	while (len) {
		size_t taken = escape_character(text, len);
		const char *from = taken ? text : replacement;
		size_t wide = taken ? taken : sizeof(replacement);

		if (size - used < wide)
			break;
		memcpy(to + used, from, wide);
		used += wide;
		text += taken ? taken : 1;
		len -= taken ? taken : 1;
	}
	return used;
}
