/* SPDX-License-Identifier: GPL-2.0-only */
/* A mistake in an expression, shown in its place; see where.h. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "cli/where.h"

enum { BEFORE = 50, DOTS = 3 };

/* whether it continues a character of UTF-8 */
static bool is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static int columns(const char *shown)
{
	int n = 0;

	for (; *shown; shown++)
		n += !is_inside(*shown);
	return n;
}

/* The text before the mistake, cut between characters; false: cut. */
static bool show_before(char shown[BEFORE + 1], const char *text, size_t at)
{
	size_t start = at > BEFORE ? at - BEFORE : 0;
	char all[BEFORE * ESCAPE_MAX + 1];

	while (start && start < at && is_inside(text[start]))
		start++;
	while (escape_text(all, sizeof(all), text + start, at - start) > BEFORE)
		do
			start++;
		while (start < at && is_inside(text[start]));
	strcpy(shown, all);
	return !start;
}

/* The text from the mistake on, in size - 1 bytes; false: cut. */
static bool show_after(char *shown, size_t size, const char *rest)
{
	char all[WHERE_SHOWN + ESCAPE_MAX + 1];
	size_t len = strnlen(rest, sizeof(all));
	bool fits = escape_text(all, sizeof(all), rest, len) < size;

	escape_text(shown, fits ? size : size - DOTS, rest, len);
	return fits;
}

void where_text(char buf[WHERE_MAX], const char *option, const char *text,
		size_t at, const char *phrase)
{
	char before[BEFORE + 1], after[WHERE_SHOWN + 1];
	bool begins = show_before(before, text, at);
	size_t room = WHERE_SHOWN - (begins ? 0 : DOTS) - strlen(before) + 1;
	bool ends = show_after(after, room, text + at);

	snprintf(buf, WHERE_MAX, "%s: %s\n  %s%s%s%s\n%*s^", option, phrase,
		 begins ? "" : "...", before, after, ends ? "" : "...",
		 2 + (begins ? 0 : DOTS) + columns(before), "");
}
