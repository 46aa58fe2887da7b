/* SPDX-License-Identifier: GPL-2.0-only */
/* Pieces of HTML; see markup.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "report/markup.h"

enum { PIECE_MAX = 512 };

void markup(struct buf *b, const char *format, ...)
{
	char piece[PIECE_MAX];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(piece, sizeof(piece), format, args);
	va_end(args);
	if (len > 0)
		buf_append(b, piece, len < PIECE_MAX ? (size_t)len :
						       PIECE_MAX - 1);
}

static const char *escape_of(const char *c)
{
	switch (*c) {
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '&': return "&amp;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

void markup_text(struct buf *b, const char *text)
{
	clean_text(b, text, strlen(text), escape_of);
}

void markup_cell(struct buf *b, struct figure f)
{
	char text[FIGURE_TEXT_MAX];

	markup(b, "<td class=\"num\">");
	markup_text(b, figure_text(text, f));
	markup(b, "</td>");
}
