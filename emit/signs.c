/* SPDX-License-Identifier: GPL-2.0-only */
/* Signs of UTF-8, and colours; see signs.h. */
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "emit/signs.h"

const char *signs_level(bool utf8, unsigned int level)
{
	static const char *const levels[][SIGNS_LEVELS + 1] = {
		{ " ", ".", ":", "-", "=", "+", "*", "#", "@" },
		{ " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" },
	};

	return levels[utf8][level];
}

static bool begins(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

unsigned int signs_width(const char *text)
{
	unsigned int width = 0;

	for (; *text; text++)
		width += begins(*text);
	return width;
}

unsigned int signs_append(struct buf *out, const char *text,
			  unsigned int width)
{
	unsigned int took = 0;
	size_t len = 0;

	for (; text[len]; len++) {
		if (begins(text[len]) && took++ == width)
			break;
	}
	buf_append(out, text, len);
	return text[len] ? width : took;
}

void signs_repeat(struct buf *out, const char *sign, unsigned int times)
{
	size_t len = strlen(sign);

	while (times--)
		buf_append(out, sign, len);
}

void signs_color(struct buf *out, unsigned int color)
{
	if (color)
		buf_printf(out, "\033[38;5;%um", color);
	else
		buf_append(out, "\033[0m", 4);
}

size_t signs_color_at(const char *text, size_t len, unsigned int *color)
{
	static const char wide[] = "\033[38;5;", plain[] = "\033[0m";
	size_t at = sizeof(wide) - 1;

	*color = 0;
	if (len >= sizeof(plain) - 1 && !memcmp(text, plain, sizeof(plain) - 1))
		return sizeof(plain) - 1;
	if (len < at || memcmp(text, wide, at))
		return 0;
	while (at < len && text[at] >= '0' && text[at] <= '9')
		*color = *color * 10 + (unsigned int)(text[at++] - '0');
	return at < len && text[at] == 'm' ? at + 1 : 0;
}
